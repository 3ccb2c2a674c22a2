//! The pattern of `p50k_base` and `r50k_base`: words, numbers and punctuation with one space before
//! them. Newlines are ordinary white space.

use super::Pattern;
use super::contraction::lower_case;
use super::space::Run;
use super::window::{Marks, Masks};
use crate::unicode::{LETTER, NUMBER, SPACE, char_at, skip, skip_without};

pub(crate) struct Gpt2;

impl Pattern for Gpt2 {
    fn next(text: &[u8], at: usize) -> usize {
        if text[at] == b'\'' {
            let length = lower_case(text, at);
            if length > 0 {
                return at + length;
            }
        }
        let start = at + usize::from(text[at] == b' ');
        if start < text.len() {
            match char_at(text, start).0 {
                class if class & LETTER != 0 => return skip(text, start, LETTER),
                class if class & NUMBER != 0 => return skip(text, start, NUMBER),
                class if class & SPACE == 0 => {
                    return skip_without(text, start, SPACE | LETTER | NUMBER);
                }
                _ => {}
            }
        }
        Run::at(text, at).without_last(text)
    }

    #[inline(always)]
    fn marks(masks: &Masks) -> Marks {
        let (word, digit, other) = (masks.word(), masks.digit, masks.other());
        let (space, white) = (masks.space, masks.white());
        let solid = word | digit | other | masks.wide;
        Marks {
            starts: word & !((word | space) << 1)
                | digit & !((digit | space) << 1)
                | other & !((other | space) << 1)
                | white & (!(white << 1) | solid >> 1),
            stops: masks.quote & word >> 1 & !((other | space) << 1),
        }
    }
}
