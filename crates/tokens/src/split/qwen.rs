//! The pattern of Qwen: that of `cl100k_base`, but each digit is a piece, and white space at the
//! end of a text is split like any other.

use super::Pattern;
use super::cl100k::{common_stops, mixed_starts, next};
use super::llama3::white;
use super::window::{Marks, Masks};

pub(crate) struct Qwen;

impl Pattern for Qwen {
    fn next(text: &[u8], at: usize) -> usize {
        next(text, at, |_, behind| behind, white)
    }

    #[inline(always)]
    fn marks(masks: &Masks) -> Marks {
        Marks {
            starts: mixed_starts(masks, masks.digit),
            stops: common_stops(masks),
        }
    }
}
