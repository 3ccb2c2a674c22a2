//! The pattern of DeepSeek V3. Numbers in groups of three and runs of Chinese characters and
//! Japanese syllables are separated first; the rest is split as if each stretch between them were a
//! separate text.

use super::Pattern;
use super::cl100k::number;
use super::space::Run;
use super::window::{Marks, Masks};
use crate::unicode::{BACK, FRONT, NEWLINE, NUMBER, SIGN, SPACE, char_at, character_at, skip};

pub(crate) struct DeepSeek;

/// Letters and combining marks.
const WORD: u8 = FRONT | BACK;

impl Pattern for DeepSeek {
    fn next(text: &[u8], at: usize) -> usize {
        let (class, length) = char_at(text, at);
        if class & NUMBER != 0 {
            return number(text, at + length);
        }
        if is_east_asian(text, at) {
            return east_asian(text, at);
        }
        if let Some(end) = piece(text, at) {
            return end;
        }
        // Characters that no rule matches stay together up to the next match.
        let mut end = at + length;
        while end < text.len() && !is_apart(text, end) && piece(text, end).is_none() {
            end += char_at(text, end).1;
        }
        end
    }

    #[inline(always)]
    fn marks(masks: &Masks) -> Marks {
        let (word, other, indent) = (masks.word(), masks.other(), masks.indent());
        let inner = other & (other | masks.space) << 1;
        // White space before a number ends a stretch, and so stays whole.
        let solid = word | other | masks.wide;
        Marks {
            starts: masks.thirds()
                | word & (masks.digit | masks.newline | inner) << 1
                | other & !((other | masks.space) << 1)
                | masks.newline & (word | masks.digit) << 1
                | indent & (!(indent << 1) | solid >> 1),
            stops: masks.blank_lines() | masks.control,
        }
    }
}

/// Returns whether the first two rules separate the character at `at`.
fn is_apart(text: &[u8], at: usize) -> bool {
    char_at(text, at).0 & NUMBER != 0 || is_east_asian(text, at)
}

/// Returns whether a character matches `[一-龥぀-ゟ゠-ヿ]`.
fn is_east_asian(text: &[u8], at: usize) -> bool {
    text[at] >= 0xE3 && matches!(character_at(text, at), 0x3040..=0x30FF | 0x4E00..=0x9FA5)
}

fn east_asian(text: &[u8], mut at: usize) -> usize {
    while at < text.len() && is_east_asian(text, at) {
        // All of them have three bytes.
        at += 3;
    }
    at
}

/// Returns the end of the match of the last rule at `at`, if there is one. Separated letters are
/// not part of a word.
fn piece(text: &[u8], at: usize) -> Option<usize> {
    let (class, length) = char_at(text, at);
    let behind = at + length;
    if text[at].is_ascii_punctuation() {
        let letters = text[behind..]
            .iter()
            .take_while(|byte| byte.is_ascii_alphabetic());
        let letters = letters.count();
        if letters > 0 {
            return Some(behind + letters);
        }
    }
    if class & WORD != 0 {
        return Some(word(text, at));
    }
    if class & (NEWLINE | SIGN) == 0 {
        let end = word(text, behind);
        if end > behind {
            return Some(end);
        }
    }
    let start = at + usize::from(text[at] == b' ');
    let end = skip(text, start, SIGN);
    if end > start {
        return Some(skip(text, end, NEWLINE));
    }
    (class & SPACE != 0).then(|| white(text, at))
}

fn word(text: &[u8], mut at: usize) -> usize {
    while at < text.len() {
        let (class, length) = char_at(text, at);
        if class & WORD == 0 || is_east_asian(text, at) {
            break;
        }
        at += length;
    }
    at
}

fn white(text: &[u8], at: usize) -> usize {
    let run = Run::at(text, at);
    if let Some(end) = run.after_newline() {
        return end;
    }
    if !run.is_final(text) && is_apart(text, run.end()) {
        return run.end();
    }
    run.without_last(text)
}
