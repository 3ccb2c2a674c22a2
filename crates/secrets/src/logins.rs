//! Secrets at a fixed position of a call, command or statement that logs in or signs:
//! `mysqli_connect(host, user, "…")`, `net use … /user:x …`, `IDENTIFIED BY '…'`,
//! `jwt.sign(payload, "…")`. `named` handles names of values.

mod arguments;
mod commands;
mod hashes;
mod table;

use std::ops::Range;

use crate::finding::Vote;
use crate::phrases::is_pass_phrase;
use crate::place::{Purpose, Role, TextContext};
use crate::stand_ins::stands_in;
use crate::value::{ValueClass, nature};
pub(crate) use table::LOGINS;

/// Maximum length of a call, command or statement that is examined.
pub(crate) const REACH: usize = 400;

/// Position of the secret.
#[derive(Clone, Copy)]
pub(crate) enum Spot {
    /// The argument of a call with this index, from 0: a password.
    Argument(usize),
    /// The argument of a call with this index, from 0: a key that signs or encrypts.
    Key(usize),
    /// The word after one of these flags of a command.
    Flag(&'static [&'static str]),
    /// The rest of a word with this prefix.
    Rest(&'static str),
    /// The part after this character in the word after a flag: `-U user%secret`.
    Pair(&'static str, u8),
    /// The next word.
    Word,
    /// The next word of a line that begins with the command, after the number of an encoding:
    /// `enable password 0 secret`.
    Directive,
    /// The part after this character in the next word: `stats auth user:secret`.
    User(u8),
    /// The word with this index, from 0.
    Nth(usize),
    /// The string whose closing quote ends the word.
    Quoted,
    /// `user:$6$…` at the start of a line, or a whole bcrypt hash.
    Hash,
    /// A bcrypt hash in base64, as in Caddy's files.
    Bcrypt64,
    /// The second hash of a Windows user.
    NtHash,
    /// An encoded password of Cisco devices: `password 7 0822455D0A16`.
    Type7,
    /// `user/secret@database`.
    Slash,
    /// `net use … /user:name secret`, `net use share secret /user:name`.
    Share,
    /// `net user name secret`.
    Account,
    /// `echo secret | sudo -S`.
    Piped,
    /// `docker run -e NAME=secret`.
    Variables,
    /// `Login: user / secret`.
    Slashed,
    /// `kubectl create secret … --from-literal=name=secret`.
    Literals,
    /// `IDENTIFIED … BY 'secret'`.
    Statement,
    /// A UUID that a server generates as its first password.
    Drawn,
    /// Django's `SECRET_KEY = '…'`.
    Django,
    /// `WIFI:S:name;P:secret;;`.
    Wifi,
    /// `send "secret\r"` after a password prompt.
    Answer,
}

/// Votes on the secrets of the call, command or statement `number`, whose word is at `hit`.
pub(crate) fn find(
    bytes: &[u8],
    number: usize,
    hit: &Range<usize>,
    place: TextContext,
    votes: &mut Vec<Vote>,
) {
    let within = hit.end..bytes.len().min(hit.start + REACH);
    let spot = LOGINS[number].1;
    if matches!(spot, Spot::Key(_) | Spot::Argument(_)) {
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let is_longer =
            LOGINS[number].0 == "PDO(" && hit.start > 0 && is_part(bytes[hit.start - 1]);
        if !is_longer {
            votes.extend(call(bytes, within, spot, place));
        }
        return;
    }
    let is_hash = matches!(spot, Spot::Hash | Spot::Bcrypt64 | Spot::NtHash);
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    let begins_word = hit.start == 0 || !is_part(bytes[hit.start - 1]);
    if is_hash {
        votes.extend(hashes::vote(bytes, hit, spot, place));
    } else if begins_word {
        commands::find(bytes, within, spot, place, votes);
    }
}

fn call(bytes: &[u8], within: Range<usize>, spot: Spot, place: TextContext) -> Option<Vote> {
    match spot {
        Spot::Argument(which) => {
            let span = arguments::literal(bytes, within, which)?;
            let points = password_points(&bytes[span.clone()], place)?;
            Some(password(span, points))
        }
        Spot::Key(which) => {
            let span = arguments::literal(bytes, within, which)?;
            let points = key_points(&bytes[span.clone()], place)?;
            Some(Vote {
                span,
                kind: "secret",
                points,
                reason: "stands where a call takes a key",
            })
        }
        _ => None,
    }
}

fn password(span: Range<usize>, points: i32) -> Vote {
    Vote {
        span,
        kind: "password",
        points,
        reason: "stands where a call or a command takes a password",
    }
}

/// Returns the points of a value at the position of a password.
pub(crate) fn password_points(found: &[u8], place: TextContext) -> Option<i32> {
    // `-p 8080:80` is a flag for ports.
    let is_ports = found.contains(&b':')
        && found
            .iter()
            .all(|byte| byte.is_ascii_digit() || b":.".contains(byte));
    if is_ports || stands_in(b"", found) {
        return None;
    }
    let is_strong = match nature(found) {
        ValueClass::Drawn | ValueClass::MadeUp | ValueClass::Uuid => found.len() >= 6,
        ValueClass::Number => found.len() >= 6,
        ValueClass::Name => is_mixed(found) || is_dashed(found),
        ValueClass::Sentence if place.role != Role::Config && is_pass_phrase(found) => true,
        ValueClass::Word | ValueClass::Placeholder => false,
        ValueClass::Sentence if place.role == Role::Config => false,
        ValueClass::Reference
        | ValueClass::Nothing
        | ValueClass::Sentence
        | ValueClass::Address => return None,
    };
    let is_config = place.role == Role::Config;
    let points = match (is_strong, place.purpose) {
        (true, Purpose::Plain | Purpose::Keeper) => 62,
        (true, Purpose::Example) => 54,
        (true, Purpose::Test) => 51,
        (false, Purpose::Plain | Purpose::Keeper) if is_config => 60,
        (_, Purpose::Translation | Purpose::Strings) => return None,
        (false, _) => 30,
    };
    Some(points)
}

/// Matches `Saffron.Owl77`: words with capitals and a digit, not in the form of an identifier.
fn is_mixed(found: &[u8]) -> bool {
    let has = |is: fn(&u8) -> bool| found.iter().any(is);
    let is_sign = |byte: &u8| !byte.is_ascii_alphanumeric() && *byte != b'_';
    found.len() >= 8
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_digit)
        && (found.iter().any(is_sign) || found.contains(&b'_'))
}

/// Matches `harbour9-prod`: no identifier has a hyphen and a digit.
fn is_dashed(found: &[u8]) -> bool {
    found.len() >= 8 && found.contains(&b'-') && found.iter().any(u8::is_ascii_digit)
}

/// Returns the points of a value at the position of a key: words and names are lookups.
fn key_points(found: &[u8], place: TextContext) -> Option<i32> {
    let has_digit = found.iter().any(u8::is_ascii_digit);
    let is_strong = match nature(found) {
        ValueClass::Drawn | ValueClass::Uuid => true,
        ValueClass::MadeUp => found.len() >= 8 && has_digit,
        ValueClass::Sentence => is_pass_phrase(found),
        _ => return None,
    };
    if !is_strong || stands_in(b"", found) {
        return None;
    }
    match place.purpose {
        Purpose::Plain | Purpose::Keeper => Some(60),
        Purpose::Example => Some(52),
        Purpose::Test | Purpose::Translation | Purpose::Strings => Some(35),
    }
}

#[cfg(test)]
mod tests;
