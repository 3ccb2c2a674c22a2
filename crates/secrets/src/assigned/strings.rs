//! Strings in quotes, as most languages write them.

use std::ops::Range;

pub(super) const QUOTES: &[u8] = b"\"'`";

/// What stands between the quotes at `at`, on one line.
pub(crate) fn string_at(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let rest = bytes.get(at..)?;
    if rest.first() == Some(&b'&') {
        return in_entities(bytes, at);
    }
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

/// Says whether the string at `span` has parts that a program fills in: `f"files/{name}"`.
pub(crate) fn is_interpolated(bytes: &[u8], span: &Range<usize>) -> bool {
    let before = &bytes[span.start.saturating_sub(6)..span.start];
    let end = before.iter().rposition(|byte| !QUOTES.contains(byte));
    let prefix = &before[..end.map_or(0, |end| end + 1)];
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let letters = prefix.iter().rev().take_while(|byte| is_letter(byte));
    let letters = &prefix[prefix.len() - letters.count()..];
    let is_marked = matches!(letters, b"f" | b"F" | b"rf" | b"fr" | b"Rf" | b"fR")
        || letters.is_empty() && prefix.ends_with(b"$");
    is_marked && memchr::memchr(b'{', &bytes[span.clone()]).is_some()
}

/// A string in a page, where quotes are written as `&quot;` or `&#39;`.
fn in_entities(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    const ENTITIES: [&[u8]; 5] = [b"&quot;", b"&#34;", b"&#39;", b"&apos;", b"&#x27;"];
    let entity = ENTITIES
        .into_iter()
        .find(|one| bytes[at..].starts_with(one))?;
    let start = at + entity.len();
    let body = &bytes[start..bytes.len().min(start + 4096)];
    let line = memchr::memchr(b'\n', body).unwrap_or(body.len());
    let end = memchr::memmem::find(&body[..line], entity)?;
    Some(start..start + end)
}
