//! Pieces of at most seven bytes, nine tenths of all: the bytes, their number
//! and the count fit into one word, so that a look-up is one comparison and a
//! word is never half written.

use std::hint::select_unpredictable;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::layout::mix;
use crate::prefetch::prefetch;

/// The longest piece kept here.
pub(crate) const MOST: usize = 7;

/// Buckets of the shared table, as a power of two: 8 MB in all.
#[cfg(not(target_arch = "wasm32"))]
const BITS: u32 = 18;
/// As above, 512 KiB: WebAssembly pays for memory before it is used.
#[cfg(target_arch = "wasm32")]
const BITS: u32 = 14;
/// Words of a bucket.
const WAYS: usize = 4;

/// The bits of a word that hold the count less one.
const COUNT: u64 = 7;

/// A piece as a word: its bytes at the top, its length in bits 3 to 5. The low
/// three bits are free for the count.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct ShortKey(u64);

impl ShortKey {
    /// The key of the first `length` bytes of `word`.
    #[inline(always)]
    pub(crate) fn new(word: [u8; 8], length: usize) -> Self {
        let word = u64::from_le_bytes(word);
        let shift = 64u64.wrapping_sub(8 * length as u64);
        Self(word << (shift & 63) | (length as u64) << 3)
    }

    /// The key of `piece`.
    #[inline]
    pub(crate) fn of(piece: &[u8]) -> Self {
        let mut word = [0; 8];
        word[..piece.len()].copy_from_slice(piece);
        Self::new(word, piece.len())
    }

    #[inline(always)]
    fn bucket<const BITS: u32>(self) -> usize {
        (mix(self.0) >> (64 - BITS)) as usize
    }

    /// The count in `slot`, or something larger than any count if the slot holds
    /// another piece.
    #[inline(always)]
    fn in_slot(self, slot: u64) -> u64 {
        slot ^ self.0
    }
}

/// What a look-up found.
#[derive(Clone, Copy)]
pub(crate) struct Found(u64);

impl Found {
    /// Whether the piece is known.
    #[inline(always)]
    pub(crate) fn is_hit(self) -> bool {
        self.0 <= COUNT
    }

    /// The same if a piece of `length` bytes is short, otherwise no hit.
    #[inline(always)]
    pub(crate) fn if_short(self, length: usize) -> Self {
        Self(self.0 | length as u64 & !(MOST as u64))
    }

    /// The count of a known piece less one; zero for an unknown one.
    #[inline(always)]
    pub(crate) fn more(self) -> usize {
        select_unpredictable(self.is_hit(), self.0, 0) as usize
    }

    /// The count of a known piece.
    #[inline(always)]
    pub(crate) fn count(self) -> usize {
        (self.0 & COUNT) as usize + 1
    }
}

/// The table that all threads share.
pub(crate) struct Short([[AtomicU64; WAYS]; 1 << BITS]);

impl Short {
    /// An empty table.
    pub(crate) const fn new() -> Self {
        Self([const { [const { AtomicU64::new(0) }; WAYS] }; 1 << BITS])
    }

    /// Looks `key` up.
    #[inline(always)]
    pub(crate) fn find(&self, key: ShortKey) -> Found {
        let [a, b, c, d] = &self.0[key.bucket::<BITS>()];
        let slot = |slot: &AtomicU64| key.in_slot(slot.load(Ordering::Relaxed));
        Found(slot(a).min(slot(b)).min(slot(c).min(slot(d))))
    }

    /// Keeps `count` for `key`; the oldest piece of the bucket goes.
    pub(crate) fn keep(&self, key: ShortKey, count: usize) {
        if self.find(key).is_hit() {
            return;
        }
        let mut word = key.0 | (count as u64 - 1);
        for slot in &self.0[key.bucket::<BITS>()] {
            word = slot.swap(word, Ordering::Relaxed);
        }
    }

    /// Asks the processor to fetch the bucket of `key`.
    #[inline(always)]
    pub(crate) fn prefetch(&self, key: ShortKey) {
        prefetch(&self.0[key.bucket::<BITS>()]);
    }
}

/// Buckets of the table in front, as a power of two: 128 KiB, which stays in the
/// second-level cache and holds nine of ten pieces of a text.
const FRONT_BITS: u32 = 13;

/// A small table in front of the shared one, for one thread.
pub(crate) struct Front([[u64; 2]; 1 << FRONT_BITS]);

impl Front {
    /// An empty table.
    pub(crate) fn boxed() -> Box<Self> {
        Box::new(Self([[0; 2]; 1 << FRONT_BITS]))
    }

    /// Looks `key` up.
    #[inline(always)]
    pub(crate) fn find(&self, key: ShortKey) -> Found {
        let [a, b] = self.0[key.bucket::<FRONT_BITS>()];
        Found(key.in_slot(a).min(key.in_slot(b)))
    }

    /// Keeps what the shared table found, if it did.
    #[inline(always)]
    pub(crate) fn keep(&mut self, key: ShortKey, found: Found) {
        let slots = &mut self.0[key.bucket::<FRONT_BITS>()];
        if found.is_hit() {
            *slots = [key.0 | found.0, slots[0]];
        }
    }
}
