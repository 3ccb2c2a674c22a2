//! Pieces of more than fifteen bytes: one to a line. Runs of one byte, such as
//! rules and indents, are kept by their length, however long.

use std::sync::atomic::Ordering;

use super::line::{Line, WORDS};
use crate::layout::mix;

/// The longest piece kept as bytes.
const MOST: usize = 8 * (WORDS - 1);

/// Lines of the table, as a power of two: 8 MB in all.
#[cfg(not(target_arch = "wasm32"))]
const BITS: u32 = 17;
/// As above, 128 KiB.
#[cfg(target_arch = "wasm32")]
const BITS: u32 = 11;

/// A piece as words: its length, whether it is a run, and the count less one
/// go into the last.
#[derive(Clone, Copy)]
pub(crate) struct LongKey([u64; WORDS]);

/// The bits of the last word that hold the count.
const COUNT_BITS: u32 = 24;
/// Above the length in the last word: the piece is a run of its first byte.
const RUN: u64 = 1 << 63;

impl LongKey {
    /// The key of `piece`, if it can be kept.
    #[inline]
    pub(crate) fn of(piece: &[u8]) -> Option<Self> {
        let length = piece.len();
        let mut bytes = [0; MOST];
        let mut last = (length as u64) << COUNT_BITS;
        if let Some(start) = bytes.get_mut(..length) {
            start.copy_from_slice(piece);
        } else if length < 1 << COUNT_BITS && piece[1..] == piece[..length - 1] {
            bytes[0] = piece[0];
            last |= RUN;
        } else {
            return None;
        }
        let mut words = [last; WORDS];
        for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        Some(Self(words))
    }

    #[inline]
    fn line(&self) -> usize {
        let hash = self
            .0
            .iter()
            .fold(0u64, |hash, word| mix(hash.rotate_left(23) ^ word));
        (mix(hash) >> (64 - BITS)) as usize
    }
}

/// The table that all threads share.
pub(crate) struct Long([Line; 1 << BITS]);

impl Long {
    /// An empty table.
    pub(crate) const fn new() -> Self {
        Self([const { Line::new() }; 1 << BITS])
    }

    /// The count of `key`, if known.
    #[inline]
    pub(crate) fn find(&self, key: &LongKey) -> Option<usize> {
        self.0[key.line()].read(|words| {
            let differs = |at: usize| words[at].load(Ordering::Relaxed) ^ key.0[at];
            let other = (0..WORDS - 1).fold(0, |other, at| other | differs(at));
            let count = differs(WORDS - 1);
            (other == 0 && count >> COUNT_BITS == 0 && count > 0).then_some(count as usize)
        })
    }

    /// Keeps `count` for `key`, in the place of whatever is there.
    pub(crate) fn keep(&self, key: &LongKey, count: usize) {
        self.0[key.line()].write(|words| {
            for (word, key) in words.iter().zip(key.0) {
                word.store(key, Ordering::Relaxed);
            }
            words[WORDS - 1].fetch_or(count as u64, Ordering::Relaxed);
        });
    }
}
