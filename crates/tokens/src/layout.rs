//! The layout of the baked tables: the position of a pair of tokens, and the contents of a slot.
//! The build script writes and the library reads this layout; they share no other detail.

/// Bits of a token id; the largest vocabulary has fewer than 2^18 tokens.
pub(crate) const ID_BITS: u32 = 18;

/// Marker for no token: in the data file, and as the rank of a pair that does not merge.
pub(crate) const NO_ID: u32 = 0x00FF_FFFF;

/// Size of an entry of a data file: two ids of three bytes each.
pub(crate) const SPLIT_BYTES: usize = 6;

/// Returns the key of the pair `left`, `right`.
#[inline(always)]
pub(crate) const fn pair_key(left: u32, right: u32) -> u64 {
    (left as u64) << ID_BITS | right as u64
}

/// Returns a hash whose high bits depend on all bits of `key`.
#[inline(always)]
pub(crate) const fn mix(key: u64) -> u64 {
    key.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Returns the two bits that a pair with that hash sets in its word of the filter. The top bits of
/// the hash select the word.
#[inline(always)]
pub(crate) const fn filter_bits(hash: u64) -> u64 {
    1 << (hash >> 38 & 63) | 1 << (hash >> 32 & 63)
}

/// Returns the id in `slot` if the slot contains `key`. A free slot is zero; a used one contains
/// the key above the id, plus one.
#[inline(always)]
pub(crate) const fn unpack(slot: u64, key: u64) -> Option<u32> {
    let slot = slot.wrapping_sub(1);
    if slot >> ID_BITS == key {
        Some((slot & ((1 << ID_BITS) - 1)) as u32)
    } else {
        None
    }
}

/// Reads an entry of a data file: the two halves of a token.
pub(crate) const fn read_split(entry: [u8; SPLIT_BYTES]) -> (u32, u32) {
    let [a, b, c, d, e, f] = entry;
    (
        u32::from_le_bytes([a, b, c, 0]),
        u32::from_le_bytes([d, e, f, 0]),
    )
}
