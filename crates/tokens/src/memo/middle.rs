//! Pieces of eight to fifteen bytes: two words each, three pieces to a line.

use std::sync::atomic::{AtomicU64, Ordering};

use super::Reach;
use super::line::Line;
use crate::layout::mix;

/// Maximum length of a piece in this table.
pub(crate) const MOST: usize = 15;

/// Words of a line after its version: three pieces, and one unused.
const WORDS: usize = 7;

/// Number of lines as a power of two: 16 MB in total.
#[cfg(not(target_arch = "wasm32"))]
const BITS: u32 = 18;
/// Number of lines as a power of two: 512 KiB in total.
#[cfg(target_arch = "wasm32")]
const BITS: u32 = 13;

/// Bits of a second word for the count. It is never zero, so that no piece looks like a free slot,
/// not even one of zero bytes.
const COUNT: u64 = 15;

/// Piece as two words: its first eight bytes; the rest at the top, their number in bits 4 to 6, the
/// low four bits free for the count.
#[derive(Clone, Copy)]
pub(crate) struct MiddleKey(u64, u64);

impl MiddleKey {
    /// Returns the key of the first `length` bytes of two words.
    #[inline(always)]
    pub(crate) fn new(words: [u8; 16], length: usize) -> Self {
        let words = u128::from_le_bytes(words);
        let rest = (length - 8) as u64;
        // Two shifts, because a shift by all 64 bits would be no shift.
        let high = ((words >> 64) as u64) << (56 - 8 * rest) << 8;
        Self(words as u64, high | rest << 4)
    }

    /// Returns the key of `piece`.
    #[inline]
    pub(crate) fn from_piece(piece: &[u8]) -> Self {
        let mut words = [0; 16];
        words[..piece.len()].copy_from_slice(piece);
        Self::new(words, piece.len())
    }

    #[inline(always)]
    fn line(self) -> usize {
        (mix(self.0 ^ self.1.rotate_left(29)) >> (64 - BITS)) as usize
    }
}

/// Table that all threads share.
pub(crate) struct Middle([Line<WORDS>; 1 << BITS]);

impl Middle {
    /// Creates an empty table.
    pub(crate) const fn new() -> Self {
        Self([const { Line::new() }; 1 << BITS])
    }

    #[inline(always)]
    fn line(&self, key: MiddleKey, reach: Reach) -> &Line<WORDS> {
        &self.0[reach.within(key.line())]
    }

    /// Returns the count of `key`, if it is in the table.
    #[inline(always)]
    pub(crate) fn find(&self, key: MiddleKey, reach: Reach) -> Option<usize> {
        self.line(key, reach).read(|words| {
            let at = |way: usize| {
                let low = words[2 * way].load(Ordering::Relaxed) ^ key.0;
                let high = words[2 * way + 1].load(Ordering::Relaxed) ^ key.1;
                // The count minus one, or a large number.
                if low == 0 {
                    high.wrapping_sub(1)
                } else {
                    u64::MAX
                }
            };
            let found = at(0).min(at(1)).min(at(2));
            (found < COUNT).then(|| found as usize + 1)
        })
    }

    /// Stores `count` for `key`; the oldest piece of the line is removed.
    pub(crate) fn keep(&self, key: MiddleKey, count: usize, reach: Reach) {
        if self.find(key, reach).is_some() {
            return;
        }
        self.line(key, reach).write(|words| {
            shift(words);
            words[0].store(key.0, Ordering::Relaxed);
            words[1].store(key.1 | count as u64, Ordering::Relaxed);
        });
    }

    /// Prefetches the line of `key`.
    #[inline(always)]
    pub(crate) fn prefetch(&self, key: MiddleKey, reach: Reach) {
        self.line(key, reach).prefetch();
    }
}

/// Moves each piece of a line to the next slot.
fn shift(words: &[AtomicU64; WORDS]) {
    for at in (2..6).rev() {
        let word = words[at - 2].load(Ordering::Relaxed);
        words[at].store(word, Ordering::Relaxed);
    }
}
