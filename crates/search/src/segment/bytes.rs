//! Numbers in bytes, and the checksum that detects damage.

use twox_hash::XxHash3_64;

pub(super) const MAGIC: &[u8; 8] = b"LOOMSRCH";
/// Increases with every change of the format or of the indexed data.
pub(super) const VERSION: u32 = 5;
/// Magic bytes, version, three counts, two lengths, checksum.
pub(super) const HEAD: usize = 8 + 4 + 4 * 3 + 8 * 2 + 8;
/// Size of a content entry: hash, flags, bytes, words in each field, treatment.
pub(super) const CONTENT: usize = 32 + 4 + 4 + 4 * super::FIELDS + 4;
/// Size of a gram entry: gram and list position.
pub(super) const ENTRY: usize = 4 + 4;
/// Size of a term entry: term key and list position.
pub(super) const TERM: usize = 8 + 4;

/// Hashes a word, so that it cannot be read back: words of files may be secrets that no rule
/// detects.
pub(super) fn term_key(term: &str) -> u64 {
    let mut key = [0; 8];
    blake3::Hasher::new()
        .update(term.as_bytes())
        .finalize_xof()
        .fill(&mut key);
    u64::from_le_bytes(key)
}

/// Flag of contents that are always a candidate.
pub(super) const ALWAYS: u32 = 1;

pub(super) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..at.checked_add(4)?)?;
    bytes.try_into().ok().map(u32::from_le_bytes)
}

pub(super) fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    let bytes = bytes.get(at..at.checked_add(8)?)?;
    bytes.try_into().ok().map(u64::from_le_bytes)
}

pub(super) fn push_varint(into: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        into.push(number as u8 | 0x80);
        number >>= 7;
    }
    into.push(number as u8);
}

/// Reads a number at the start of `bytes` and advances the slice.
pub(super) fn take_varint(bytes: &mut &[u8]) -> Option<u32> {
    let mut number = 0_u32;
    for shift in (0..32).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u32::from(byte & 0x7f).checked_shl(shift)?;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// Computes a checksum against accidental damage; it is not a defence against manipulation.
pub(super) fn check(seed: u64, bytes: &[u8]) -> u64 {
    XxHash3_64::oneshot_with_seed(seed, bytes)
}
