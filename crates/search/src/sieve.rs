//! The grams of one text in a few bytes, part by part, for texts that are held in memory:
//! which parts of a long one can match, and whether one can whose grams no segment has.
//! Holds more grams than the text, never fewer.

use std::ops::Range;

use crate::gram::{Gram, grams};

/// The bytes of a part, with the rest of its last line.
const PART: usize = 16 << 10;
/// Bits for each byte: about one in ten is set then, since most grams of a text stand in
/// it more than once.
const BITS: usize = 2;
/// For parts of any size, in words of 64 bits.
const LEAST: usize = 16;
const MOST: usize = 1 << 16;

/// The grams of one text.
#[derive(Clone, Debug)]
pub struct Sieve {
    parts: Vec<Sifted>,
}

/// A part of a text: whole lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextPart {
    /// Its bytes.
    pub span: Range<usize>,
    /// The number of its first line, counted from 1.
    pub line: usize,
}

#[derive(Clone, Debug)]
struct Sifted {
    part: TextPart,
    /// A power of two of them.
    words: Box<[u64]>,
}

impl Sieve {
    /// Of a text.
    pub fn new(text: &[u8]) -> Self {
        let (mut parts, mut start, mut line) = (Vec::new(), 0, 1);
        while start < text.len() {
            let rest = text.get(start + PART..).unwrap_or_default();
            let end = memchr::memchr(b'\n', rest).map_or(text.len(), |at| start + PART + at + 1);
            let span = start..end;
            parts.push(Sifted {
                words: sift(&text[span.clone()]),
                part: TextPart { span, line },
            });
            line += memchr::memchr_iter(b'\n', &text[start..end]).count();
            start = end;
        }
        Self { parts }
    }

    /// What it takes in memory.
    pub fn bytes(&self) -> usize {
        let of = |part: &Sifted| size_of::<Sifted>() + size_of_val(&*part.words);
        self.parts.iter().map(of).sum()
    }

    /// Returns true if the text may hold a gram.
    pub(crate) fn has(&self, gram: Gram) -> bool {
        self.parts.iter().any(|part| part.has(gram))
    }

    /// The parts that may hold what `is_met` asks of their grams.
    pub(crate) fn parts(&self, is_met: impl Fn(&dyn Fn(Gram) -> bool) -> bool) -> Vec<TextPart> {
        let may = |part: &&Sifted| is_met(&|gram| part.has(gram));
        let parts = self.parts.iter().filter(may);
        parts.map(|part| part.part.clone()).collect()
    }
}

impl Sifted {
    fn has(&self, gram: Gram) -> bool {
        let (word, bit) = place(gram, self.words.len());
        self.words[word] & bit != 0
    }
}

fn sift(text: &[u8]) -> Box<[u64]> {
    let words = (text.len() * BITS / 64).next_power_of_two();
    let mut words = vec![0_u64; words.clamp(LEAST, MOST)].into_boxed_slice();
    for gram in grams(text) {
        let (word, bit) = place(gram, words.len());
        words[word] |= bit;
    }
    words
}

fn place(gram: Gram, words: usize) -> (usize, u64) {
    let mixed = gram.number().wrapping_mul(0x9e37_79b1);
    let word = (mixed >> 16) as usize & (words - 1);
    (word, 1 << (mixed >> 10 & 63))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Candidates, Document, Program, Query, QueryOptions};

    proptest! {
        #[test]
        fn no_gram_is_lost(text in "[abAB\né ]{0,200}") {
            let sieve = Sieve::new(text.as_bytes());
            for line in text.lines() {
                prop_assert!(grams(line.as_bytes()).all(|gram| sieve.has(gram)));
            }
        }

        /// What is found in the parts that can match is what is found in all of them.
        #[test]
        fn parts_have_all_matches(
            lines in prop::collection::vec("[abcx ]{0,8}", 0..40),
            pattern in "(\\^|\\\\A|\\\\b)?[abc]{1,4}(\\.\\*[abc]{2,3})?(\\$|\\\\z|\\\\w)?",
        ) {
            // Long enough for several parts.
            let filler = format!("{}\n", "filler ".repeat(300));
            let text: String = lines.iter().map(|line| format!("{line}\n{filler}")).collect();
            let query = Query::regex(&pattern, &QueryOptions::default()).unwrap();
            let program = Program::new(&query).unwrap();
            let document = Document::new(b"a", None, text.as_bytes());
            let parts = Candidates::new(&query).parts(&Sieve::new(text.as_bytes()));
            prop_assert_eq!(program.run_in(&document, &parts, usize::MAX), program.run(&document, usize::MAX));
            prop_assert_eq!(program.matches_in(&document, &parts), program.matches(&document));
        }
    }

    #[test]
    fn most_others_fall_through() {
        let text: String = (0..4000).map(|number| format!("word{number} ")).collect();
        let sieve = Sieve::new(text.as_bytes());
        let others = grams(b"the quick brown fox jumps over a lazy dog; pack my box with jugs");
        let (mut all, mut held) = (0, 0);
        for gram in others {
            all += 1;
            held += usize::from(sieve.has(gram));
        }
        assert!(held * 4 < all, "{held} of {all}");
    }
}
