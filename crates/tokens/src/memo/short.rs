//! Pieces of at most seven bytes, which are nine tenths of all: the bytes, their number and the
//! count fit into one word, so that a lookup is one comparison and a word is never half written.

use std::hint::select_unpredictable;
use std::sync::atomic::{AtomicU64, Ordering};

use super::Reach;
use crate::layout::mix;
use crate::prefetch::prefetch;

/// Maximum length of a piece in this table.
pub(crate) const MOST: usize = 7;

/// Number of buckets of the shared table as a power of two: 8 MB in total.
#[cfg(not(target_arch = "wasm32"))]
const BITS: u32 = 18;
/// Number of buckets as a power of two: 512 KiB in total, because WebAssembly commits memory before
/// it is used.
#[cfg(target_arch = "wasm32")]
const BITS: u32 = 14;
/// Words of a bucket.
const WAYS: usize = 4;

/// Bits of a word for the count minus one.
const COUNT: u64 = 7;

/// Piece as a word: its bytes at the top, its length in bits 3 to 5. The low three bits are free
/// for the count.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct ShortKey(u64);

impl ShortKey {
    /// Returns the key of the first `length` bytes of `word`.
    #[inline(always)]
    pub(crate) fn new(word: [u8; 8], length: usize) -> Self {
        let word = u64::from_le_bytes(word);
        let shift = 64u64.wrapping_sub(8 * length as u64);
        Self(word << (shift & 63) | (length as u64) << 3)
    }

    /// Returns the key of `piece`.
    #[inline]
    pub(crate) fn from_piece(piece: &[u8]) -> Self {
        let mut word = [0; 8];
        word[..piece.len()].copy_from_slice(piece);
        Self::new(word, piece.len())
    }

    #[inline(always)]
    fn bucket<const BITS: u32>(self) -> usize {
        (mix(self.0) >> (64 - BITS)) as usize
    }

    /// Returns the count in `slot`, or a number larger than any count if the slot contains another
    /// piece.
    #[inline(always)]
    fn in_slot(self, slot: u64) -> u64 {
        slot ^ self.0
    }
}

/// Result of a lookup.
#[derive(Clone, Copy)]
pub(crate) struct Lookup(u64);

impl Lookup {
    /// Returns whether the piece was found.
    #[inline(always)]
    pub(crate) fn is_hit(self) -> bool {
        self.0 <= COUNT
    }

    /// Returns the same result if a piece of `length` bytes is short, otherwise no hit.
    #[inline(always)]
    pub(crate) fn if_short(self, length: usize) -> Self {
        Self(self.0 | length as u64 & !(MOST as u64))
    }

    /// Returns the count of a found piece minus one; zero for a missing one.
    #[inline(always)]
    pub(crate) fn more(self) -> usize {
        select_unpredictable(self.is_hit(), self.0, 0) as usize
    }

    /// Returns the count of a found piece.
    #[inline(always)]
    pub(crate) fn count(self) -> usize {
        (self.0 & COUNT) as usize + 1
    }
}

/// Table that all threads share.
pub(crate) struct Short([[AtomicU64; WAYS]; 1 << BITS]);

impl Short {
    /// Creates an empty table.
    pub(crate) const fn new() -> Self {
        Self([const { [const { AtomicU64::new(0) }; WAYS] }; 1 << BITS])
    }

    #[inline(always)]
    fn bucket(&self, key: ShortKey, reach: Reach) -> &[AtomicU64; WAYS] {
        &self.0[reach.within(key.bucket::<BITS>())]
    }

    /// Looks `key` up.
    #[inline(always)]
    pub(crate) fn find(&self, key: ShortKey, reach: Reach) -> Lookup {
        let [a, b, c, d] = self.bucket(key, reach);
        let slot = |slot: &AtomicU64| key.in_slot(slot.load(Ordering::Relaxed));
        Lookup(slot(a).min(slot(b)).min(slot(c).min(slot(d))))
    }

    /// Stores `count` for `key`; the oldest piece of the bucket is removed.
    pub(crate) fn keep(&self, key: ShortKey, count: usize, reach: Reach) {
        if self.find(key, reach).is_hit() {
            return;
        }
        let mut word = key.0 | (count as u64 - 1);
        for slot in self.bucket(key, reach) {
            word = slot.swap(word, Ordering::Relaxed);
        }
    }

    /// Prefetches the bucket of `key`.
    #[inline(always)]
    pub(crate) fn prefetch(&self, key: ShortKey, reach: Reach) {
        prefetch(self.bucket(key, reach));
    }
}

/// Number of buckets of the front table as a power of two: 128 KiB, which stay in the second-level
/// cache and contain nine of ten pieces of a text.
const FRONT_BITS: u32 = 13;

/// Small table in front of the shared one, for one thread.
pub(crate) struct Front([[u64; 2]; 1 << FRONT_BITS]);

impl Front {
    /// Creates an empty table.
    pub(crate) fn boxed() -> Box<Self> {
        Box::new(Self([[0; 2]; 1 << FRONT_BITS]))
    }

    /// Looks `key` up.
    #[inline(always)]
    pub(crate) fn find(&self, key: ShortKey) -> Lookup {
        let [a, b] = self.0[key.bucket::<FRONT_BITS>()];
        Lookup(key.in_slot(a).min(key.in_slot(b)))
    }

    /// Stores the result of the shared table, if it is a hit.
    #[inline(always)]
    pub(crate) fn keep(&mut self, key: ShortKey, found: Lookup) {
        let slots = &mut self.0[key.bucket::<FRONT_BITS>()];
        if found.is_hit() {
            *slots = [key.0 | found.0, slots[0]];
        }
    }
}
