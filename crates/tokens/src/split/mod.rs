//! Cutting text into pieces as a vocabulary's pattern does. Tokens never cross
//! the end of a piece; how a piece becomes tokens is not known here.

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
mod cl100k;
mod command_r;
mod contraction;
mod deepseek;
mod gpt2;
mod kimi;
mod llama3;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
pub(crate) mod neon;
mod o200k;
mod qwen;
mod space;
mod tekken;
#[cfg(test)]
mod tests;
pub(crate) mod window;

pub(crate) use cl100k::Cl100k;
pub(crate) use command_r::CommandR;
pub(crate) use deepseek::DeepSeek;
pub(crate) use gpt2::Gpt2;
pub(crate) use kimi::Kimi;
pub(crate) use llama3::Llama3;
pub(crate) use o200k::O200k;
pub(crate) use qwen::Qwen;
pub(crate) use tekken::Tekken;

use window::{Marks, Masks};

/// A splitting pattern.
pub(crate) trait Pattern {
    /// The end of the piece of `text`, which is UTF-8, that begins at `at`.
    fn next(text: &[u8], at: usize) -> usize;

    /// Where pieces begin in a window.
    fn marks(masks: &Masks) -> Marks;
}
