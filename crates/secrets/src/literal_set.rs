//! Finds many literals in a text in one pass. The cost per byte is the same for one literal and for
//! ten thousand: the text is sampled at a fixed stride, and testing a sample that starts no literal
//! costs one bit. The caller chooses the literals.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// Size of a sample in bytes.
const GRAM: usize = 5;
/// Maximum distance between two samples. A literal of `GRAM + STRIDE - 1` bytes contains a whole
/// sample at any offset.
const LONGEST_STRIDE: usize = 4;
/// Bits of the filter per sample of a literal: about 6 % of other samples pass it.
const BITS_PER_GRAM: usize = 16;
/// The filter has between 4 KiB and 32 MiB.
const FILTER_BITS: Range<u32> = 15..28;

/// A set of literals to find.
#[derive(Debug)]
pub(crate) struct LiteralSet {
    /// Sorted, without duplicates, each with its position in the caller's list.
    literals: Vec<(Arc<str>, usize)>,
    /// For each literal, the longest other literal that is its prefix.
    shorter: Vec<Option<usize>>,
    longest: usize,
    stride: usize,
    filter: Vec<u64>,
    filter_bits: u32,
    /// For each sample, its offsets in literals, one bit each.
    offsets: HashMap<u64, u8>,
}

/// A match of a literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LiteralMatch {
    /// Byte range in the text.
    pub(crate) span: Range<usize>,
    /// Position of the literal in the caller's list.
    pub(crate) literal: usize,
}

impl LiteralSet {
    /// Minimum length; shorter literals cannot be found.
    pub(crate) const SHORTEST: usize = GRAM;

    /// Builds a set of all literals that are long enough.
    pub(crate) fn new(literals: impl Iterator<Item = Arc<str>>) -> Self {
        let mut literals: Vec<(Arc<str>, usize)> = literals
            .enumerate()
            .filter(|(_, literal)| literal.len() >= Self::SHORTEST)
            .map(|(at, literal)| (literal, at))
            .collect();
        literals.sort();
        literals.dedup_by(|a, b| a.0 == b.0);
        let lengths = || literals.iter().map(|(literal, _)| literal.len());
        let shortest = lengths().min().unwrap_or(Self::SHORTEST);
        let stride = (shortest + 1 - GRAM).min(LONGEST_STRIDE);
        let mut offsets: HashMap<u64, u8> = HashMap::new();
        for (literal, _) in &literals {
            for offset in 0..stride {
                *offsets.entry(gram(literal.as_bytes(), offset)).or_default() |= 1 << offset;
            }
        }
        let wanted = (offsets.len() * BITS_PER_GRAM).next_power_of_two();
        let filter_bits = wanted.ilog2().clamp(FILTER_BITS.start, FILTER_BITS.end);
        let mut filter = vec![0; (1 << filter_bits) / 64];
        for gram in offsets.keys() {
            let bit = bit_of(*gram, filter_bits);
            filter[bit / 64] |= 1 << (bit % 64);
        }
        Self {
            shorter: prefixes(&literals),
            longest: lengths().max().unwrap_or_default(),
            literals,
            stride,
            filter,
            filter_bits,
            offsets,
        }
    }

    /// Finds the literals in `text`, in order: of overlapping matches the first, of matches with
    /// the same start the longest.
    pub(crate) fn find(&self, text: &[u8]) -> Vec<LiteralMatch> {
        self.find_accepted(text, |_| true)
    }

    /// Finds the matches for which `accepts` returns true. A rejected match hides no other.
    pub(crate) fn find_accepted(
        &self,
        text: &[u8],
        accepts: impl Fn(&LiteralMatch) -> bool,
    ) -> Vec<LiteralMatch> {
        let mut found = Vec::new();
        if self.literals.is_empty() {
            return found;
        }
        let (mut at, mut free) = (0, 0);
        while at + GRAM <= text.len() {
            let sample = gram(text, at);
            at += self.stride;
            if self.may_begin(sample)
                && let Some(one) = self.match_around(text, at - self.stride, sample, |one| {
                    one.span.start >= free && accepts(one)
                })
            {
                free = one.span.end;
                found.push(one);
                // A match starts at `free` or later, so it contains no earlier sample.
                at = at.max(free.next_multiple_of(self.stride));
            }
        }
        found
    }

    fn may_begin(&self, sample: u64) -> bool {
        let bit = bit_of(sample, self.filter_bits);
        self.filter[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// Finds the first accepted literal that contains `sample` at `at`.
    fn match_around(
        &self,
        text: &[u8],
        at: usize,
        sample: u64,
        accepts: impl Fn(&LiteralMatch) -> bool,
    ) -> Option<LiteralMatch> {
        let offsets = *self.offsets.get(&sample)?;
        let starts = (0..self.stride)
            .rev()
            .filter(|offset| offsets >> offset & 1 == 1);
        let mut starts = starts.filter_map(|offset| at.checked_sub(offset));
        starts.find_map(|start| {
            let end = text.len().min(start + self.longest);
            let mut matches = self.prefixes_of(&text[start..end]).map(|literal| {
                let (literal, position) = &self.literals[literal];
                LiteralMatch {
                    span: start..start + literal.len(),
                    literal: *position,
                }
            });
            matches.find(|one| accepts(one))
        })
    }

    /// Returns the literals that are prefixes of `text`, the longest first. Every literal that
    /// sorts between such a prefix and `text` also starts with it, so following the prefixes of the
    /// last one finds all.
    fn prefixes_of(&self, text: &[u8]) -> impl Iterator<Item = usize> {
        let after = self
            .literals
            .partition_point(|(literal, _)| literal.as_bytes() <= text);
        let chain = std::iter::successors(after.checked_sub(1), |at| self.shorter[*at]);
        chain.filter(move |at| text.starts_with(self.literals[*at].0.as_bytes()))
    }
}

/// Returns for each of the sorted literals the longest other one that is its prefix.
fn prefixes(literals: &[(Arc<str>, usize)]) -> Vec<Option<usize>> {
    let mut open: Vec<usize> = Vec::new();
    let mut prefixes = Vec::with_capacity(literals.len());
    for (at, (literal, _)) in literals.iter().enumerate() {
        while open
            .last()
            .is_some_and(|last| !literal.starts_with(&*literals[*last].0))
        {
            open.pop();
        }
        prefixes.push(open.last().copied());
        open.push(at);
    }
    prefixes
}

/// Returns the `GRAM` bytes of `text` at `at` as a number.
fn gram(text: &[u8], at: usize) -> u64 {
    const MASK: u64 = (1 << (8 * GRAM)) - 1;
    if let Some(bytes) = text.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        return u64::from_le_bytes(*bytes) & MASK;
    }
    let mut bytes = [0; 8];
    let rest = &text[at..text.len().min(at + GRAM)];
    bytes[..rest.len()].copy_from_slice(rest);
    u64::from_le_bytes(bytes)
}

/// Returns the filter bit of a sample: the high bits of a product depend on all input bits.
fn bit_of(sample: u64, bits: u32) -> usize {
    (sample.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - bits)) as usize
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn spans(literals: &[&str], text: &str) -> Vec<(usize, usize)> {
        let set = LiteralSet::new(literals.iter().map(|one| Arc::from(*one)));
        let found = set.find(text.as_bytes()).into_iter();
        found.map(|one| (one.span.start, one.literal)).collect()
    }

    /// Reference implementation: compares every start with every literal.
    fn naive(
        literals: &[String],
        text: &[u8],
        accepts: impl Fn(&Range<usize>) -> bool,
    ) -> Vec<Range<usize>> {
        let (mut at, mut found) = (0, Vec::new());
        while at < text.len() {
            let here = literals
                .iter()
                .filter(|one| text[at..].starts_with(one.as_bytes()))
                .filter(|one| accepts(&(at..at + one.len())));
            match here.map(String::len).max() {
                Some(length) => {
                    found.push(at..at + length);
                    at += length;
                }
                None => at += 1,
            }
        }
        found
    }

    #[test]
    fn literals_are_found_at_every_offset() {
        for before in 0..9 {
            let text = format!("{}hunter2secret99.", "x".repeat(before));
            assert_eq!(spans(&["hunter2secret99"], &text), [(before, 0)]);
        }
        assert_eq!(
            spans(&["abcdefgh", "abcdefghij"], "abcdefghijabcdefgh"),
            [(0, 1), (10, 0)]
        );
        assert_eq!(spans(&["abcde"], "xabcdeabcde"), [(1, 0), (6, 0)]);
        assert_eq!(spans(&["abcd"], "abcd"), []);
        assert_eq!(spans(&[], "abcd"), []);
    }

    proptest! {
        #[test]
        fn matches_equal_a_naive_search(
            literals in proptest::collection::vec("[ab]{5,12}", 0..12),
            text in "[abc]{0,200}",
        ) {
            let set = LiteralSet::new(literals.iter().map(|one| Arc::from(one.as_str())));
            let all = |_: &Range<usize>| true;
            let found = set.find(text.as_bytes()).into_iter().map(|one| one.span);
            prop_assert_eq!(found.collect::<Vec<_>>(), naive(&literals, text.as_bytes(), all));
        }

        #[test]
        fn a_rejected_match_hides_no_other(
            literals in proptest::collection::vec("[ab]{5,12}", 0..12),
            text in "[abc]{0,200}",
        ) {
            let bytes = text.as_bytes();
            let ends_at_c = |span: &Range<usize>| bytes.get(span.end).is_none_or(|byte| *byte == b'c');
            let set = LiteralSet::new(literals.iter().map(|one| Arc::from(one.as_str())));
            let found = set.find_accepted(bytes, |one| ends_at_c(&one.span)).into_iter().map(|one| one.span);
            prop_assert_eq!(found.collect::<Vec<_>>(), naive(&literals, bytes, ends_at_c));
        }
    }
}
