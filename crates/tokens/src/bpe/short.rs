//! Encoding of short pieces; nearly all pieces are short. A part stays at the index of its first
//! byte, and one word marks the parts that are left. The rank of each part with the next one and
//! its index form one number, so that the minimum of a small array gives the next merge and its
//! position, leftmost first if ranks are equal.

use super::Merges;
use super::merges::{NEVER, NOTHING, Pair};
use crate::layout::NO_ID;

/// Maximum length of a piece that is encoded this way: the bits of a word.
pub(crate) const MOST: usize = 64;
/// Bits of an index.
const PLACE: u32 = 6;

/// Piece of at most `N` bytes that is being encoded.
pub(crate) struct Parts<const N: usize> {
    /// Bit set of the indices at which a part begins.
    alive: u64,
    ids: [u32; N],
    /// Rank of each part with the next, above its index.
    keys: [u32; N],
}

/// Part that was just formed, and its neighbours.
#[derive(Clone, Copy)]
pub(crate) struct Seam {
    at: usize,
    /// Index of the part before it, and the pair that the two form.
    before: Option<usize>,
    left: Pair,
    /// Pair with the part after it.
    right: Pair,
}

impl Seam {
    /// Prefetches the memory that [`Parts::close`] will read.
    #[inline(always)]
    pub(crate) fn prefetch(&self, merges: &Merges) {
        merges.prefetch(self.left);
        merges.prefetch(self.right);
    }
}

impl<const N: usize> Parts<N> {
    /// No parts.
    pub(crate) const EMPTY: Self = Self {
        alive: 0,
        ids: [0; N],
        keys: [NEVER; N],
    };

    /// Splits `piece` into its bytes.
    #[inline(always)]
    pub(crate) fn split(merges: &Merges, piece: &[u8]) -> Self {
        let mut parts = Self::EMPTY;
        parts.alive = u64::MAX >> ((64 - piece.len()) % 64);
        for (id, &byte) in parts.ids.iter_mut().zip(piece) {
            *id = merges.byte(byte);
        }
        for (at, pair) in piece.windows(2).enumerate().take(N) {
            parts.keys[at] = key(merges.any_byte_pair(pair[0], pair[1]), at);
        }
        parts
    }

    /// Encodes `piece`.
    #[inline(always)]
    pub(crate) fn merged(merges: &Merges, piece: &[u8]) -> Self {
        let mut parts = Self::split(merges, piece);
        while let Some(seam) = parts.merge(merges) {
            parts.close(merges, seam);
        }
        parts
    }

    /// Merges the next two parts. The ranks of their neighbours are stale until the seam is closed.
    #[inline(always)]
    pub(crate) fn merge(&mut self, merges: &Merges) -> Option<Seam> {
        let least = self.keys.iter().fold(NEVER, |least, &key| least.min(key));
        if least >= key(merges.tokens, 0) {
            return None;
        }
        let (id, at) = (least >> PLACE, (least % 64) as usize % N);
        let behind = self.alive & (u64::MAX << 1 << at);
        // The next part is merged; the one after it becomes the new neighbour.
        let taken = behind & behind.wrapping_neg();
        let next = self.id(behind ^ taken);
        self.alive ^= taken;
        self.keys[taken.trailing_zeros() as usize % N] = NEVER;
        self.ids[at] = id;
        let before = (self.alive & !(u64::MAX << at)).checked_ilog2();
        let before = before.map(|place| place as usize % N);
        let previous = before.map_or(NOTHING, |place| self.ids[place]);
        Some(Seam {
            at,
            before,
            left: Pair::new(previous, id),
            right: Pair::new(id, next),
        })
    }

    /// Looks up the ranks of a new part with its neighbours.
    #[inline(always)]
    pub(crate) fn close(&mut self, merges: &Merges, seam: Seam) {
        self.keys[seam.at] = key(merges.any_rank(seam.right), seam.at);
        if let Some(before) = seam.before {
            self.keys[before] = key(merges.any_rank(seam.left), before);
        }
    }

    /// Returns the number of parts.
    #[inline(always)]
    pub(crate) fn count(&self) -> usize {
        self.alive.count_ones() as usize
    }

    /// Returns the tokens of the parts.
    #[inline(always)]
    pub(crate) fn ids(&self) -> impl Iterator<Item = u32> {
        self.ids_at(self.alive)
    }

    /// Returns the last index up to `most` at which a part begins, and the token of that part.
    #[inline(always)]
    pub(crate) fn last_start(&self, most: usize) -> (usize, u32) {
        let starts = self.alive & (u64::MAX >> (63 - most.min(63)));
        let at = starts.checked_ilog2().unwrap_or(0) as usize;
        (at, self.ids[at % N])
    }

    /// Returns the indices before `end` at which parts begin.
    #[inline(always)]
    pub(crate) fn starts_before(&self, end: usize) -> u64 {
        self.alive & !(u64::MAX << 1 << (end - 1))
    }

    /// Returns the tokens of the parts at `places`.
    #[inline(always)]
    pub(crate) fn ids_at(&self, mut places: u64) -> impl Iterator<Item = u32> {
        std::iter::from_fn(move || {
            let at = places.trailing_zeros() as usize;
            places &= places.wrapping_sub(1);
            self.ids.get(at).copied()
        })
    }

    /// Returns the token of the part at the lowest of `places`.
    #[inline(always)]
    fn id(&self, places: u64) -> u32 {
        let id = self.ids.get(places.trailing_zeros() as usize);
        id.copied().unwrap_or(NOTHING)
    }
}

/// Combines the rank and the index in one number.
#[inline(always)]
fn key(rank: u32, place: usize) -> u32 {
    rank << PLACE | place as u32
}

// A rank that does not exist stays above all others.
const _: () = assert!(NO_ID << PLACE >> PLACE == NO_ID);

/// Encodes a piece of at most [`MOST`] bytes.
#[cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "instructions that must be known to exist")
)]
pub(crate) fn encode(merges: &Merges, piece: &[u8]) -> Parts<MOST> {
    #[cfg(target_arch = "x86_64")]
    if crate::split::avx2::is_available() {
        // SAFETY: the processor has all the features that the function enables.
        return unsafe { with_avx2(merges, piece) };
    }
    Parts::merged(merges, piece)
}

/// Runs the same code, compiled for wider vectors.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn with_avx2(merges: &Merges, piece: &[u8]) -> Parts<MOST> {
    Parts::merged(merges, piece)
}
