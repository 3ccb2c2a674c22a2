//! A Bloom filter of the grams of one text, part by part, for texts in memory: selects the parts of
//! a long text that can match, and tests texts that no segment contains. It has false positives,
//! but no false negatives.

use std::ops::Range;

use crate::gram::{Gram, grams};

/// Minimum bytes of a part; it extends to the end of its last line.
const PART: usize = 16 << 10;
/// Filter bits per byte of text: about one in ten is set then, because most grams occur more than
/// once.
const BITS: usize = 2;
/// Minimum size of a filter, in words of 64 bits.
const LEAST: usize = 16;
/// Maximum size of a filter, in words of 64 bits: 512 KiB.
const MOST: usize = 1 << 16;

/// Filter of the grams of one text.
#[derive(Clone, Debug)]
pub struct Sieve {
    parts: Vec<Sifted>,
}

/// A part of a text that consists of whole lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextPart {
    /// Byte range in the text.
    pub span: Range<usize>,
    /// Number of its first line, from 1.
    pub line: usize,
}

#[derive(Clone, Debug)]
struct Sifted {
    part: TextPart,
    /// The length is a power of two.
    words: Box<[u64]>,
}

impl Sieve {
    /// Builds the filter of a text.
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

    /// Returns the memory usage in bytes.
    pub fn bytes(&self) -> usize {
        let of = |part: &Sifted| size_of::<Sifted>() + size_of_val(&*part.words);
        self.parts.iter().map(of).sum()
    }

    /// Returns true if the text may contain a gram.
    pub(crate) fn has(&self, gram: Gram) -> bool {
        self.parts.iter().any(|part| part.has(gram))
    }

    /// Returns the parts whose grams may satisfy `is_met`.
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
        fn filter_has_no_false_negatives(text in "[abAB\né ]{0,200}") {
            let sieve = Sieve::new(text.as_bytes());
            for line in text.lines() {
                prop_assert!(grams(line.as_bytes()).all(|gram| sieve.has(gram)));
            }
        }

        /// Searching the candidate parts finds the same matches as searching all parts.
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
    fn filter_has_few_false_positives() {
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
