//! Quoted strings in the syntax of most languages.

use std::ops::Range;

pub(super) const QUOTES: &[u8] = b"\"'`";

/// Maximum length of a string; longer ones are data.
const LONGEST: usize = 1 << 20;

/// Maximum length of a raw string: a text may open one every few bytes and close none.
const LONGEST_RAW: usize = 16 << 10;

/// Returns the contents of the quotes at `at`, on one line.
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
    let body = &bytes[start..bytes.len().min(start + LONGEST)];
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

/// Returns the contents of a raw string: Rust's `r#"…"#`, `q{…}` of Perl and Ruby, `[[…]]` of Lua.
pub(super) fn raw_string_at(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let rest = &bytes[at..bytes.len().min(at + LONGEST_RAW)];
    rust_string(rest)
        .or_else(|| quote_like(rest))
        .or_else(|| long_string(rest))
        .map(|span| at + span.start..at + span.end)
}

/// Rust: `r#"…"#`, `br##"…"##`.
fn rust_string(rest: &[u8]) -> Option<Range<usize>> {
    let body = rest.strip_prefix(b"b").unwrap_or(rest).strip_prefix(b"r")?;
    let signs = body
        .iter()
        .take(8)
        .take_while(|byte| **byte == b'#')
        .count();
    let body = body[signs..].strip_prefix(b"\"").filter(|_| signs > 0)?;
    let close = [b"\"", &b"########"[..signs]].concat();
    let end = memchr::memmem::find(body, &close)?;
    let start = rest.len() - body.len();
    (end > 0 && !body[..end].contains(&b'\n')).then_some(start..start + end)
}

/// Perl and Ruby: `q{…}`, `qq(…)`, `%q[…]`.
fn quote_like(rest: &[u8]) -> Option<Range<usize>> {
    let body = rest.strip_prefix(b"%").unwrap_or(rest).strip_prefix(b"q")?;
    let body = body.strip_prefix(b"q").unwrap_or(body);
    let close = match body.first()? {
        b'{' => b'}',
        b'(' => b')',
        b'[' => b']',
        b'<' => b'>',
        b'|' => b'|',
        _ => return None,
    };
    let length = memchr::memchr2(close, b'\n', &body[1..])?;
    let start = rest.len() - body.len() + 1;
    (length > 0 && body[1 + length] == close).then_some(start..start + length)
}

/// Lua: `[[…]]`, `[==[…]==]`; if there are several lines, only the non-empty one.
fn long_string(rest: &[u8]) -> Option<Range<usize>> {
    let inner = rest.strip_prefix(b"[")?;
    let level = inner
        .iter()
        .take(16)
        .take_while(|byte| **byte == b'=')
        .count();
    let body = inner[level..].strip_prefix(b"[")?;
    let is_list = body.first().is_none_or(|byte| b"\"'`[{ ".contains(byte));
    let near = &body[..body.len().min(4096)];
    let close = [b"]", &b"================"[..level], b"]"].concat();
    let end = memchr::memmem::find(near, &close).filter(|_| !is_list)?;
    let text = body[..end].trim_ascii();
    let start = rest.len() - body.len()
        + body[..end]
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace())
            .count();
    (!text.is_empty() && !text.contains(&b'\n')).then_some(start..start + text.len())
}

/// Returns true if the string at `span` has interpolated parts: `f"files/{name}"`.
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

/// Returns a string in a page that writes quotes as `&quot;` or `&#39;`.
fn in_entities(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    const ENTITIES: [&[u8]; 5] = [b"&quot;", b"&#34;", b"&#39;", b"&apos;", b"&#x27;"];
    let entity = ENTITIES
        .into_iter()
        .find(|one| bytes[at..].starts_with(one))?;
    let start = at + entity.len();
    let body = &bytes[start..bytes.len().min(start + LONGEST)];
    let line = memchr::memchr(b'\n', body).unwrap_or(body.len());
    let end = memchr::memmem::find(&body[..line], entity)?;
    Some(start..start + end)
}
