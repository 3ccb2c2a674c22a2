//! The identity of contents: a 32-byte hash of the raw bytes of a file. The caller computes the
//! hash when it reads the bytes.

use std::fmt;
use std::str::FromStr;

/// Hash of a file's raw bytes, before decoding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentHash([u8; 32]);

impl ContentHash {
    /// Wraps a finished digest.
    pub const fn from_bytes(digest: [u8; 32]) -> Self {
        Self(digest)
    }

    /// Returns the digest.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ContentHash({self})")
    }
}

/// Error: a string is not a content hash.
#[derive(Debug, thiserror::Error)]
#[error("expected 64 hexadecimal digits, found {found:?}")]
pub struct ParseHashError {
    found: String,
}

impl FromStr for ContentHash {
    type Err = ParseHashError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse_hex(text).map(Self).ok_or_else(|| ParseHashError {
            found: text.to_owned(),
        })
    }
}

fn parse_hex(text: &str) -> Option<[u8; 32]> {
    let digits = text.as_bytes();
    if digits.len() != 64 || !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let mut digest = [0; 32];
    for (byte, pair) in digest.iter_mut().zip(digits.chunks_exact(2)) {
        let pair = std::str::from_utf8(pair).ok()?;
        *byte = u8::from_str_radix(pair, 16).ok()?;
    }
    Some(digest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_form_reads_back() {
        let hash = ContentHash::from_bytes(std::array::from_fn(|i| (i * 7) as u8));
        assert_eq!(hash.to_string().parse::<ContentHash>().unwrap(), hash);
    }

    #[test]
    fn rejects_text_that_is_not_a_hash() {
        for wrong in [
            "",
            "00",
            &"zz".repeat(32),
            &"é".repeat(32),
            &"+1".repeat(32),
        ] {
            assert!(wrong.parse::<ContentHash>().is_err(), "{wrong}");
        }
    }
}
