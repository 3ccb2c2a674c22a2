//! The pattern of `cl100k_base`: words with one character before them, separate contractions,
//! numbers in groups of three.

use super::Pattern;
use super::contraction::any_case;
use super::space::Run;
use super::window::{Marks, Masks};
use crate::unicode::{LETTER, NEWLINE, NUMBER, SPACE, char_at, skip, skip_without};

pub(crate) struct Cl100k;

impl Pattern for Cl100k {
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

/// Returns the end of the piece at `at` in the patterns of this family. They differ in the end of
/// numbers, from the first digit, and in white space.
#[inline(always)]
pub(super) fn next(
    text: &[u8],
    at: usize,
    number: impl Fn(&[u8], usize) -> usize,
    white: impl Fn(&[u8], usize) -> usize,
) -> usize {
    let (class, length) = char_at(text, at);
    let behind = at + length;
    if class & LETTER != 0 {
        return skip(text, behind, LETTER);
    }
    if class & NUMBER != 0 {
        return number(text, behind);
    }
    if text[at] == b'\'' {
        let length = any_case(text, at);
        if length > 0 {
            return at + length;
        }
    }
    if class & NEWLINE == 0 {
        let end = skip(text, behind, LETTER);
        if end > behind {
            return end;
        }
    }
    signs(text, at).unwrap_or_else(|| white(text, at))
}

/// Returns the positions of possible contractions and blank lines.
#[inline(always)]
pub(super) fn common_stops(masks: &Masks) -> u64 {
    let continued = (masks.other() | masks.space) << 1;
    masks.blank_lines() | masks.quote & masks.word() >> 1 & !continued
}

/// Returns the starts of pieces in the patterns that treat newlines separately.
#[inline(always)]
pub(super) fn common_starts(masks: &Masks) -> u64 {
    mixed_starts(masks, masks.thirds())
}

/// Returns the same, with pieces of digits that start at `digits`.
#[inline(always)]
pub(super) fn mixed_starts(masks: &Masks, digits: u64) -> u64 {
    let (word, other, indent) = (masks.word(), masks.other(), masks.indent());
    // Punctuation inside a piece; it cannot be the character before a word.
    let inner = other & (other | masks.space) << 1;
    let solid = word | masks.digit | other | masks.wide;
    digits
        | word & (masks.digit | masks.newline | inner) << 1
        | other & !((other | masks.space) << 1)
        | masks.newline & (word | masks.digit) << 1
        // The last character of a run joins the text after it.
        | indent & (!(indent << 1) | solid >> 1)
}

/// Returns the end of punctuation with the newlines after it.
fn signs(text: &[u8], at: usize) -> Option<usize> {
    let start = at + usize::from(text[at] == b' ');
    let end = skip_without(text, start, SPACE | LETTER | NUMBER);
    (end > start).then(|| skip(text, end, NEWLINE))
}

/// Returns the end of white space; all of it at the end of the text.
fn white(text: &[u8], at: usize) -> usize {
    let run = Run::at(text, at);
    if run.is_final(text) {
        return text.len();
    }
    run.after_newline()
        .unwrap_or_else(|| run.without_last(text))
}

/// Returns the end of a number of at most three characters, the first of which ends at `at`.
pub(super) fn number(text: &[u8], mut at: usize) -> usize {
    for _ in 0..2 {
        if at == text.len() {
            break;
        }
        let (class, length) = char_at(text, at);
        if class & NUMBER == 0 {
            break;
        }
        at += length;
    }
    at
}
