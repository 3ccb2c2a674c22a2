//! Former secrets, which no file contains any more. Stores only keyed hashes, in bounded memory.
//! Beyond the exact number of hashes every secret is still found, but other text is sometimes
//! mistaken for one.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;

/// Minimum length of a value, and of the prefix that is looked up first.
pub(crate) const SHORTEST: usize = 6;

/// Maximum bytes of a value that are hashed. A longer value matches by this prefix, and extends to
/// the end of its line.
const LONGEST: usize = 256;

/// Maximum number of exact hashes: about 16 MiB.
const MOST_EXACT: usize = 1 << 19;

/// Bits of the table that replaces them: 32 MiB. With 5 million values it mistakes about one in 100
/// texts that share a prefix with one of them.
const TABLE_BITS: usize = 1 << 28;

/// Bits of the table for prefixes: 128 KiB.
const BEGIN_BITS: usize = 1 << 20;

/// Length of the prefixes in that table.
const BEGIN: usize = 4;

/// Values that are found by their hashes.
#[derive(Clone)]
pub(crate) struct SecretMemory {
    key: u64,
    begins: Vec<u64>,
    /// The lengths of values, one bit each; the last bit is for longer ones.
    lengths: [u64; LONGEST / 64 + 1],
    hashes: Hashes,
    /// Number of values added.
    added: u64,
}

#[derive(Clone)]
enum Hashes {
    Exact(HashSet<u64>),
    /// A filter without false negatives.
    Table(Vec<u64>),
}

impl SecretMemory {
    pub(crate) fn new() -> Self {
        Self {
            key: RandomState::new().hash_one(0u8) | 1,
            begins: vec![0; BEGIN_BITS / 64],
            lengths: [0; LONGEST / 64 + 1],
            hashes: Hashes::Exact(HashSet::new()),
            added: 0,
        }
    }

    /// Adds a value of one line that has at least `SHORTEST` bytes.
    pub(crate) fn add(&mut self, value: &str) {
        self.add_within(value, MOST_EXACT);
    }

    fn add_within(&mut self, value: &str, most_exact: usize) {
        let bytes = value.as_bytes();
        let known = &bytes[..bytes.len().min(LONGEST)];
        let begin = self.begin(bytes);
        set(&mut self.begins, begin);
        let length = match bytes.len() > LONGEST {
            true => LONGEST + 1,
            false => known.len(),
        };
        set(&mut self.lengths, length - 1);
        let first = self.hash(&known[..SHORTEST]);
        self.hashes.insert(finished(first, 0), most_exact);
        let whole = self.hash(known);
        self.hashes.insert(finished(whole, length), most_exact);
        self.added += 1;
    }

    /// Returns a number that changes with each added value.
    pub(crate) fn state(&self) -> [u64; 2] {
        [self.key, self.added]
    }

    /// Finds the known values in `text`, in order and without overlaps. `is_whole` returns true if
    /// a span neither starts nor ends inside a word.
    pub(crate) fn find(
        &self,
        text: &str,
        is_whole: impl Fn(&Range<usize>) -> bool,
    ) -> Vec<Range<usize>> {
        let bytes = text.as_bytes();
        let mut found: Vec<Range<usize>> = Vec::new();
        for at in 0..(bytes.len() + 1).saturating_sub(SHORTEST) {
            if !has(&self.begins, self.begin(&bytes[at..])) || !text.is_char_boundary(at) {
                continue;
            }
            let Some(end) = self.longest(text, at, &is_whole) else {
                continue;
            };
            match found.last_mut() {
                Some(last) if at < last.end => last.end = last.end.max(end),
                _ => found.push(at..end),
            }
        }
        found
    }

    /// Returns the end of the longest known value that starts at `at`.
    fn longest(
        &self,
        text: &str,
        at: usize,
        is_whole: &impl Fn(&Range<usize>) -> bool,
    ) -> Option<usize> {
        let bytes = text.as_bytes();
        let near = &bytes[at..bytes.len().min(at + LONGEST)];
        let mut hash = self.key;
        let mut best = None;
        for (before, byte) in near.iter().enumerate() {
            hash = step(hash, *byte);
            let length = before + 1;
            if length == SHORTEST && !self.hashes.has(finished(hash, 0)) {
                return None;
            }
            let end = at + length;
            let is_known = length >= SHORTEST
                && has(&self.lengths, length - 1)
                && text.is_char_boundary(end)
                && self.hashes.has(finished(hash, length))
                && is_whole(&(at..end));
            if is_known {
                best = Some(end);
            }
        }
        let is_long = near.len() == LONGEST
            && has(&self.lengths, LONGEST)
            && self.hashes.has(finished(hash, LONGEST + 1));
        if is_long {
            let rest = &bytes[at + LONGEST..];
            let line = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            best = Some(at + LONGEST + line);
        }
        best
    }

    fn begin(&self, bytes: &[u8]) -> usize {
        let hash = finished(self.hash(&bytes[..BEGIN.min(bytes.len())]), 0);
        (hash as usize) % BEGIN_BITS
    }

    fn hash(&self, bytes: &[u8]) -> u64 {
        bytes.iter().fold(self.key, |hash, byte| step(hash, *byte))
    }
}

impl Hashes {
    fn insert(&mut self, hash: u64, most_exact: usize) {
        match self {
            Self::Exact(hashes) if hashes.len() < most_exact => {
                hashes.insert(hash);
            }
            Self::Exact(hashes) => {
                let mut table = vec![0; TABLE_BITS / 64];
                for hash in hashes.iter().chain([&hash]) {
                    bits_of(*hash).for_each(|bit| set(&mut table, bit));
                }
                *self = Self::Table(table);
            }
            Self::Table(table) => bits_of(hash).for_each(|bit| set(table, bit)),
        }
    }

    fn has(&self, hash: u64) -> bool {
        match self {
            Self::Exact(hashes) => hashes.contains(&hash),
            Self::Table(table) => bits_of(hash).all(|bit| has(table, bit)),
        }
    }
}

fn step(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte))
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .rotate_left(29)
}

/// Finishes the hash for a role: 0 for a prefix, otherwise the length of a whole value.
fn finished(hash: u64, role: usize) -> u64 {
    let mut hash = hash ^ (role as u64).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ (hash >> 31)
}

/// Returns the four bits of a hash in the table.
fn bits_of(hash: u64) -> impl Iterator<Item = usize> {
    let (first, second) = (hash as usize, (hash >> 32) as usize | 1);
    (0..4).map(move |at| first.wrapping_add(second.wrapping_mul(at)) % TABLE_BITS)
}

fn set(bits: &mut [u64], at: usize) {
    bits[at / 64] |= 1 << (at % 64);
}

fn has(bits: &[u64], at: usize) -> bool {
    bits[at / 64] & (1 << (at % 64)) != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(number: usize) -> String {
        let mixed = finished(number as u64 + 7, 1);
        format!("v{mixed:016x}-{number}")
    }

    fn found<'a>(memory: &SecretMemory, text: &'a str) -> Vec<&'a str> {
        let spans = memory.find(text, |_| true);
        spans.into_iter().map(|span| &text[span]).collect()
    }

    #[test]
    fn only_whole_values_are_found() {
        let mut memory = SecretMemory::new();
        let long = "q7".repeat(200);
        for value in ["hunter2secret99", "pässwörd€77", "vK8#pq", &long] {
            memory.add(value);
        }
        for (text, expected) in [
            ("x=hunter2secret99;", vec!["hunter2secret99"]),
            ("x=hunter2secret98;", vec![]),
            ("hunter2", vec![]),
            ("a pässwörd€77 b vK8#pq", vec!["pässwörd€77", "vK8#pq"]),
            ("", vec![]),
            ("vK8#p", vec![]),
        ] {
            assert_eq!(found(&memory, text), expected, "{text}");
        }
        let text = format!("key {long} end\nnext");
        assert_eq!(found(&memory, &text), [format!("{long} end")]);
    }

    #[test]
    fn a_value_within_another_hides_no_part_of_it() {
        let mut memory = SecretMemory::new();
        memory.add("abcdef12");
        memory.add("ef12ghij");
        assert_eq!(found(&memory, "-abcdef12ghij-"), ["abcdef12ghij"]);
    }

    /// The table that replaces the exact hashes has a fixed size and keeps all of them.
    #[test]
    fn two_hundred_thousand_values_are_found_in_bounded_memory() {
        const VALUES: usize = 200_000;
        let mut memory = SecretMemory::new();
        for number in 0..VALUES {
            memory.add_within(&value(number), VALUES / 2);
        }
        let Hashes::Table(table) = &memory.hashes else {
            panic!("the exact hashes are {}", VALUES / 2);
        };
        assert_eq!(table.len() * 8, 32 << 20);
        for number in 0..VALUES {
            let value = value(number);
            assert_eq!(found(&memory, &format!("a {value} b")), [value.as_str()]);
        }
        let others =
            (VALUES..2 * VALUES).filter(|number| !found(&memory, &value(*number)).is_empty());
        assert!(others.count() < VALUES / 1000);
    }
}
