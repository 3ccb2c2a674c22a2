//! The classes of characters in the splitting patterns, and iteration over UTF-8. The patterns
//! decide which class ends a piece.

/// Upper and title case, modifier and other letters, marks: accepted at the front of a word by
/// `o200k` patterns.
pub(crate) const FRONT: u8 = 1;
/// Lower case, modifier and other letters, marks: accepted at the back of a word by `o200k`
/// patterns.
pub(crate) const BACK: u8 = 2;
/// `\p{L}`.
pub(crate) const LETTER: u8 = 4;
/// `\p{N}`.
pub(crate) const NUMBER: u8 = 8;
/// `\s`.
pub(crate) const SPACE: u8 = 16;
/// Carriage return and line feed.
pub(crate) const NEWLINE: u8 = 32;
/// `\p{P}` and `\p{S}`.
pub(crate) const SIGN: u8 = 64;
/// `\p{Han}`.
pub(crate) const HAN: u8 = 128;

const DATA: &[u8] = include_bytes!("../data/unicode.classes");
/// Number of blocks of 256 characters up to U+10FFFF.
const BLOCKS: usize = 0x11_0000 / 256;
const FIRST: &[u8; BLOCKS] = match DATA.first_chunk() {
    Some(first) => first,
    None => panic!("the class file is cut short"),
};
const ROWS: &[[u8; 256]] = DATA.split_at(BLOCKS).1.as_chunks().0;
/// Row of U+0000 to U+00FF.
static LATIN: [u8; 256] = ROWS[FIRST[0] as usize];

/// Returns the class of a character.
#[inline(always)]
pub(crate) fn class_of(character: u32) -> u8 {
    let row = FIRST[(character >> 8) as usize % BLOCKS];
    ROWS[row as usize][(character & 255) as usize]
}

/// Returns the class and the length in bytes of the character of `text`, which is UTF-8, that
/// begins at `at`.
#[inline(always)]
pub(crate) fn char_at(text: &[u8], at: usize) -> (u8, usize) {
    let first = text[at];
    if first < 0x80 {
        return (LATIN[first as usize], 1);
    }
    wide_char_at(text, at)
}

#[inline]
fn wide_char_at(text: &[u8], at: usize) -> (u8, usize) {
    let (character, length) = wide_at(text, at);
    (class_of(character), length)
}

/// Returns the character of `text`, which is UTF-8, that begins at `at`.
#[inline]
pub(crate) fn character_at(text: &[u8], at: usize) -> u32 {
    match text[at] {
        first if first < 0x80 => u32::from(first),
        _ => wide_at(text, at).0,
    }
}

#[inline(always)]
fn wide_at(text: &[u8], at: usize) -> (u32, usize) {
    let tail = |offset: usize| u32::from(text[at + offset]) & 0x3F;
    let first = u32::from(text[at]);
    if first < 0xE0 {
        ((first & 0x1F) << 6 | tail(1), 2)
    } else if first < 0xF0 {
        ((first & 0x0F) << 12 | tail(1) << 6 | tail(2), 3)
    } else {
        let high = (first & 7) << 18 | tail(1) << 12;
        (high | tail(2) << 6 | tail(3), 4)
    }
}

/// Returns the end of the run of characters from `at` whose class has a bit of `mask`.
#[inline(always)]
pub(crate) fn skip(text: &[u8], at: usize, mask: u8) -> usize {
    skip_but::<0>(text, at, mask)
}

/// Does the same as [`skip`], for characters whose class has no bit of `APART`.
#[inline(always)]
pub(crate) fn skip_but<const APART: u8>(text: &[u8], mut at: usize, mask: u8) -> usize {
    while at < text.len() {
        let (class, length) = char_at(text, at);
        if class & mask == 0 || class & APART != 0 {
            break;
        }
        at += length;
    }
    at
}

/// Does the same as [`skip`], for characters whose class has no bit of `mask`.
#[inline(always)]
pub(crate) fn skip_without(text: &[u8], mut at: usize, mask: u8) -> usize {
    while at < text.len() {
        let (class, length) = char_at(text, at);
        if class & mask != 0 {
            break;
        }
        at += length;
    }
    at
}
