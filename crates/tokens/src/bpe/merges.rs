//! The pairs of tokens that merge, and the tokens they form. The rank of a merge is the id of the
//! new token. Only one pair is stored per token: the one that the earlier merges leave. Every token
//! of these vocabularies is reached that way, so no other pair with the same bytes ever becomes
//! adjacent when its turn comes.

use crate::layout::{self, NO_ID, SPLIT_BYTES};
use crate::prefetch::prefetch;
use crate::tables::LONG;

/// Rank of a pair that does not merge: above every token id.
pub(crate) const NEVER: u32 = u32::MAX;

/// Placeholder for a missing neighbour: a token that is part of no pair.
pub(crate) const NOTHING: u32 = (1 << layout::ID_BITS) - 1;

/// Two adjacent tokens.
#[derive(Clone, Copy)]
pub(crate) struct Pair {
    key: u64,
    hash: u64,
}

impl Pair {
    #[inline(always)]
    pub(crate) fn new(left: u32, right: u32) -> Self {
        let key = layout::pair_key(left, right);
        let hash = layout::mix(key);
        Self { key, hash }
    }
}

/// Hash table whose length is a power of two.
pub(crate) struct Table<T: 'static> {
    entries: &'static [T],
    /// Number of bits by which a hash is shifted to become an index.
    shift: u32,
}

impl<T> Table<T> {
    pub(crate) const fn new(entries: &'static [T]) -> Self {
        let shift = entries.len().leading_zeros() + 1;
        Self { entries, shift }
    }

    /// Returns the first index at which a pair may be stored.
    #[inline(always)]
    fn index(&self, pair: Pair) -> usize {
        (pair.hash >> self.shift) as usize
    }
}

/// Tables of one vocabulary, in the layout of the build script.
pub(crate) struct Merges {
    /// Halves of each token; for a single byte, the byte.
    pub(crate) splits: &'static [[u8; SPLIT_BYTES]],
    /// Length of each token in bytes.
    pub(crate) lengths: &'static [u8],
    /// Token of each byte.
    pub(crate) bytes: &'static [[u8; 4]; 256],
    /// Token of each pair of bytes.
    pub(crate) byte_pairs: &'static [[u8; 4]; 1 << 16],
    /// Two bits for each hash of a pair.
    pub(crate) filter: Table<[u8; 8]>,
    /// Hash table of the pairs.
    pub(crate) pairs: Table<[u8; 8]>,
    /// Number of tokens; higher ids do not exist, even if the tables contain them.
    pub(crate) tokens: u32,
    /// Length of the longest token in bytes.
    pub(crate) longest: usize,
    /// True if both halves of every token have lower ids. Encoding long pieces by windows requires
    /// that.
    pub(crate) ordered: bool,
}

impl Merges {
    /// Returns the token of a single byte.
    #[inline(always)]
    pub(crate) fn byte(&self, byte: u8) -> u32 {
        u32::from_le_bytes(self.bytes[byte as usize])
    }

    /// Returns the length of `token` in bytes.
    #[inline(always)]
    pub(crate) fn length(&self, token: u32) -> usize {
        match self.lengths[token as usize] {
            LONG => self.full_length(token),
            length => usize::from(length),
        }
    }

    /// Returns the length of a token that is too long for the table of lengths.
    #[cold]
    fn full_length(&self, token: u32) -> usize {
        let mut bytes = Vec::new();
        self.spell(token, &mut bytes);
        bytes.len()
    }

    /// Returns the rank of two adjacent bytes.
    #[inline(always)]
    pub(crate) fn byte_pair(&self, left: u8, right: u8) -> u32 {
        self.valid_rank(self.any_byte_pair(left, right))
    }

    /// Returns the same as [`byte_pair`](Self::byte_pair), but any rank from `tokens` for a pair
    /// that does not merge.
    #[inline(always)]
    pub(crate) fn any_byte_pair(&self, left: u8, right: u8) -> u32 {
        #[cfg(test)]
        lookups::add();
        let at = usize::from(left) << 8 | usize::from(right);
        u32::from_le_bytes(self.byte_pairs[at])
    }

    /// Returns the rank of two adjacent tokens.
    #[inline(always)]
    pub(crate) fn pair(&self, left: u32, right: u32) -> u32 {
        self.valid_rank(self.any_rank(Pair::new(left, right)))
    }

    /// Prefetches the memory that [`any_rank`](Self::any_rank) will read.
    #[inline(always)]
    pub(crate) fn prefetch(&self, pair: Pair) {
        prefetch(&self.filter.entries[self.filter.index(pair)]);
        prefetch(&self.pairs.entries[self.pairs.index(pair)]);
    }

    /// Returns the rank of a pair of tokens; any rank from `tokens` for a pair that does not merge.
    #[inline(always)]
    pub(crate) fn any_rank(&self, pair: Pair) -> u32 {
        #[cfg(test)]
        lookups::add();
        let bits = layout::filter_bits(pair.hash);
        let filter = u64::from_le_bytes(self.filter.entries[self.filter.index(pair)]);
        if filter & bits != bits {
            return NO_ID;
        }
        let mut at = self.pairs.index(pair);
        loop {
            let slot = u64::from_le_bytes(self.pairs.entries[at]);
            if let Some(id) = layout::unpack(slot, pair.key) {
                return id;
            }
            if slot == 0 {
                return NO_ID;
            }
            at = (at + 1) & (self.pairs.entries.len() - 1);
        }
    }

    #[inline(always)]
    fn valid_rank(&self, id: u32) -> u32 {
        if id < self.tokens { id } else { NEVER }
    }

    /// Returns the two tokens that form `token`; `None` for a smallest part.
    #[inline]
    pub(crate) fn halves(&self, token: u32) -> Option<(u32, u32)> {
        let &entry = self.splits.get(token as usize)?;
        let (left, right) = layout::read_split(entry);
        (right != NO_ID).then_some((left, right))
    }

    /// Appends the bytes of `token` to `out`; returns false for an unknown token.
    pub(crate) fn spell(&self, token: u32, out: &mut Vec<u8>) -> bool {
        let mut rest = vec![token];
        while let Some(token) = rest.pop() {
            let Some(&entry) = self.splits.get(token as usize) else {
                return false;
            };
            match layout::read_split(entry) {
                (NO_ID, _) => return false,
                (byte, NO_ID) => out.push(byte as u8),
                (left, right) => rest.extend([right, left]),
            }
        }
        true
    }
}

/// Counts the pairs that a thread looks up: the work of merging, whichever method does it. Only in
/// unit tests, because a counter would cost as much as a lookup.
#[cfg(test)]
pub(super) mod lookups {
    use std::cell::Cell;

    thread_local! {
        static COUNT: Cell<usize> = const { Cell::new(0) };
    }

    pub(super) fn add() {
        COUNT.set(COUNT.get() + 1);
    }

    /// Returns the number of lookups of `work`.
    pub(in crate::bpe) fn of(work: impl FnOnce()) -> usize {
        let before = COUNT.get();
        work();
        COUNT.get() - before
    }
}
