//! Which pairs of tokens merge, and into what. The rank of a merge is the id of
//! the token it makes. Only the one pair that makes a token by the merges before
//! it is stored: every token of these vocabularies is reached that way, so no
//! other pair with the same bytes ever stands side by side when its turn comes.

use crate::layout::{self, NO_ID, SPLIT_BYTES};
use crate::prefetch::prefetch;
use crate::tables::LONG;

/// The rank of a pair that does not merge: above every token id.
pub(crate) const NEVER: u32 = u32::MAX;

/// A token that is part of no pair, to stand where there is none.
pub(crate) const NOTHING: u32 = (1 << layout::ID_BITS) - 1;

/// Two tokens side by side.
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

/// A table whose length is a power of two.
pub(crate) struct Table<T: 'static> {
    entries: &'static [T],
    /// How far a hash is moved to become an index.
    shift: u32,
}

impl<T> Table<T> {
    pub(crate) const fn new(entries: &'static [T]) -> Self {
        let shift = entries.len().leading_zeros() + 1;
        Self { entries, shift }
    }

    /// Where a pair is looked for first.
    #[inline(always)]
    fn place(&self, pair: Pair) -> usize {
        (pair.hash >> self.shift) as usize
    }
}

/// The tables of one vocabulary, as the build script laid them out.
pub(crate) struct Merges {
    /// The halves of each token; of a single byte, the byte.
    pub(crate) splits: &'static [[u8; SPLIT_BYTES]],
    /// The length of each token in bytes.
    pub(crate) lengths: &'static [u8],
    /// The token of each byte.
    pub(crate) bytes: &'static [[u8; 4]; 256],
    /// The token of each pair of bytes.
    pub(crate) byte_pairs: &'static [[u8; 4]; 1 << 16],
    /// Two bits for each hash of a pair.
    pub(crate) filter: Table<[u8; 8]>,
    /// The pairs, hashed.
    pub(crate) pairs: Table<[u8; 8]>,
    /// Tokens from this id on do not exist, even if the tables have them.
    pub(crate) tokens: u32,
    /// The length of the longest token in bytes.
    pub(crate) longest: usize,
    /// Whether both halves of every token come before it, which the ways to encode
    /// long pieces by windows rely on.
    pub(crate) ordered: bool,
}

impl Merges {
    /// The token of a single byte.
    #[inline(always)]
    pub(crate) fn byte(&self, byte: u8) -> u32 {
        u32::from_le_bytes(self.bytes[byte as usize])
    }

    /// The length of `token` in bytes.
    #[inline(always)]
    pub(crate) fn length(&self, token: u32) -> usize {
        match self.lengths[token as usize] {
            LONG => self.full_length(token),
            length => usize::from(length),
        }
    }

    /// The length of a token that is too long for its table.
    #[cold]
    fn full_length(&self, token: u32) -> usize {
        let mut bytes = Vec::new();
        self.spell(token, &mut bytes);
        bytes.len()
    }

    /// The rank of two bytes side by side.
    #[inline(always)]
    pub(crate) fn byte_pair(&self, left: u8, right: u8) -> u32 {
        self.known(self.any_byte_pair(left, right))
    }

    /// As [`byte_pair`](Self::byte_pair), but some rank from `tokens` on for one
    /// that does not merge.
    #[inline(always)]
    pub(crate) fn any_byte_pair(&self, left: u8, right: u8) -> u32 {
        let at = usize::from(left) << 8 | usize::from(right);
        u32::from_le_bytes(self.byte_pairs[at])
    }

    /// The rank of two tokens side by side.
    #[inline(always)]
    pub(crate) fn pair(&self, left: u32, right: u32) -> u32 {
        self.known(self.any_rank(Pair::new(left, right)))
    }

    /// Asks for the memory that [`any_rank`](Self::any_rank) will read.
    #[inline(always)]
    pub(crate) fn prefetch(&self, pair: Pair) {
        prefetch(&self.filter.entries[self.filter.place(pair)]);
        prefetch(&self.pairs.entries[self.pairs.place(pair)]);
    }

    /// The rank of a pair of tokens; some rank from `tokens` on for one that does
    /// not merge.
    #[inline(always)]
    pub(crate) fn any_rank(&self, pair: Pair) -> u32 {
        let bits = layout::filter_bits(pair.hash);
        let filter = u64::from_le_bytes(self.filter.entries[self.filter.place(pair)]);
        if filter & bits != bits {
            return NO_ID;
        }
        let mut at = self.pairs.place(pair);
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
    fn known(&self, id: u32) -> u32 {
        if id < self.tokens { id } else { NEVER }
    }

    /// The two tokens that `token` was merged from; none if it is a smallest part.
    #[inline]
    pub(crate) fn halves(&self, token: u32) -> Option<(u32, u32)> {
        let &entry = self.splits.get(token as usize)?;
        let (left, right) = layout::read_split(entry);
        (right != NO_ID).then_some((left, right))
    }

    /// Appends the bytes of `token` to `out`; false if there is no such token.
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
