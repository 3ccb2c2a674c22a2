//! Encoding of pieces and windows of medium length: parts that merged are closed
//! up, and the lowest rank is found by looking at all. That is quadratic in the
//! length, which is bounded.

use super::Merges;
use super::merges::NEVER;

/// The longest piece that is encoded this way.
pub(crate) const MOST: usize = 256;

/// A piece on its way from bytes to tokens.
pub(crate) struct Parts {
    length: usize,
    ids: [u32; MOST + 1],
    /// The rank of each part with its right neighbour.
    ranks: [u32; MOST + 1],
}

impl Parts {
    /// The tokens of `piece`, which is no longer than [`MOST`].
    #[inline]
    pub(crate) fn of(merges: &Merges, piece: &[u8]) -> Self {
        let mut parts = Self {
            length: piece.len(),
            ids: [0; MOST + 1],
            ranks: [NEVER; MOST + 1],
        };
        for (id, &byte) in parts.ids.iter_mut().zip(piece) {
            *id = merges.byte(byte);
        }
        for (rank, pair) in parts.ranks.iter_mut().zip(piece.windows(2)) {
            *rank = merges.byte_pair(pair[0], pair[1]);
        }
        while let Some(at) = parts.lowest() {
            parts.merge(merges, at);
        }
        parts
    }

    /// The tokens.
    #[inline]
    pub(crate) fn ids(&self) -> &[u32] {
        &self.ids[..self.length]
    }

    /// The leftmost of the parts that merge next.
    #[inline]
    fn lowest(&self) -> Option<usize> {
        let ranks = &self.ranks[..self.length];
        let lowest = ranks.iter().copied().min()?;
        if lowest == NEVER {
            return None;
        }
        ranks.iter().position(|&rank| rank == lowest)
    }

    #[inline]
    fn merge(&mut self, merges: &Merges, at: usize) {
        let id = self.ranks[at];
        self.ids.copy_within(at + 2..=self.length, at + 1);
        self.ranks.copy_within(at + 1..=self.length, at);
        self.length -= 1;
        self.ids[at] = id;
        self.ranks[at] = if at + 1 < self.length {
            merges.pair(id, self.ids[at + 1])
        } else {
            NEVER
        };
        if at > 0 {
            self.ranks[at - 1] = merges.pair(self.ids[at - 1], id);
        }
    }
}
