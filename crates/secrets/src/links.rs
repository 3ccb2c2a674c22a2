//! Passwords in URLs: `scheme://user:password@host`.

use std::ops::Range;

use memchr::memmem;

use crate::finding::Vote;
use crate::place::{Purpose, Role, TextContext};
use crate::stand_ins::stands_in;
use crate::value::{ValueClass, nature};
use crate::words::WordList;

pub(crate) fn find(bytes: &[u8], place: TextContext, votes: &mut Vec<Vote>) {
    for at in memmem::find_iter(bytes, b"://") {
        if let Some((password, host)) = password_at(bytes, at) {
            votes.extend(vote(bytes, password, host, place));
        }
        votes.extend(token_at(bytes, at));
    }
}

/// Votes on a token in place of the user, as in clone URLs of code hosts:
/// `https://TOKEN@github.com`, `https://TOKEN:x-oauth-basic@github.com`.
fn token_at(bytes: &[u8], at: usize) -> Option<Vote> {
    const HOSTS: [&[u8]; 5] = [
        b"github.com",
        b"gitlab",
        b"bitbucket.org",
        b"dev.azure.com",
        b"gitea",
    ];
    if !bytes[..at].ends_with(b"http") && !bytes[..at].ends_with(b"https") {
        return None;
    }
    let start = at + 3;
    let rest = &bytes[start..bytes.len().min(start + 256)];
    let is_user = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.".contains(byte);
    let length = rest.iter().take_while(|byte| is_user(byte)).count();
    let user = &rest[..length];
    let behind = &rest[length..];
    let host = behind
        .strip_prefix(b"@")
        .or_else(|| behind.strip_prefix(b":x-oauth-basic@"))?;
    let is_host = HOSTS.iter().any(|name| host.starts_with(name));
    let parts = user.split(|byte| matches!(byte, b'-' | b'_')).count();
    let has_digit = user.iter().any(u8::is_ascii_digit);
    let is_oauth = behind.starts_with(b":x-oauth");
    let is_token = is_oauth || user.len() >= 10 && (has_digit || parts >= 3);
    let is_constant = matches!(
        user,
        b"x-access-token" | b"gitlab-ci-token" | b"x-token-auth"
    );
    (is_host && is_token && !is_constant && !stands_in(b"", user)).then(|| Vote {
        span: start..start + length,
        kind: "url-token",
        points: 62,
        reason: "a token in the place of an address's user",
    })
}

/// Returns the password and the host of the URL with `://` at `at`.
fn password_at(bytes: &[u8], at: usize) -> Option<(Range<usize>, Range<usize>)> {
    if !bytes.get(at.checked_sub(1)?)?.is_ascii_alphanumeric() {
        return None;
    }
    let start = at + 3;
    let rest = &bytes[start..bytes.len().min(start + 512)];
    let ends = |byte: &u8| byte.is_ascii_whitespace() || b"/\"'`<>\\?,".contains(byte);
    let authority = &rest[..rest.iter().position(ends).unwrap_or(rest.len())];
    let host = memchr::memrchr(b'@', authority)?;
    let colon = memchr::memchr(b':', &authority[..host])?;
    let host_end = authority[host + 1..].iter().position(|byte| *byte == b':');
    let host_end = host_end.map_or(authority.len(), |length| host + 1 + length);
    let is_number = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    // `localhost:8545@1599200` has a port, `git://[path[:]][ref@]path` is a pattern.
    if is_number(&authority[host + 1..host_end]) || authority[..colon].contains(&b'[') {
        return None;
    }
    Some((
        start + colon + 1..start + host,
        start + host + 1..start + host_end,
    ))
}

fn vote(
    bytes: &[u8],
    password: Range<usize>,
    host: Range<usize>,
    place: TextContext,
) -> Option<Vote> {
    let reason = "the password of an address";
    let found = &bytes[password.clone()];
    let is_plain = matches!(
        place.purpose,
        Purpose::Plain | Purpose::Keeper | Purpose::Strings
    );
    // In configuration the position decides, however weak the password looks.
    let is_example = || place.role == Role::Settings && nature(found) == ValueClass::Placeholder;
    let is_config = matches!(place.role, Role::Config | Role::Settings) && !is_example();
    if is_config && is_plain && !stands_in(b"", found) && found != b"x-oauth-basic" {
        let is_drawn = matches!(nature(found), ValueClass::Drawn | ValueClass::Uuid);
        return Some(Vote {
            span: password,
            kind: "url-password",
            points: if is_drawn { 88 } else { 62 },
            reason,
        });
    }
    let mut points = match nature(found) {
        ValueClass::Reference | ValueClass::Placeholder | ValueClass::Nothing => return None,
        ValueClass::Drawn | ValueClass::Uuid => 88,
        ValueClass::MadeUp | ValueClass::Number => 70,
        ValueClass::Word => 55,
        // `oceanSpray8` looks like a name, and few names in this position have digits.
        ValueClass::Name if found.iter().any(u8::is_ascii_digit) => 60,
        ValueClass::Name => 40,
        ValueClass::Sentence | ValueClass::Address => 35,
    };
    if is_no_real_host(&bytes[host]) {
        points -= 20;
    }
    points -= match place.purpose {
        Purpose::Plain | Purpose::Keeper | Purpose::Strings => 0,
        Purpose::Test => 25,
        Purpose::Example | Purpose::Translation => 20,
    };
    Some(Vote {
        span: password,
        kind: "url-password",
        points,
        reason,
    })
}

/// Matches hosts of examples and tests. A host without a dot may be a service of the same
/// network, such as `mongo` in Compose, unless its name says nothing.
fn is_no_real_host(host: &[u8]) -> bool {
    const EMPTY_NAMES: WordList = WordList::new(
        "a b c h x y z host hostname server domain myhost myserver somehost url uri ip addr address \
         foo bar baz test dummy fake mock proxy",
    );
    let has = |needle: &[u8]| memmem::find(host, needle).is_some();
    has(b"example") || has(b"localhost") || has(b"127.0.0.1") || EMPTY_NAMES.has(host)
}
