//! Strings in quotes, as most languages write them.

use std::ops::Range;

pub(super) const QUOTES: &[u8] = b"\"'`";

/// What stands between the quotes at `at`, on one line.
pub(super) fn string_at(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let rest = bytes.get(at..)?;
    let (open, quote) = match rest {
        [b'\\', quote @ (b'"' | b'\''), ..] => (2, *quote),
        [a, b, c, ..] if a == b && b == c && QUOTES.contains(a) => (3, *a),
        [quote, ..] if QUOTES.contains(quote) => (1, *quote),
        _ => return None,
    };
    let escaped = open == 2;
    let start = at + open;
    let body = &bytes[start..bytes.len().min(start + 4096)];
    let mut skip = false;
    for (offset, &byte) in body.iter().enumerate() {
        match byte {
            _ if skip => skip = false,
            b'\n' => return None,
            b'\\' if escaped && body.get(offset + 1) == Some(&quote) => {
                return Some(start..start + offset);
            }
            b'\\' => skip = true,
            _ if byte == quote => return Some(start..start + offset),
            _ => {}
        }
    }
    None
}
