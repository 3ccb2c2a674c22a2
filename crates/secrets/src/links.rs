//! Passwords inside addresses: `scheme://user:password@host`.

use std::ops::Range;

use memchr::memmem;

use crate::finding::Vote;
use crate::place::{Place, Purpose};
use crate::value::{Nature, nature};

pub(crate) fn find(bytes: &[u8], place: Place, votes: &mut Vec<Vote>) {
    for at in memmem::find_iter(bytes, b"://") {
        if let Some((password, host)) = password_at(bytes, at) {
            votes.extend(vote(bytes, password, host, place));
        }
    }
}

/// The password and the host of the address whose `://` stands at `at`.
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
    Some((
        start + colon + 1..start + host,
        start + host + 1..start + host_end,
    ))
}

fn vote(bytes: &[u8], password: Range<usize>, host: Range<usize>, place: Place) -> Option<Vote> {
    let mut points = match nature(&bytes[password.clone()]) {
        Nature::Reference | Nature::Placeholder | Nature::Nothing => return None,
        Nature::Drawn | Nature::Uuid => 88,
        Nature::MadeUp | Nature::Number => 70,
        Nature::Word => 55,
        Nature::Name => 40,
        Nature::Sentence | Nature::Address => 35,
    };
    if is_no_real_host(&bytes[host]) {
        points -= 20;
    }
    points -= match place.purpose {
        Purpose::Plain | Purpose::Keeper => 0,
        Purpose::Test => 25,
        Purpose::Example | Purpose::Translation => 20,
    };
    Some(Vote {
        span: password,
        kind: "url-password",
        points,
        reason: "the password of an address",
    })
}

fn is_no_real_host(host: &[u8]) -> bool {
    let has = |needle: &[u8]| memmem::find(host, needle).is_some();
    has(b"example")
        || has(b"localhost")
        || has(b"127.0.0.1")
        || !host.contains(&b'.')
        || host == b"host"
}
