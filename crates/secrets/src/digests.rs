//! Hashes that identify something public: commits in URLs, checksums, the middle of a long base64
//! text. Characters in them that match a format are not a secret.

use std::ops::Range;

/// Minimum number of base64 characters before a position in the middle of a text.
const MIDDLE: usize = 64;

/// Returns true if the bytes at `span` are a digest labelled by the text before, or a commit in the
/// URL of a code host.
pub(crate) fn is_digest(bytes: &[u8], span: &Range<usize>) -> bool {
    is_marked(bytes, span.start) || is_commit(bytes, span)
}

/// Returns true if the name at `start` is that of a checksum: `checksum/secret`.
pub(crate) fn is_checksum(bytes: &[u8], start: usize) -> bool {
    let before = &bytes[start.saturating_sub(16)..start];
    [&b"checksum/"[..], b"checksum-", b"digest/", b"hash/"]
        .iter()
        .any(|mark| before.ends_with(mark))
}

/// Returns true if `at` is in the middle of a long base64 text.
pub(crate) fn is_in_base64(bytes: &[u8], at: usize) -> bool {
    let Some(before) = at.checked_sub(MIDDLE).and_then(|from| bytes.get(from..at)) else {
        return false;
    };
    let is_sign = |byte: &u8| matches!(byte, b'+' | b'/');
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || is_sign(byte);
    before.last().is_some_and(is_sign) && before.iter().all(is_part)
}

/// Returns true if `value` is a digest with an algorithm's name and length: `sha384-…` in base64,
/// `SHA256:…`, `md5-…` in hexadecimal. It may be a list of digests, as in the attribute
/// `integrity`.
pub(crate) fn is_integrity(value: &[u8]) -> bool {
    let mut parts = value.split(|byte| *byte == b' ').peekable();
    parts.peek().is_some() && parts.all(is_digest_with_name)
}

fn is_digest_with_name(text: &[u8]) -> bool {
    /// Algorithms with the sizes of their digests in bytes.
    const ALGORITHMS: [(&[u8], usize); 14] = [
        (b"md5", 16),
        (b"sha1", 20),
        (b"sha-1", 20),
        (b"ripemd160", 20),
        (b"sha224", 28),
        (b"sha256", 32),
        (b"sha-256", 32),
        (b"sha3-256", 32),
        (b"blake2s", 32),
        (b"blake3", 32),
        (b"sha384", 48),
        (b"sha512", 64),
        (b"sha-512", 64),
        (b"blake2b", 64),
    ];
    ALGORITHMS.iter().any(|(name, length)| {
        let Some((begin, rest)) = text.split_at_checked(name.len()) else {
            return false;
        };
        let Some((b'-' | b':' | b'=', rest)) = rest.split_first() else {
            return false;
        };
        begin.eq_ignore_ascii_case(name) && has_length(rest, *length)
    })
}

/// Returns true if `text` encodes `bytes` bytes in hexadecimal or base64. npm's options follow
/// after `?`.
fn has_length(text: &[u8], bytes: usize) -> bool {
    let end = text.iter().position(|byte| *byte == b'?');
    let text = &text[..end.unwrap_or(text.len())];
    let end = text.iter().rposition(|byte| *byte != b'=');
    let bare = &text[..end.map_or(0, |end| end + 1)];
    let is_base64 = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/-_".contains(byte);
    let is_hex = bare.len() == bytes * 2 && bare.iter().all(u8::is_ascii_hexdigit);
    is_hex || bare.len() == (bytes * 4).div_ceil(3) && bare.iter().all(is_base64)
}

/// Matches `sha256:`, `sha512-`, `,sha256=`.
fn is_marked(bytes: &[u8], start: usize) -> bool {
    let before = &bytes[start.saturating_sub(80)..start];
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-+/".contains(byte);
    let is_mark = |text: &[u8]| {
        let text = text.to_ascii_lowercase();
        [
            &b"sha1"[..],
            b"sha256",
            b"sha384",
            b"sha512",
            b"md5",
            b"blake3",
            b"blake2b",
        ]
        .iter()
        .any(|name| text.ends_with(name))
    };
    let joined = before.iter().rev().take_while(|byte| is_part(byte)).count();
    let head = &before[..before.len() - joined];
    let is_joined = matches!(head.last(), Some(b':' | b'=')) && is_mark(&head[..head.len() - 1]);
    let run = &before[before.len() - joined..];
    let is_dashed = run.strip_suffix(b"-").is_some_and(is_mark);
    is_joined || is_dashed || is_within_integrity(run)
}

/// Returns true if `run`, the characters right before a value, starts like the digests of a lock
/// file: `sha512-zXMiaj+…`.
fn is_within_integrity(run: &[u8]) -> bool {
    [&b"sha1-"[..], b"sha256-", b"sha384-", b"sha512-"]
        .iter()
        .any(|mark| memchr::memmem::find(run, mark).is_some())
}

/// Matches forty digits in a URL of a code host, or after `/commit/` and the like.
fn is_commit(bytes: &[u8], span: &Range<usize>) -> bool {
    let found = &bytes[span.clone()];
    let hex = found.iter().take_while(|byte| byte.is_ascii_hexdigit());
    let length = hex.count();
    let ends = bytes.get(span.start + length);
    if length != 40 || ends.is_some_and(u8::is_ascii_alphanumeric) {
        return false;
    }
    let before = &bytes[span.start.saturating_sub(160)..span.start];
    let is_outside = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`<>".contains(byte);
    let address = before.rsplit(is_outside).next().unwrap_or(before);
    let has = |mark: &[u8]| memchr::memmem::find(address, mark).is_some();
    let is_path = matches!(address.last(), Some(b'/' | b'@' | b'=' | b'.'));
    is_path && (has(b"github") || has(b"gitlab") || has(b"bitbucket.org") || has(b"codeberg.org"))
        || [
            &b"/commit/"[..],
            b"/commits/",
            b"/blob/",
            b"/tree/",
            b"/raw/",
            b"/compare/",
        ]
        .iter()
        .any(|mark| address.ends_with(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_with_a_name_and_its_length() {
        let (hex, base64) = ("0f".repeat(48), "Ab+/".repeat(16));
        for (value, expected) in [
            (format!("sha384:{hex}"), true),
            (format!("sha384-{base64}"), true),
            (format!("sha384-{base64} sha384-{base64}"), true),
            (format!("SHA256:{}", &base64[..43]), true),
            (format!("md5-{}", &hex[..32]), true),
            (format!("md5-{}", &hex[..30]), false),
            (format!("sha256-hunter2{}", &hex[..8]), false),
            (format!("sha384-{base64} other"), false),
            (base64.clone(), false),
            (String::new(), false),
        ] {
            assert_eq!(is_integrity(value.as_bytes()), expected, "{value}");
        }
    }

    #[test]
    fn commits_and_checksums() {
        let commit = "66813d46e47f207443b7aebce2c22c4a4c8ca867";
        for (before, expected) in [
            ("https://github.com/netlify/open-api/blob/", true),
            ("https://raw.githubusercontent.com/a/b/", true),
            ("\"sha256:", true),
            ("a.py,sha256=xSx-", true),
            ("integrity sha512-", true),
            ("integrity sha512-zXMiaj+dX0sgXIwEV5d/", true),
            ("sha512 zXMiaj+dX0sgXIwEV5d/", false),
            ("netlify_token = \"", false),
            ("https://api.example.com/v1/", false),
        ] {
            let text = format!("{before}{commit}/x");
            let span = before.len()..before.len() + 40;
            assert_eq!(is_digest(text.as_bytes(), &span), expected, "{before}");
        }
        let text = format!("{}+EAAAAAgIQ", "A".repeat(80));
        assert!(is_in_base64(text.as_bytes(), 81));
        assert!(!is_in_base64(text.as_bytes(), 40));
        assert!(is_checksum(b"checksum/secret", 9));
    }
}
