//! Lays out the tables of a vocabulary from the halves of its tokens: at build time for those that
//! every run may need, at first use for the others. `bpe` reads the tables.

use crate::layout::{self, NO_ID, SPLIT_BYTES};

/// Marker for a length that does not fit; it is computed from the halves.
pub(crate) const LONG: u8 = u8::MAX;

/// Tables of one vocabulary in memory.
pub(crate) struct Tables {
    /// Length of each token in bytes, [`LONG`] if it is that or more.
    pub(crate) lengths: Vec<u8>,
    /// Token of each byte.
    pub(crate) bytes: Vec<[u8; 4]>,
    /// Token of each pair of bytes.
    pub(crate) byte_pairs: Vec<[u8; 4]>,
    /// Two bits for each hash of a pair.
    pub(crate) filter: Vec<[u8; 8]>,
    /// Hash table of the pairs.
    pub(crate) pairs: Vec<[u8; 8]>,
}

/// Two tokens, and the token that they merge to.
type Merge = (u32, u32, u32);

impl Tables {
    /// Lays out the tables of the tokens with these halves.
    pub(crate) fn new(splits: &[[u8; SPLIT_BYTES]]) -> Self {
        let mut bytes = vec![NO_ID; 256];
        let mut byte_of = vec![None; splits.len()];
        let mut merges = Vec::with_capacity(splits.len());
        for (id, &entry) in (0u32..).zip(splits) {
            match layout::read_split(entry) {
                (NO_ID, _) => {}
                (byte, NO_ID) => {
                    bytes[byte as usize % 256] = id;
                    byte_of[id as usize] = Some(byte);
                }
                (left, right) => merges.push((left, right, id)),
            }
        }
        Self {
            lengths: lengths(splits.len(), &byte_of, &merges),
            bytes: le(&bytes),
            byte_pairs: le(&byte_pairs(&byte_of, &merges)),
            filter: filter(&merges),
            pairs: pair_table(&merges),
        }
    }
}

fn le(ids: &[u32]) -> Vec<[u8; 4]> {
    ids.iter().map(|id| id.to_le_bytes()).collect()
}

/// Returns the lengths of all tokens. Halves may have higher ids than their token, so lengths are
/// computed in rounds; the first one finds nearly all.
fn lengths(tokens: usize, byte_of: &[Option<u32>], merges: &[Merge]) -> Vec<u8> {
    let mut lengths: Vec<u8> = byte_of
        .iter()
        .map(|byte| u8::from(byte.is_some()))
        .collect();
    debug_assert_eq!(lengths.len(), tokens);
    let mut rest: Vec<Merge> = merges.to_vec();
    loop {
        let before = rest.len();
        rest.retain(|&(left, right, id)| {
            let (left, right) = (lengths[left as usize], lengths[right as usize]);
            let known = left != 0 && right != 0;
            if known {
                lengths[id as usize] = left.saturating_add(right);
            }
            !known
        });
        if rest.is_empty() || rest.len() == before {
            return lengths;
        }
    }
}

fn byte_pairs(byte_of: &[Option<u32>], merges: &[Merge]) -> Vec<u32> {
    let mut byte_pairs = vec![NO_ID; 1 << 16];
    for &(left, right, id) in merges {
        if let (Some(a), Some(b)) = (byte_of[left as usize], byte_of[right as usize]) {
            byte_pairs[(a << 8 | b) as usize] = id;
        }
    }
    byte_pairs
}

fn filter(merges: &[Merge]) -> Vec<[u8; 8]> {
    let bits = filter_bits(merges.len());
    let mut words = vec![0u64; 1 << (bits - 6)];
    let shift = words.len().leading_zeros() + 1;
    for &(left, right, _) in merges {
        let hash = layout::mix(layout::pair_key(left, right));
        words[(hash >> shift) as usize] |= layout::filter_bits(hash);
    }
    words.iter().map(|word| word.to_le_bytes()).collect()
}

fn pair_table(merges: &[Merge]) -> Vec<[u8; 8]> {
    let bits = slot_bits(merges.len());
    let mut slots = vec![0u64; 1 << bits];
    for &(left, right, id) in merges {
        let key = layout::pair_key(left, right);
        let mut at = (layout::mix(key) >> (64 - bits)) as usize;
        while slots[at] != 0 {
            at = (at + 1) & (slots.len() - 1);
        }
        slots[at] = pack(key, id);
        debug_assert_eq!(layout::unpack(slots[at], key), Some(id));
    }
    slots.iter().map(|slot| slot.to_le_bytes()).collect()
}

/// Returns the number of slots of the pair table for `count` pairs, as a power of two. At most
/// about four fifths are used.
fn slot_bits(count: usize) -> u32 {
    let slots = (count + count / 4).next_power_of_two();
    slots.trailing_zeros().max(4)
}

/// Returns the number of bits of the filter in front of the pair table, as a power of two: about
/// ten for each pair, of which it sets two, so that nearly all absent pairs never reach the table.
fn filter_bits(count: usize) -> u32 {
    slot_bits(count) + 3
}

/// Encodes a used slot: never zero, which marks a free one.
fn pack(key: u64, id: u32) -> u64 {
    (key << layout::ID_BITS | u64::from(id)) + 1
}
