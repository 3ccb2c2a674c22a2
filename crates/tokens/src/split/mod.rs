//! Splitting text into pieces with a vocabulary's pattern. Tokens never cross the end of a piece;
//! other modules turn a piece into tokens.

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

/// Splitting pattern of a vocabulary.
pub(crate) trait Pattern {
    /// Returns the end of the piece of `text`, which is UTF-8, that begins at `at`.
    fn next(text: &[u8], at: usize) -> usize;

    /// Returns the starts of pieces in a window.
    fn marks(masks: &Masks) -> Marks;
}
