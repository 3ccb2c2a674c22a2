//! Pieces of more than fifteen bytes: one slot each, of one or two cache lines. Runs of one byte,
//! such as rules and indents, are stored by their length, for any length.

use std::sync::atomic::{AtomicU64, Ordering};

use super::Reach;
use super::line::Line;
use crate::layout::mix;

/// Bits of the first word for the count, which is never zero.
const COUNT_BITS: u32 = 24;
/// Flag above the length in the first word: the piece is a run of its first byte.
const RUN: u64 = 1 << 63;

/// Piece of more than fifteen bytes as words: its length and whether it is a run; then its bytes,
/// the last word overlapping the one before it.
#[derive(Clone, Copy)]
pub(crate) struct LongKey<'a> {
    first: u64,
    bytes: &'a [u8],
    hash: u64,
}

impl<'a> LongKey<'a> {
    /// Returns the key of `piece`, if it is a run or at most `most` bytes long.
    #[inline(always)]
    pub(crate) fn from_piece(piece: &'a [u8], most: usize) -> Option<Self> {
        let (mut first, mut bytes) = ((piece.len() as u64) << COUNT_BITS, piece);
        if piece.len() > most {
            if piece.len() >> COUNT_BITS > 0 || piece[1..] != piece[..piece.len() - 1] {
                return None;
            }
            first |= RUN;
            bytes = &piece[..8];
        }
        let fold = |hash: u64, word| mix(hash.rotate_left(23) ^ word);
        let hash = words(bytes).fold(first, fold);
        Some(Self { first, bytes, hash })
    }

    /// Returns the number of compared bytes.
    #[inline(always)]
    pub(crate) fn length(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the count in `found`, if its words are those of this piece.
    #[inline(always)]
    fn count_in(&self, found: &[AtomicU64]) -> Option<usize> {
        let (first, rest) = found.split_first()?;
        let count = first.load(Ordering::Relaxed) ^ self.first;
        let same = |(found, word): (&AtomicU64, u64)| found.load(Ordering::Relaxed) == word;
        let is_hit =
            count >> COUNT_BITS == 0 && count > 0 && rest.iter().zip(words(self.bytes)).all(same);
        is_hit.then_some(count as usize)
    }
}

#[inline(always)]
fn words(bytes: &[u8]) -> impl Iterator<Item = u64> {
    let (whole, _) = bytes.as_chunks();
    let words = whole.iter().chain(bytes.last_chunk());
    words.map(|word| u64::from_le_bytes(*word))
}

/// Number of slots in which a piece may be stored.
const WAYS: usize = 4;

/// Table of sets of slots that all threads share.
pub(crate) struct Long<const WORDS: usize, const SETS: usize>([[Line<WORDS>; WAYS]; SETS]);

impl<const WORDS: usize, const SETS: usize> Long<WORDS, SETS> {
    /// Maximum length of a piece that is stored as bytes: all words but the first and the one that
    /// overlaps.
    pub(crate) const MOST: usize = 8 * (WORDS - 1) - 1;

    /// Creates an empty table.
    pub(crate) const fn new() -> Self {
        Self([const { [const { Line::new() }; WAYS] }; SETS])
    }

    #[inline(always)]
    fn places(&self, key: LongKey<'_>, reach: Reach) -> &[Line<WORDS>; WAYS] {
        &self.0[reach.within((key.hash >> 32) as usize % SETS)]
    }

    /// Returns the count of `key`, if it is in the table.
    #[inline(always)]
    pub(crate) fn find(&self, key: LongKey<'_>, reach: Reach) -> Option<usize> {
        let mut places = self.places(key, reach).iter();
        places.find_map(|place| place.read(|words| key.count_in(words)))
    }

    /// Prefetches the first slot of `key`.
    #[inline(always)]
    pub(crate) fn prefetch(&self, key: LongKey<'_>, reach: Reach) {
        self.places(key, reach)[0].prefetch();
    }

    /// Stores `count` for `key` in a free slot, or in one that bits of its hash select.
    pub(crate) fn keep(&self, key: LongKey<'_>, count: usize, reach: Reach) {
        let places = self.places(key, reach);
        let is_free =
            |words: &[AtomicU64; WORDS]| (words[0].load(Ordering::Relaxed) == 0).then_some(());
        let free = places.iter().find(|place| place.read(is_free).is_some());
        let place = free.unwrap_or(&places[key.hash as usize % WAYS]);
        place.write(|places| {
            let first = key.first | count as u64;
            let words = std::iter::once(first).chain(words(key.bytes));
            for (place, word) in places.iter().zip(words) {
                place.store(word, Ordering::Relaxed);
            }
        });
    }
}
