//! Password hashes in user lists: `/etc/shadow`, `.htpasswd` under any name, and dumps of Windows
//! accounts.

use std::ops::Range;

use super::Spot;
use crate::finding::Vote;
use crate::place::{Purpose, TextContext};

/// Maximum length of a user name.
const LONGEST_USER: usize = 64;

/// Votes on the hash of the user before `hit`.
pub(super) fn vote(
    bytes: &[u8],
    hit: &Range<usize>,
    spot: Spot,
    place: TextContext,
) -> Option<Vote> {
    let span = match spot {
        Spot::Hash if bytes[hit.start] == b':' => crypt(bytes, hit.start)?,
        Spot::Hash => bcrypt(bytes, hit)?,
        Spot::Bcrypt64 => encoded_bcrypt(bytes, hit)?,
        _ => windows(bytes, hit.end)?,
    };
    let points = match place.purpose {
        Purpose::Plain | Purpose::Keeper => 60,
        Purpose::Example => 52,
        Purpose::Test | Purpose::Translation | Purpose::Strings => 35,
    };
    Some(Vote {
        span,
        kind: "password-hash",
        points,
        reason: "the hash of a user's password",
    })
}

/// Matches `$2a$14$…` with all of its 53 letters, anywhere, or after `user:`.
fn bcrypt(bytes: &[u8], hit: &Range<usize>) -> Option<Range<usize>> {
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'/');
    let rest = &bytes[hit.end..bytes.len().min(hit.end + 64)];
    let (cost, rest) = rest.split_at_checked(3)?;
    let has_cost = cost[..2].iter().all(u8::is_ascii_digit) && cost[2] == b'$';
    let count = rest.iter().take_while(is_part).count();
    if has_cost && count == 53 && !is_manual(rest) {
        return Some(hit.start..hit.end + 3 + count);
    }
    let colon = hit.start.checked_sub(1)?;
    (bytes[colon] == b':').then(|| crypt(bytes, colon))?
}

/// Matches the hash in bcrypt's manual pages.
fn is_manual(hash: &[u8]) -> bool {
    hash.starts_with(b"N9qo8uLOickgx2ZMRZoMye")
}

/// Matches a bcrypt hash (60 bytes) in base64.
fn encoded_bcrypt(bytes: &[u8], hit: &Range<usize>) -> Option<Range<usize>> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    let before = hit.start.checked_sub(1).map(|at| bytes[at]);
    let rest = &bytes[hit.start..bytes.len().min(hit.start + 81)];
    let count = rest.iter().take_while(|byte| is_part(byte)).count();
    (count == 80 && !before.is_some_and(|byte| is_part(&byte))).then_some(hit.start..hit.start + 80)
}

/// Matches `user:$6$salt$hash`, with the user at the start of a line.
fn crypt(bytes: &[u8], colon: usize) -> Option<Range<usize>> {
    let before = &bytes[colon.saturating_sub(LONGEST_USER)..colon];
    let is_user = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_-.@".contains(byte);
    let length = before.iter().rev().take_while(is_user).count();
    let starts_line = length == before.len() && length == colon
        || before.len() > length && before[before.len() - length - 1] == b'\n';
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || b"$./=,+-".contains(byte);
    let rest = &bytes[colon + 1..bytes.len().min(colon + 256)];
    let count = rest.iter().take_while(is_part).count();
    (length > 0 && starts_line && count >= 30).then_some(colon + 1..colon + 1 + count)
}

/// Matches 32 digits after the hash of an empty password.
fn windows(bytes: &[u8], start: usize) -> Option<Range<usize>> {
    let rest = &bytes[start..bytes.len().min(start + 33)];
    let count = rest
        .iter()
        .take_while(|byte| byte.is_ascii_hexdigit())
        .count();
    // The hash of an empty password is not a secret.
    let is_empty = rest.starts_with(b"31d6cfe0d16ae931");
    (count == 32 && !is_empty).then_some(start..start + count)
}
