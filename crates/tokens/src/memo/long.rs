//! Pieces of more than fifteen bytes: one to two lines. Runs of one byte, such
//! as rules and indents, are kept by their length, however long.

use std::sync::atomic::{AtomicU64, Ordering};

use super::line::Line;
use crate::layout::mix;

/// Words of a place beside its version.
const WORDS: usize = 15;
/// The longest piece kept as bytes: all words but the first.
const MOST: usize = 8 * (WORDS - 1);

/// Pairs of places, as a power of two: 8 MB in all.
#[cfg(not(target_arch = "wasm32"))]
const BITS: u32 = 15;
/// As above, 256 KiB.
#[cfg(target_arch = "wasm32")]
const BITS: u32 = 10;

/// The bits of the first word that hold the count; it is never zero.
const COUNT_BITS: u32 = 24;
/// Above the length in the first word: the piece is a run of its first byte.
const RUN: u64 = 1 << 63;

/// A piece as words: its length and whether it is a run, then its bytes.
#[derive(Clone, Copy)]
pub(crate) struct LongKey {
    words: [u64; WORDS],
    /// How many words are used.
    used: usize,
    /// Which pair of places the piece belongs to.
    pair: usize,
}

impl LongKey {
    /// The key of `piece`, if it can be kept.
    #[inline]
    pub(crate) fn of(piece: &[u8]) -> Option<Self> {
        let length = piece.len();
        let mut bytes = [0; MOST];
        let mut first = (length as u64) << COUNT_BITS;
        let mut used = 1 + length.div_ceil(8);
        if let Some(start) = bytes.get_mut(..length) {
            start.copy_from_slice(piece);
        } else if length < 1 << COUNT_BITS && piece[1..] == piece[..length - 1] {
            bytes[0] = piece[0];
            first |= RUN;
            used = 2;
        } else {
            return None;
        }
        let mut words = [first; WORDS];
        for (word, bytes) in words[1..].iter_mut().zip(bytes.as_chunks().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        let pair = pair(piece);
        Some(Self { words, used, pair })
    }

    #[inline]
    fn used(&self) -> &[u64] {
        &self.words[..self.used.min(WORDS)]
    }

    /// The count in `words`, if they are those of this piece.
    #[inline]
    fn count_in(&self, words: &[AtomicU64; WORDS]) -> Option<usize> {
        let differs = |(word, key): (&AtomicU64, &u64)| word.load(Ordering::Relaxed) ^ key;
        let mut words = words.iter().zip(self.used()).map(differs);
        let count = words.next()?;
        let same = count >> COUNT_BITS == 0 && count > 0 && words.all(|differs| differs == 0);
        same.then_some(count as usize)
    }
}

/// The pair of places of a piece, by its length and its ends: cheap enough to be
/// found twice, once to fetch the memory early.
#[inline(always)]
fn pair(piece: &[u8]) -> usize {
    let word = |bytes: Option<&[u8; 8]>| bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes));
    let (first, last) = (word(piece.first_chunk()), word(piece.last_chunk()));
    let hash = mix(first ^ mix(last ^ piece.len() as u64).rotate_left(32));
    (hash >> (64 - BITS)) as usize
}

/// The table that all threads share.
pub(crate) struct Long([[Line<WORDS>; 2]; 1 << BITS]);

impl Long {
    /// An empty table.
    pub(crate) const fn new() -> Self {
        Self([const { [const { Line::new() }; 2] }; 1 << BITS])
    }

    /// The count of `key`, if known.
    #[inline]
    pub(crate) fn find(&self, key: &LongKey) -> Option<usize> {
        let [a, b] = &self.0[key.pair];
        let find = |line: &Line<WORDS>| line.read(|words| key.count_in(words));
        find(a).or_else(|| find(b))
    }

    /// Asks the processor to fetch the first place of `piece`.
    #[inline(always)]
    pub(crate) fn prefetch(&self, piece: &[u8]) {
        self.0[pair(piece)][0].prefetch();
    }

    /// Keeps `count` for `key` in a free place, or in one that a bit of the piece
    /// picks.
    pub(crate) fn keep(&self, key: &LongKey, count: usize) {
        let [a, b] = &self.0[key.pair];
        let is_free =
            |words: &[AtomicU64; WORDS]| (words[0].load(Ordering::Relaxed) == 0).then_some(());
        let place = match (a.read(is_free), b.read(is_free)) {
            (Some(()), _) => a,
            (_, Some(())) => b,
            _ if key.words[1].count_ones().is_multiple_of(2) => a,
            _ => b,
        };
        place.write(|words| {
            for (word, key) in words.iter().zip(key.used()) {
                word.store(*key, Ordering::Relaxed);
            }
            words[0].fetch_or(count as u64, Ordering::Relaxed);
        });
    }
}
