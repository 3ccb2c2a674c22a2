//! The pairs of characters that are adjacent in some token. A text can be split between two
//! characters that never are. A space and U+2581 are the same here.

use super::BLANK;
use crate::layout::mix;

/// Set of pairs of characters.
pub(crate) struct Joints {
    /// For each ASCII character, a bit for each one that may follow it.
    ascii: [u128; 128],
    /// Hash table of the other pairs; a free slot is zero.
    wide: Vec<u64>,
}

impl Joints {
    /// Collects the pairs in `tokens`.
    pub(crate) fn new(tokens: impl IntoIterator<Item = String>) -> Self {
        let mut pairs = Vec::new();
        for token in tokens {
            let next = token.chars().skip(1);
            pairs.extend(token.chars().zip(next).map(|(a, b)| (plain(a), plain(b))));
        }
        pairs.sort_unstable();
        pairs.dedup();
        let mut joints = Self {
            ascii: [0; 128],
            wide: vec![0; (2 * pairs.len()).next_power_of_two()],
        };
        for (a, b) in pairs {
            joints.add(a, b);
        }
        joints
    }

    fn add(&mut self, a: char, b: char) {
        if a.is_ascii() && b.is_ascii() {
            self.ascii[a as usize] |= 1 << b as u32;
            return;
        }
        let key = key(a, b);
        let mut at = self.place(key);
        while self.wide[at] != 0 {
            at = (at + 1) & (self.wide.len() - 1);
        }
        self.wide[at] = key;
    }

    /// Splits `text` into pieces.
    pub(crate) fn pieces<'a>(&'a self, text: &'a str) -> impl Iterator<Item = &'a str> {
        let mut rest = text;
        std::iter::from_fn(move || {
            let end = self.end(rest)?;
            let (piece, behind) = rest.split_at(end);
            rest = behind;
            Some(piece)
        })
    }

    /// Returns the end of the first piece; `None` for an empty text.
    #[inline]
    fn end(&self, text: &str) -> Option<usize> {
        let mut characters = text.char_indices();
        let mut before = plain(characters.next()?.1);
        for (at, character) in characters {
            let behind = plain(character);
            if !self.are_joined(before, behind) {
                return Some(at);
            }
            before = behind;
        }
        Some(text.len())
    }

    #[inline]
    fn are_joined(&self, a: char, b: char) -> bool {
        if a.is_ascii() && b.is_ascii() {
            return self.ascii[a as usize] >> b as u32 & 1 == 1;
        }
        let key = key(a, b);
        let mut at = self.place(key);
        while self.wide[at] != 0 {
            if self.wide[at] == key {
                return true;
            }
            at = (at + 1) & (self.wide.len() - 1);
        }
        false
    }

    #[inline]
    fn place(&self, key: u64) -> usize {
        (mix(key) >> 32) as usize & (self.wide.len() - 1)
    }
}

#[inline]
fn plain(character: char) -> char {
    if character == BLANK { ' ' } else { character }
}

/// Returns the key of a pair, which is never zero, because one of the two is beyond ASCII.
#[inline]
fn key(a: char, b: char) -> u64 {
    u64::from(u32::from(a)) << 32 | u64::from(u32::from(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_splits_between_characters_that_no_token_joins() {
        let joints = Joints::new(["▁the", "ab", "é語", "語b"].map(str::to_owned));
        let pieces: Vec<_> = joints.pieces("the the  ab é語b").collect();
        assert_eq!(pieces, ["the", " the", " ", " ", "ab", " ", "é語b"]);
        assert_eq!(joints.pieces("").count(), 0);
    }
}
