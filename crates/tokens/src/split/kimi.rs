//! The pattern of Kimi: that of `o200k_base`, but runs of Chinese characters are separated, and
//! slashes do not join the newlines before them.

use super::Pattern;
use super::cl100k::{common_starts, number};
use super::o200k::{contraction, next};
use super::window::{Marks, Masks};
use crate::unicode::{HAN, NEWLINE, char_at, skip};

pub(crate) struct Kimi;

impl Pattern for Kimi {
    fn next(text: &[u8], at: usize) -> usize {
        let (class, length) = char_at(text, at);
        if class & HAN != 0 {
            return skip(text, at + length, HAN);
        }
        let signs = |text: &[u8], end| skip(text, end, NEWLINE);
        next::<HAN>(text, at, number, contraction, signs)
    }

    #[inline(always)]
    fn marks(masks: &Masks) -> Marks {
        let word = masks.word();
        Marks {
            starts: common_starts(masks) | masks.upper & masks.lower << 1,
            stops: masks.blank_lines() | masks.quote & word << 1 & word >> 1,
        }
    }
}
