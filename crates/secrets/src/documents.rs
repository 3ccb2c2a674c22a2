//! Documents in which the position of a member makes it a secret: Terraform's state, recorded
//! requests with cookies, cloud-init's user lists.

use std::ops::Range;

use memchr::memmem;

use crate::assigned::string_at;
use crate::finding::Vote;
use crate::place::{Purpose, Role, TextContext};
use crate::stand_ins::stands_in;
use crate::words::WordList;

/// Maximum distance of a member from its mark.
const REACH: usize = 2000;

pub(crate) fn find(bytes: &[u8], place: TextContext, votes: &mut Vec<Vote>) {
    if place.role != Role::Config {
        return;
    }
    let points = match place.purpose {
        Purpose::Plain | Purpose::Keeper | Purpose::Strings => 62,
        _ => 52,
    };
    let mut add = |span: Range<usize>, kind| {
        if !stands_in(b"", &bytes[span.clone()]) {
            votes.push(Vote {
                span,
                kind,
                points,
                reason: "the kind of document says that it is one",
            });
        }
    };
    for at in memmem::find_iter(bytes, b"\"random_password\"") {
        let far = bytes.len().min(at + REACH);
        if let Some(span) = member(bytes, at..far, b"\"result\"") {
            add(span, "password");
        }
    }
    for at in memmem::find_iter(bytes, b"\"sensitive\"") {
        if let Some(span) = sensitive(bytes, at) {
            add(span, "secret");
        }
    }
    for name in [
        &b"\"Cookie\""[..],
        b"\"cookie\"",
        b"\"Set-Cookie\"",
        b"\"set-cookie\"",
    ] {
        for at in memmem::find_iter(bytes, name) {
            cookies(bytes, at + name.len())
                .into_iter()
                .for_each(|span| add(span, "cookie"));
        }
    }
    for mark in [&b"$2a$"[..], b"$2b$", b"$2y$"] {
        for at in memmem::find_iter(bytes, mark) {
            let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || b"$./".contains(byte);
            // The form of bcrypt has 60 characters.
            if bytes[at..].iter().take(61).take_while(is_part).count() == 60 {
                add(at..at + 60, "password-hash");
            }
        }
    }
    memmem::find_iter(bytes, b"<auth-user-pass>")
        .filter_map(|at| second_line(bytes, at))
        .chain(memmem::find_iter(bytes, b"chpasswd:").flat_map(|at| users(bytes, at)))
        .for_each(|span| add(span, "password"));
}

/// Returns the string of the member `name` in `within`.
fn member(bytes: &[u8], within: Range<usize>, name: &[u8]) -> Option<Range<usize>> {
    let at = memmem::find(&bytes[within.clone()], name)?;
    let from = within.start + at + name.len();
    let gap = bytes[from..].iter().take(8);
    let gap = gap.take_while(|byte| byte.is_ascii_whitespace() || **byte == b':');
    string_at(bytes, from + gap.count())
}

/// Returns the value of an output marked as sensitive: `{"value": "…", "sensitive": true}`.
fn sensitive(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let rest = &bytes[at + 11..bytes.len().min(at + 24)];
    let is_true = rest
        .split(|byte| b": \n".contains(byte))
        .any(|word| word.starts_with(b"true"));
    let from = at.saturating_sub(REACH);
    let open = memchr::memrchr(b'{', &bytes[from..at]).map(|open| from + open)?;
    let close = memchr::memchr(b'}', &bytes[at..bytes.len().min(at + REACH)])?;
    member(bytes, open..at + close, b"\"value\"").filter(|_| is_true)
}

/// Returns the line below the user in an OpenVPN profile: `<auth-user-pass>`, user, password.
fn second_line(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let rest = &bytes[at..bytes.len().min(at + REACH)];
    let mut ends = memchr::memchr_iter(b'\n', rest);
    let (_, user) = (ends.next()?, ends.next()?);
    let line = &rest[user + 1..ends.next().unwrap_or(rest.len())];
    let length = line.trim_ascii_end().len();
    let start = at + user + 1;
    (length > 0 && !line.starts_with(b"<")).then_some(start..start + length)
}

/// Returns the values of `"name": "Cookie", "value": "a=1; b=2"` that may identify a session.
fn cookies(bytes: &[u8], from: usize) -> Vec<Range<usize>> {
    const ATTRIBUTES: WordList =
        WordList::new("path domain expires max-age samesite httponly secure version");
    // Shorter values are settings of a page, such as `theme=dark`.
    const LEAST: usize = 8;
    let Some(value) = member(bytes, from..bytes.len().min(from + 40), b"\"value\"") else {
        return Vec::new();
    };
    let mut at = value.start;
    let pairs = bytes[value].split(|byte| *byte == b';').filter_map(|pair| {
        let start = at;
        at += pair.len() + 1;
        let sign = memchr::memchr(b'=', pair)?;
        let name = pair[..sign].trim_ascii().to_ascii_lowercase();
        let found = &pair[sign + 1..];
        let is_secret = found.len() >= LEAST && found.iter().any(u8::is_ascii_digit);
        (is_secret && !ATTRIBUTES.has(&name)).then(|| start + sign + 1..start + pair.len())
    });
    pairs.collect()
}

/// Returns the part after the colon in the `user:secret` lines below `chpasswd:`.
fn users(bytes: &[u8], at: usize) -> Vec<Range<usize>> {
    let text = &bytes[at..bytes.len().min(at + REACH)];
    let mut start = at;
    let mut found = Vec::new();
    for (number, line) in text.split_inclusive(|byte| *byte == b'\n').enumerate() {
        let begin = start;
        start += line.len();
        let body = line.trim_ascii_end();
        if number > 0 && !body.starts_with(b" ") {
            break;
        }
        let is_user = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-. ".contains(byte);
        let colon = memchr::memchr(b':', body).filter(|colon| body[..*colon].iter().all(is_user));
        let secret = colon.map_or(body.len(), |colon| colon + 1);
        let is_secret = body.get(secret).is_some_and(|byte| *byte != b' ');
        if number > 0 && is_secret {
            found.push(begin + secret..begin + body.len());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_of_documents() {
        for (path, text, expected) in [
            (
                "a.tfstate",
                "{\"type\": \"random_password\", \"x\": {\"result\": \"Zk8#p\"}}",
                &["Zk8#p"][..],
            ),
            (
                "a.tfstate",
                "{\"a\": {\"value\": \"owl-7\", \"sensitive\": true}, \
                  \"b\": {\"value\": \"eu-1\", \"sensitive\": false}}",
                &["owl-7"],
            ),
            (
                "a.har",
                "{\"name\": \"Cookie\", \"value\": \"t=dark; sid=8f7e6d5c4b\"}",
                &["8f7e6d5c4b"],
            ),
            (
                "a.yml",
                "chpasswd:\n  list: |\n    root:owl-7\nx: y\n",
                &["owl-7"],
            ),
            (
                "a.ovpn",
                "<auth-user-pass>\nbob\nowl-7\n</auth-user-pass>\n",
                &["owl-7"],
            ),
            (
                "a.ovpn",
                "auth-user-pass\n<auth-user-pass>\nbob\n</auth-user-pass>",
                &[],
            ),
            ("a.rs", "\"random_password\" \"result\": \"Zk8#p\"", &[]),
        ] {
            let mut votes = Vec::new();
            find(text.as_bytes(), TextContext::new(path), &mut votes);
            let found: Vec<_> = votes.into_iter().map(|vote| &text[vote.span]).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
