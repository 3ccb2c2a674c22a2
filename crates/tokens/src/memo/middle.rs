//! Pieces of eight to fifteen bytes: two words each, three pieces to a line.

use std::sync::atomic::{AtomicU64, Ordering};

use super::line::Line;
use crate::layout::mix;

/// The longest piece kept here.
pub(crate) const MOST: usize = 15;

/// Words of a line beside its version: three pieces, and one to spare.
const WORDS: usize = 7;

/// Lines of the table, as a power of two: 16 MB in all.
#[cfg(not(target_arch = "wasm32"))]
const BITS: u32 = 18;
/// As above, 512 KiB.
#[cfg(target_arch = "wasm32")]
const BITS: u32 = 13;

/// The bits of a second word that hold the count. It is never zero, so that no
/// piece looks like a free place, not even one of zero bytes.
const COUNT: u64 = 15;

/// A piece as two words: its first eight bytes; the rest at the top, their
/// number in bits 4 to 6, the low four bits free for the count.
#[derive(Clone, Copy)]
pub(crate) struct MiddleKey(u64, u64);

impl MiddleKey {
    /// The key of the first `length` bytes of two words.
    #[inline(always)]
    pub(crate) fn new(words: [u8; 16], length: usize) -> Self {
        let words = u128::from_le_bytes(words);
        let rest = (length - 8) as u64;
        // Two shifts, because a shift by all 64 bits is none.
        let high = ((words >> 64) as u64) << (56 - 8 * rest) << 8;
        Self(words as u64, high | rest << 4)
    }

    /// The key of `piece`.
    #[inline]
    pub(crate) fn of(piece: &[u8]) -> Self {
        let mut words = [0; 16];
        words[..piece.len()].copy_from_slice(piece);
        Self::new(words, piece.len())
    }

    #[inline(always)]
    fn line(self) -> usize {
        (mix(self.0 ^ self.1.rotate_left(29)) >> (64 - BITS)) as usize
    }
}

/// The table that all threads share.
pub(crate) struct Middle([Line<WORDS>; 1 << BITS]);

impl Middle {
    /// An empty table.
    pub(crate) const fn new() -> Self {
        Self([const { Line::new() }; 1 << BITS])
    }

    /// The count of `key`, if known.
    #[inline(always)]
    pub(crate) fn find(&self, key: MiddleKey) -> Option<usize> {
        self.0[key.line()].read(|words| {
            let at = |way: usize| {
                let low = words[2 * way].load(Ordering::Relaxed) ^ key.0;
                let high = words[2 * way + 1].load(Ordering::Relaxed) ^ key.1;
                // The count less one, or something large.
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

    /// Keeps `count` for `key`; the oldest piece of the line goes.
    pub(crate) fn keep(&self, key: MiddleKey, count: usize) {
        if self.find(key).is_some() {
            return;
        }
        self.0[key.line()].write(|words| {
            shift(words);
            words[0].store(key.0, Ordering::Relaxed);
            words[1].store(key.1 | count as u64, Ordering::Relaxed);
        });
    }

    /// Asks the processor to fetch the line of `key`.
    #[inline(always)]
    pub(crate) fn prefetch(&self, key: MiddleKey) {
        self.0[key.line()].prefetch();
    }
}

/// Moves each piece of a line one place on.
fn shift(words: &[AtomicU64; WORDS]) {
    for at in (2..6).rev() {
        let word = words[at - 2].load(Ordering::Relaxed);
        words[at].store(word, Ordering::Relaxed);
    }
}
