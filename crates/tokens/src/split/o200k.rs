//! The pattern of `o200k_base` and `o200k_harmony`: words are split at changes from lower to upper
//! case, contractions stay with their word.

use super::Pattern;
use super::cl100k::number;
use super::contraction::any_case;
use super::space::Run;
use super::window::{Marks, Masks};
use crate::unicode::{
    BACK, FRONT, LETTER, NEWLINE, NUMBER, SPACE, char_at, skip_but, skip_without,
};

pub(crate) struct O200k;

impl Pattern for O200k {
    fn next(text: &[u8], at: usize) -> usize {
        next::<0>(text, at, number, contraction, after_marks)
    }

    #[inline(always)]
    fn marks(masks: &Masks) -> Marks {
        let common = super::cl100k::common_starts(masks);
        let word = masks.word();
        Marks {
            starts: common | masks.upper & masks.lower << 1,
            stops: masks.blank_lines() | masks.quote & word << 1 & word >> 1 | slashes(masks),
        }
    }
}

/// Returns the end of the piece at `at` in the patterns of this family. They differ in the end of
/// numbers, from the first digit, in words and in punctuation. Characters of a class in `APART` are
/// not part of a word.
#[inline(always)]
pub(super) fn next<const APART: u8>(
    text: &[u8],
    at: usize,
    number: impl Fn(&[u8], usize) -> usize,
    suffix: impl Fn(&[u8], usize) -> usize,
    signs: impl Fn(&[u8], usize) -> usize,
) -> usize {
    let (class, length) = char_at(text, at);
    if class & NUMBER != 0 {
        return number(text, at + length);
    }
    if let Some(end) = prefixed_word::<APART>(text, at, class, length) {
        return suffix(text, end);
    }
    let start = at + usize::from(text[at] == b' ');
    let end = skip_without(text, start, SPACE | LETTER | NUMBER);
    if end > start {
        return signs(text, end);
    }
    let run = Run::at(text, at);
    run.after_newline()
        .unwrap_or_else(|| run.without_last(text))
}

/// Returns the end of a word with the contraction that may follow.
pub(super) fn contraction(text: &[u8], end: usize) -> usize {
    match text.get(end) {
        Some(b'\'') => end + any_case(text, end),
        _ => end,
    }
}

/// Returns the slashes after newlines that follow punctuation; they belong to the same piece.
#[inline(always)]
pub(super) fn slashes(masks: &Masks) -> u64 {
    let first = masks.newline & masks.other() << 1;
    let behind = masks.newline.wrapping_add(first) & !masks.newline;
    masks.slash & behind & masks.newline << 1
}

/// Returns the end of newlines and slashes after punctuation; they belong to the same piece.
pub(super) fn after_marks(text: &[u8], end: usize) -> usize {
    let behind = text[end..].iter();
    end + behind
        .take_while(|byte| matches!(byte, b'\r' | b'\n' | b'/'))
        .count()
}

/// Returns the end of a word with at most one character before it that is not a letter, number or
/// newline. A word that ends with the back class is tried first, with and without that character,
/// because a mark may be either.
fn prefixed_word<const APART: u8>(
    text: &[u8],
    at: usize,
    class: u8,
    length: usize,
) -> Option<usize> {
    if class & LETTER != 0 {
        return word::<APART>(text, at).map(Word::end);
    }
    if class & NEWLINE != 0 {
        return None;
    }
    let behind = word::<APART>(text, at + length);
    if let Some(Word::Backed(end)) = behind {
        return Some(end);
    }
    if class & FRONT != 0
        && let Some(Word::Backed(end)) = word::<APART>(text, at)
    {
        return Some(end);
    }
    behind.map(Word::end)
}

#[derive(Clone, Copy)]
enum Word {
    /// It ends with at least one character of the back class.
    Backed(usize),
    /// It consists only of the front class.
    FrontOnly(usize),
}

impl Word {
    fn end(self) -> usize {
        let (Self::Backed(end) | Self::FrontOnly(end)) = self;
        end
    }
}

/// Matches the word that begins at `start`: as many characters of the front class as possible, then
/// as many of the back class as possible. If no character of the back class follows, the match ends
/// after the last character that is in both classes, if any.
#[inline(always)]
fn word<const APART: u8>(text: &[u8], start: usize) -> Option<Word> {
    let (mut at, mut spare) = (start, None);
    while at < text.len() {
        let (class, length) = char_at(text, at);
        if class & FRONT == 0 || class & APART != 0 {
            let end = skip_but::<APART>(text, at, BACK);
            if end > at {
                return Some(Word::Backed(end));
            }
            break;
        }
        at += length;
        if class & BACK != 0 {
            spare = Some(at);
        }
    }
    let front = (at > start).then_some(Word::FrontOnly(at));
    spare.map(Word::Backed).or(front)
}
