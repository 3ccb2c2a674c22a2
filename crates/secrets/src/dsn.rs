//! Passwords of data source names in strings: `host=a user=b password=…`, `Server=a;Uid=b;Pwd=…`,
//! and Go's `user:…@tcp(host)/name`. `links` handles URLs with `://`.

use std::ops::Range;

use memchr::memmem;

use crate::finding::Vote;
use crate::logins::password_points;
use crate::place::{Role, Syntax, TextContext};
use crate::words::WordList;

/// Maximum distance of the other parts of a data source name from the password's name. A stream
/// withholds more bytes after such a name.
const NEAR: usize = 120;

pub(crate) fn find(bytes: &[u8], place: TextContext, votes: &mut Vec<Vote>) {
    if place.syntax == Syntax::Digests {
        return;
    }
    for mark in [&b"@tcp("[..], b"@unix(", b"@cloudsql("] {
        for at in memmem::find_iter(bytes, mark) {
            votes.extend(before_protocol(bytes, at).and_then(|span| vote(bytes, span, place)));
        }
    }
    // In configuration the name is enough.
    if place.role == Role::Config {
        return;
    }
    for end in [&b"word="[..], b"WORD=", b"wd=", b"WD="] {
        for at in memmem::find_iter(bytes, end) {
            let name_end = at + end.len() - 1;
            votes.extend(keyword(bytes, name_end).and_then(|span| vote(bytes, span, place)));
        }
    }
}

fn vote(bytes: &[u8], span: Range<usize>, place: TextContext) -> Option<Vote> {
    let points = password_points(&bytes[span.clone()], place)?;
    Some(Vote {
        span,
        kind: "password",
        points,
        reason: "the password of a data source name",
    })
}

/// Returns the secret of `user:secret` before the protocol at `at`.
fn before_protocol(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let from = at.saturating_sub(NEAR);
    let is_outside = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`=<>,(".contains(byte);
    let start = bytes[from..at].iter().rposition(is_outside)? + from + 1;
    let colon = memchr::memchr(b':', &bytes[start..at])?;
    let user = &bytes[start..start + colon];
    let is_user = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.".contains(byte);
    let secret = start + colon + 1..at;
    let is_address = bytes[secret.clone()].starts_with(b"//");
    (!user.is_empty() && user.iter().all(is_user) && !is_address && !secret.is_empty())
        .then_some(secret)
}

/// Returns the value of the password whose name ends at `name_end`, if other parts of a data source
/// name are around it.
fn keyword(bytes: &[u8], name_end: usize) -> Option<Range<usize>> {
    const NAMES: WordList = WordList::new("password pwd passwd");
    let before = &bytes[name_end.saturating_sub(9)..name_end];
    let is_letter = |byte: &&u8| byte.is_ascii_alphabetic();
    let length = before.iter().rev().take_while(is_letter).count();
    let name = name_end - length..name_end;
    let sign = name.start.checked_sub(1).map(|at| bytes[at])?;
    let is_name = NAMES.has(&bytes[name.clone()].to_ascii_lowercase());
    if !is_name || !matches!(sign, b' ' | b';' | b'"' | b'\'' | b'`') {
        return None;
    }
    let (line, quote) = string_around(bytes, name.start)?;
    let line = &bytes[line];
    let is_listed = memchr::memchr(b';', line).is_some();
    let start = name_end + 1;
    let rest = &bytes[start..bytes.len().min(start + NEAR)];
    let ends = |byte: &u8| match byte {
        b'"' | b'\n' | b'\r' | b'\\' | b'<' => true,
        b';' => is_listed,
        b' ' | b'\t' | b',' | b')' => !is_listed,
        byte => *byte == quote,
    };
    let count = rest.iter().position(ends)?;
    let is_source = has_other_keys(line);
    (is_source && count > 0 && rest[count] != b'<').then_some(start..start + count)
}

/// Returns the text between the quotes around `at`, and the quote.
fn string_around(bytes: &[u8], at: usize) -> Option<(Range<usize>, u8)> {
    let from = at.saturating_sub(2 * NEAR);
    let is_quote = |byte: &u8| matches!(byte, b'"' | b'\'' | b'`' | b'\n');
    let open = bytes[from..at].iter().rposition(is_quote)? + from;
    let quote = bytes[open];
    if quote == b'\n' {
        return None;
    }
    let rest = &bytes[at..bytes.len().min(at + NEAR)];
    let close = rest
        .iter()
        .position(|byte| *byte == quote || *byte == b'\n');
    Some((open + 1..at + close.unwrap_or(rest.len()), quote))
}

/// Returns true if there is at least one other key that only a data source name has.
fn has_other_keys(text: &[u8]) -> bool {
    const KEYS: [&[u8]; 14] = [
        b"host=",
        b"hostaddr=",
        b"user=",
        b"uid=",
        b"dbname=",
        b"server=",
        b"user id=",
        b"userid=",
        b"database=",
        b"data source=",
        b"username=",
        b"dsn=",
        b"port=",
        b"driver=",
    ];
    let lower = text.to_ascii_lowercase();
    let begins = |at: usize| at == 0 || !lower[at - 1].is_ascii_alphanumeric();
    KEYS.iter()
        .any(|key| memmem::find(&lower, key).is_some_and(begins))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, text: &str, expected: Option<&str>) {
        let mut votes = Vec::new();
        find(text.as_bytes(), TextContext::new(path), &mut votes);
        votes.retain(|vote| vote.points >= 50);
        let found: Vec<_> = votes.into_iter().map(|vote| &text[vote.span]).collect();
        assert_eq!(found, Vec::from_iter(expected), "{text}");
    }

    #[test]
    fn passwords_of_data_source_names() {
        for (path, text, expected) in [
            (
                "a.py",
                "connect(\"host=w dbname=d user=a password=Quartz%Fox81\")",
                Some("Quartz%Fox81"),
            ),
            (
                "a.ipynb",
                "\"connect(\\\"host=w user=a password=Quartz%Fox81\\\")\\n\"",
                Some("Quartz%Fox81"),
            ),
            (
                "a.cs",
                "\"Server=db1;User Id=sa;Password=Hq7!zebra;\"",
                Some("Hq7!zebra"),
            ),
            (
                "a.go",
                "sql.Open(\"mysql\", \"orders:Falcon_Ridge19@tcp(10.2.0.8:3306)/orders\")",
                Some("Falcon_Ridge19"),
            ),
            ("a.go", "\"%s:%s@tcp(%s)/%s\"", None),
            ("a.go", "\"user:password@tcp(127.0.0.1:3306)/db\"", None),
            ("a.go", "\"root:\" + pw + \"@tcp(db)/x\"", None),
            ("a.go", "\"root:${PW}@tcp(db)/x\"", None),
            ("a.py", "f\"host={h} user={u} password={pw}\"", None),
            ("a.py", "\"host=%s user=%s password=%s\" % x", None),
            ("a.py", "\"host=\" + h + \" password=\" + pw", None),
            ("a.py", "\"host=w user=a password=secret\"", None),
            (
                "a.py",
                "print(\"user=a password=Quartz%Fox81\")",
                Some("Quartz%Fox81"),
            ),
            ("a.py", "f(user=a, password=Quartz81)", None),
        ] {
            check(path, text, expected);
        }
    }
}
