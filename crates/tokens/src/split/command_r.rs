//! The pattern of Command R: each digit is separated first; the rest is split like by `r50k_base`,
//! as if each stretch between digits were a separate text.

use super::Pattern;
use super::gpt2::Gpt2;
use super::space::Run;
use super::window::{Marks, Masks};
use crate::unicode::{NUMBER, SPACE, char_at};

pub(crate) struct CommandR;

impl Pattern for CommandR {
    fn next(text: &[u8], at: usize) -> usize {
        let (class, length) = char_at(text, at);
        if class & NUMBER != 0 {
            return at + length;
        }
        if class & SPACE != 0 {
            let run = Run::at(text, at);
            if !run.is_final(text) && char_at(text, run.end()).0 & NUMBER != 0 {
                return run.end();
            }
        }
        Gpt2::next(text, at)
    }

    #[inline(always)]
    fn marks(masks: &Masks) -> Marks {
        let (word, other) = (masks.word(), masks.other());
        let (space, white) = (masks.space, masks.white());
        // White space before a digit ends a stretch, and so stays whole.
        let solid = word | other | masks.wide;
        Marks {
            starts: masks.digit
                | word & !((word | space) << 1)
                | other & !((other | space) << 1)
                | white & (!(white << 1) | solid >> 1),
            stops: masks.quote & word >> 1 & !((other | space) << 1),
        }
    }
}
