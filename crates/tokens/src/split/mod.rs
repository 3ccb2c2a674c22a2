//! Cutting text into pieces as a vocabulary's pattern does. Tokens never cross
//! the end of a piece; how a piece becomes tokens is not known here.

mod cl100k;
mod contraction;
mod gpt2;
mod o200k;
mod space;

pub(crate) use cl100k::Cl100k;
pub(crate) use gpt2::Gpt2;
pub(crate) use o200k::O200k;

/// A splitting pattern.
pub(crate) trait Pattern {
    /// The end of the piece of `text`, which is UTF-8, that begins at `at`.
    fn next(text: &[u8], at: usize) -> usize;
}
