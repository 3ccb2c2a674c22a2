//! Secrets identified by the surrounding syntax, independent of their form: signatures and keys in
//! URLs, passwords in Oracle's short addresses, passwords in Redis' access lists, and the values of
//! a page's password fields.

use std::ops::Range;

use memchr::memmem;

use crate::assigned::string_at;
use crate::checks;
use crate::finding::Vote;
use crate::place::{Layout, Purpose, Role, TextContext};
use crate::stand_ins::stands_in;
use crate::triggers::{Hit, Mark};
use crate::value::is_sequence;

/// Votes on the secret that the mark at `hit` identifies.
pub(crate) fn find_marked(
    bytes: &[u8],
    hit: &Hit,
    mark: Mark,
    place: TextContext,
    votes: &mut Vec<Vote>,
) {
    let (span, kind, reason) = match mark {
        Mark::Signature => (
            signature(bytes, hit),
            "url-signature",
            "the signature of a URL",
        ),
        Mark::AppId => (app_id(bytes, hit), "api-key", "the key of a URL"),
        Mark::Oracle => (
            oracle(bytes, hit.end),
            "url-password",
            "the password of an address",
        ),
        Mark::Field => (
            field(bytes, hit.start, place),
            "password",
            "the value of a password field",
        ),
    };
    votes.extend(span.map(|span| vote(span, kind, reason, place)));
}

/// Votes on the passwords of access lists in configuration.
pub(crate) fn find(bytes: &[u8], place: TextContext, votes: &mut Vec<Vote>) {
    if place.role != Role::Config {
        return;
    }
    for at in memmem::find_iter(bytes, b" on >") {
        let span = word(bytes, at + 5);
        let reason = "the password of a user in an access list";
        votes.extend(span.map(|span| vote(span, "password", reason, place)));
    }
}

fn vote(span: Range<usize>, kind: &'static str, reason: &'static str, place: TextContext) -> Vote {
    let points = match place.purpose {
        Purpose::Test => 45,
        _ => 64,
    };
    Vote {
        span,
        kind,
        points,
        reason,
    }
}

/// Matches `?sig=…`, `&X-Amz-Signature=…`: a query parameter with at least 16 characters.
fn signature(bytes: &[u8], hit: &Hit) -> Option<Range<usize>> {
    let at = hit.start;
    let before = &bytes[at.saturating_sub(24)..at];
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-' || *byte == b'_';
    let name = before.iter().rev().take_while(|byte| is_part(byte)).count();
    let sign = before.get(before.len().checked_sub(name + 1)?)?;
    let start = hit.end;
    let rest = &bytes[start..bytes.len().min(start + 1024)];
    let is_value = |byte: &u8| byte.is_ascii_alphanumeric() || b"%+/=_-.~".contains(byte);
    let count = rest.iter().take_while(|byte| is_value(byte)).count();
    let value = &rest[..count];
    let is_drawn =
        value.iter().any(u8::is_ascii_digit) && value.iter().any(u8::is_ascii_alphabetic);
    // Each chunk of an upload has a signature: `400;chunk-signature=…`.
    let is_query = matches!(sign, b'?' | b'&') || *sign == b';' && !before.ends_with(b";chunk-s");
    (is_query && count >= 16 && is_drawn && !stands_in(b"", value) && !is_encoded_word(value))
        .then_some(start..start + count)
}

/// Matches `c2lnbmF0dXJlCg%3D%3D`: a word in base64; the bytes of a signature are random.
fn is_encoded_word(value: &[u8]) -> bool {
    let mut text = value;
    while let Some(rest) = text
        .strip_suffix(b"%3D")
        .or_else(|| text.strip_suffix(b"%3d"))
    {
        text = rest;
    }
    let word = checks::decode(text).unwrap_or_default();
    let word = word.trim_ascii();
    !word.is_empty() && word.iter().all(u8::is_ascii_alphabetic)
}

/// Matches `?appid=…` with 32 hexadecimal digits. Shorter values identify an app of a shop.
fn app_id(bytes: &[u8], hit: &Hit) -> Option<Range<usize>> {
    let before = &bytes[..hit.start];
    let is_query = before.ends_with(b"?") || before.ends_with(b"&") || before.ends_with(b"&amp;");
    let rest = &bytes[hit.end..bytes.len().min(hit.end + 64)];
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    let count = rest.iter().take_while(|byte| is_part(byte)).count();
    let value = &rest[..count];
    let is_key = count == 32 && value.iter().all(u8::is_ascii_hexdigit) && !is_sequence(value);
    (is_query && is_key && !stands_in(b"", value)).then_some(hit.end..hit.end + count)
}

/// `jdbc:oracle:thin:user/password@host`.
fn oracle(bytes: &[u8], start: usize) -> Option<Range<usize>> {
    let rest = &bytes[start..bytes.len().min(start + 200)];
    let ends = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`<>".contains(byte);
    let rest = &rest[..rest.iter().position(ends).unwrap_or(rest.len())];
    let host = memchr::memrchr(b'@', rest)?;
    let slash = memchr::memchr(b'/', &rest[..host])?;
    let is_value = host > slash + 1 && !stands_in(b"", &rest[slash + 1..host]);
    is_value.then_some(start + slash + 1..start + host)
}

/// Matches `<input type="password" value="…">`; attributes before the type only in a file, because
/// a stream has already emitted them.
fn field(bytes: &[u8], at: usize, place: TextContext) -> Option<Range<usize>> {
    let end = bytes.len().min(at + 300);
    let end = memchr::memchr(b'>', &bytes[at..end]).map_or(end, |close| at + close);
    let begin = match place.layout {
        Layout::Free => at,
        _ => {
            let far = at.saturating_sub(300);
            memchr::memrchr(b'<', &bytes[far..at]).map_or(at, |open| far + open)
        }
    };
    let value = memmem::find(&bytes[begin..end], b" value=")?;
    let span = string_at(bytes, begin + value + 7).filter(|span| span.end <= end)?;
    (!stands_in(b"", &bytes[span.clone()])).then_some(span)
}

fn word(bytes: &[u8], start: usize) -> Option<Range<usize>> {
    let rest = &bytes[start..bytes.len().min(start + 200)];
    let length = rest
        .iter()
        .position(u8::is_ascii_whitespace)
        .unwrap_or(rest.len());
    let is_value = length > 0 && !stands_in(b"", &rest[..length]);
    is_value.then_some(start..start + length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::triggers::{Trigger, triggers};

    #[test]
    fn secrets_are_identified_by_syntax() {
        for (path, text, expected) in [
            (
                "a.md",
                "x?sp=r&sig=Zm9vYmFyYmF6cXV4MTIz%3D&x=1",
                Some("Zm9vYmFyYmF6cXV4MTIz%3D"),
            ),
            ("a.md", "see sig=Zm9vYmFyYmF6cXV4MTIz", None),
            ("a.md", "x?sp=r&sig=c2lnbmF0dXJlCg%3D%3D", None),
            ("a.md", "4;chunk-signature=Zm9vYmFyYmF6cXV4MTIz", None),
            (
                "a.html",
                "x?sp=r&amp;sig=Zm9vYmFyYmF6cXV4MTIz",
                Some("Zm9vYmFyYmF6cXV4MTIz"),
            ),
            (
                "a.conf",
                "jdbc:oracle:thin:scott/tiger9@//ora:1521/X",
                Some("tiger9"),
            ),
            ("a.conf", "jdbc:oracle:thin:@//ora:1521/X", None),
            (
                "a.html",
                "<input type=\"password\" name=\"a\" value=\"open-it\">",
                Some("open-it"),
            ),
            (
                "a.html",
                "<input value=\"open-it\" type=\"password\">",
                Some("open-it"),
            ),
            ("a.conf", "user a on >open-it ~*", Some("open-it")),
        ] {
            let mut votes = Vec::new();
            let place = TextContext::new(path);
            find(text.as_bytes(), place, &mut votes);
            for hit in triggers(text.as_bytes()) {
                if let Trigger::Mark(mark) = hit.trigger {
                    find_marked(text.as_bytes(), &hit, mark, place, &mut votes);
                }
            }
            let found: Vec<_> = votes.into_iter().map(|vote| &text[vote.span]).collect();
            assert_eq!(found, Vec::from_iter(expected), "{text}");
        }
    }
}
