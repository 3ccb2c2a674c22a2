//! The pattern of Mistral's Tekken: that of `o200k_base`, but contractions are ordinary words, and
//! each digit is a piece.

use super::Pattern;
use super::cl100k::mixed_starts;
use super::o200k::{after_marks, next, slashes};
use super::window::{Marks, Masks};

pub(crate) struct Tekken;

impl Pattern for Tekken {
    fn next(text: &[u8], at: usize) -> usize {
        next::<0>(text, at, |_, behind| behind, |_, end| end, after_marks)
    }

    #[inline(always)]
    fn marks(masks: &Masks) -> Marks {
        let common = mixed_starts(masks, masks.digit);
        Marks {
            starts: common | masks.upper & masks.lower << 1,
            stops: masks.blank_lines() | slashes(masks),
        }
    }
}
