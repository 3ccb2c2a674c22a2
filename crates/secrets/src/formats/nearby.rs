//! Names of providers before a value, and the text between the two.

use std::ops::Range;

use super::Formats;
use super::begins::{begin_at, folded};
use crate::redact::is_in_placeholder;

/// Maximum distance from a value back to the name of its provider.
const NEAR: usize = 100;

/// The names of providers before the current position of a scan. Reads each byte once.
#[derive(Default)]
pub(super) struct Nearby {
    /// Position of each name, and its rule.
    pub(super) names: Vec<(Range<usize>, u16)>,
    looked: usize,
}

impl Nearby {
    /// Adds the names that start at `from` or later and end before `until`.
    pub(super) fn look(&mut self, formats: &Formats, bytes: &[u8], from: usize, until: usize) {
        self.names.retain(|(name, _)| name.start >= from);
        for at in self.looked.max(from)..until {
            let begin = folded(begin_at(bytes, at));
            if !is_name_start(bytes, at) || !formats.names.may_have(begin) {
                continue;
            }
            if is_in_placeholder(bytes, at) {
                continue;
            }
            for &(name, rule) in formats.names.of(begin) {
                if let Some(end) = end_of_name(&bytes[at..], name) {
                    self.names.push((at..at + end, rule));
                }
            }
        }
        self.looked = self.looked.max(until);
    }
}

/// Returns the start of the line above `at`, within a limit.
pub(super) fn window_before(bytes: &[u8], at: usize) -> usize {
    let from = at.saturating_sub(NEAR);
    let mut ends = memchr::memrchr_iter(b'\n', &bytes[from..at]);
    ends.nth(1).map_or(from, |end| from + end + 1)
}

/// Returns true if a name may start at `at`: after a separator or an escape, or with a capital.
fn is_name_start(bytes: &[u8], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).map(|at| bytes[at]) else {
        return true;
    };
    !before.is_ascii_alphanumeric()
        || before.is_ascii_lowercase() && bytes[at].is_ascii_uppercase()
        || at >= 2 && bytes[at - 2] == b'\\'
}

/// Returns the end of `name` if `text` starts with it. After a short name, only a word for secrets
/// may follow in the same case, as in `flytoken`; after a name with `!`, such a word must follow.
fn end_of_name(text: &[u8], name: &str) -> Option<usize> {
    let (name, is_common) = match name.strip_suffix('!') {
        Some(name) => (name, true),
        None => (name, false),
    };
    let (found, rest) = text.split_at_checked(name.len())?;
    if !found.eq_ignore_ascii_case(name.as_bytes()) {
        return None;
    }
    let (last, next) = (*found.last()?, rest.first().copied().unwrap_or_default());
    let goes_on = last.is_ascii_lowercase() && next.is_ascii_lowercase()
        || last.is_ascii_uppercase() && next.is_ascii_alphabetic();
    if !is_common && (!goes_on || name.len() > 5) {
        return Some(name.len());
    }
    let rest = match rest {
        [b' ' | b'_' | b'-' | b'.', rest @ ..] => rest,
        _ => rest,
    };
    let begins = |word: &str| {
        let begin = rest.get(..word.len());
        begin.is_some_and(|begin| begin.eq_ignore_ascii_case(word.as_bytes()))
    };
    FOR_SECRETS
        .iter()
        .any(|word| begins(word))
        .then_some(name.len())
}

/// Words, one of which must be between a provider's name and a secret.
const FOR_SECRETS: &[&str] = &[
    "key", "token", "secret", "pass", "auth", "api", "cred", "pwd", "access", "private", "pat",
    "client", "oauth",
];

/// Returns true if the text between suggests that the value belongs to the name and is not part of
/// a longer name.
pub(super) fn stands_beside(between: &[u8]) -> bool {
    match between.last() {
        Some(b' ' | b'\t' | b'"' | b'\'' | b'`' | b'=' | b':' | b'>') => between.len() <= 32,
        Some(b'-' | b'.') => between.len() <= 24 && says_secret(between),
        _ => false,
    }
}

/// Matches `client_id=`, `clientId: "`: the next value is the public half of a pair.
pub(super) fn names_client(between: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-".contains(byte);
    let end = between.iter().rposition(is_part).map_or(0, |at| at + 1);
    let length = between[..end].iter().rev().take_while(|byte| is_part(byte));
    let name = &between[end - length.count()..end];
    let is_given = between[end..]
        .iter()
        .any(|byte| matches!(byte, b'=' | b':'));
    let kept = name.iter().filter(|byte| byte.is_ascii_alphabetic());
    let lower: Vec<u8> = kept.map(u8::to_ascii_lowercase).collect();
    is_given && lower.ends_with(b"clientid")
}

/// Matches `--key-id `, `keyId: "`: the next value identifies a key.
pub(super) fn names_id(between: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-".contains(byte);
    let end = between.iter().rposition(is_part).map_or(0, |at| at + 1);
    let length = between[..end].iter().rev().take_while(|byte| is_part(byte));
    let name = &between[end - length.count()..end];
    let is_id = [&b"key-id"[..], b"key_id", b"keyId", b"KeyId"]
        .iter()
        .any(|id| name.ends_with(id));
    let lower = name.to_ascii_lowercase();
    is_id && memchr::memmem::find(&lower, b"access").is_none()
}

pub(super) fn says_secret(text: &[u8]) -> bool {
    let lower = text.to_ascii_lowercase();
    // `CLIENT_ID` is public.
    let has = |word: &[u8]| memchr::memmem::find(&lower, word).is_some();
    let is_client = has(b"client_id") || has(b"clientid") || has(b"client-id");
    FOR_SECRETS
        .iter()
        .filter(|word| !is_client || **word != "client")
        .any(|word| memchr::memmem::find(&lower, word.as_bytes()).is_some())
}

/// Returns true if a value in prose is hexadecimal and the text before does not call it a secret:
/// near the name of a provider, it is a commit or a checksum.
pub(super) fn is_commit(value: &[u8], before: &[u8]) -> bool {
    value.iter().all(u8::is_ascii_hexdigit) && !calls_secret(before)
}

/// Returns true if only signs and a verb follow the last word for a secret.
fn calls_secret(text: &[u8]) -> bool {
    const WORDS: [&[u8]; 8] = [
        b"key", b"token", b"secret", b"pass", b"cred", b"pwd", b"pat", b"auth",
    ];
    let lower = text.to_ascii_lowercase();
    let ends = WORDS.iter().filter_map(|word| {
        let at = memchr::memmem::rfind(&lower, word)?;
        Some(at + word.len())
    });
    let Some(end) = ends.max() else {
        return false;
    };
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let rest = &lower[end + lower[end..].iter().take_while(is_part).count()..];
    let mut words = rest.split(|byte| !byte.is_ascii_alphanumeric());
    words.all(|word| matches!(word, b"" | b"is" | b"was" | b"as" | b"value" | b"id"))
}
