//! Numbers in bytes, and the check that tells damaged ones.

use twox_hash::XxHash3_64;

pub(super) const MAGIC: &[u8; 8] = b"LOOMSRCH";
/// Counts up with every change of the layout or of what is put into it.
pub(super) const VERSION: u32 = 5;
/// Magic, version, three counts, two lengths, the check.
pub(super) const HEAD: usize = 8 + 4 + 4 * 3 + 8 * 2 + 8;
/// A content: hash, flags, bytes, words in each field, as what it was looked at.
pub(super) const CONTENT: usize = 32 + 4 + 4 + 4 * super::FIELDS + 4;
/// A gram with its place.
pub(super) const ENTRY: usize = 4 + 4;
/// A term with its place.
pub(super) const TERM: usize = 8 + 4;

/// Stands for a word, which cannot be read back from it: words of files may be secrets
/// that no rule knows.
pub(super) fn term_key(term: &str) -> u64 {
    let mut key = [0; 8];
    blake3::Hasher::new()
        .update(term.as_bytes())
        .finalize_xof()
        .fill(&mut key);
    u64::from_le_bytes(key)
}

/// Every text has to be looked at, whatever its grams.
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

/// A number at the start of `bytes`, which moves behind it.
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

/// Tells bytes apart from the same after an accident; no defence against intent.
pub(super) fn check(seed: u64, bytes: &[u8]) -> u64 {
    XxHash3_64::oneshot_with_seed(seed, bytes)
}
