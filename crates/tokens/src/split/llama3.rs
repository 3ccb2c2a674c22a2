//! The pattern of Llama 3 and GLM-4: that of `cl100k_base`, but white space at the end of a text is
//! split like any other.

use super::Pattern;
use super::cl100k::{common_starts, common_stops, next, number};
use super::space::Run;
use super::window::{Marks, Masks};

pub(crate) struct Llama3;

impl Pattern for Llama3 {
    fn next(text: &[u8], at: usize) -> usize {
        next(text, at, number, white)
    }

    #[inline(always)]
    fn marks(masks: &Masks) -> Marks {
        Marks {
            starts: common_starts(masks),
            stops: common_stops(masks),
        }
    }
}

/// Returns the end of white space: its last newline, or all but its last character.
pub(super) fn white(text: &[u8], at: usize) -> usize {
    let run = Run::at(text, at);
    run.after_newline()
        .unwrap_or_else(|| run.without_last(text))
}
