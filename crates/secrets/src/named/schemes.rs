//! Values after the name of an authorization scheme: `Bearer …`, `Basic …`, and pairs of a user and
//! a password.

use crate::assigned::{Form, Value};
use crate::checks;
use crate::finding::Vote;
use crate::names::NameClass;
use crate::place::{Purpose, Role, TextContext};
use crate::stand_ins::stands_in;
use crate::value::{ValueClass, nature};

/// Votes on the value of `Bearer` or `Basic`, without a name.
pub(super) fn vote_for_scheme(bytes: &[u8], at: usize, place: TextContext) -> Option<Vote> {
    if at > 0 && bytes[at - 1].is_ascii_alphanumeric() {
        return None;
    }
    let mut value = Value {
        span: at..at,
        form: Form::Loose,
    };
    let kind = without_scheme(bytes, &mut value)?;
    let found = &bytes[value.span.clone()];
    let points = match kind {
        "basic-auth" => {
            let text = checks::decode(found).filter(|_| found.len() >= 8)?;
            let colon = memchr::memchr(b':', &text)?;
            let is_text = text.iter().all(|byte| matches!(byte, b' '..=b'~'));
            if !is_text {
                return None;
            }
            let is_config = matches!(place.role, Role::Config | Role::Settings);
            match nature(&text[colon + 1..]) {
                _ if is_config && !stands_in(b"", &text[colon + 1..]) => 62,
                ValueClass::Drawn | ValueClass::MadeUp | ValueClass::Uuid | ValueClass::Number => {
                    62
                }
                // A log shows the requests of real users.
                ValueClass::Name | ValueClass::Word if is_log(place) => 54,
                ValueClass::Word | ValueClass::Sentence => 45,
                _ => 28,
            }
        }
        _ if found.len() < 16 => return None,
        _ => match nature(found) {
            ValueClass::Drawn => 66,
            ValueClass::Uuid => 55,
            _ => return None,
        },
    };
    let less = match place.purpose {
        Purpose::Plain | Purpose::Keeper | Purpose::Strings => 0,
        _ => 12,
    };
    Some(Vote {
        span: value.span,
        kind,
        points: points - less,
        reason: "follows the name of an authorization scheme",
    })
}

/// Returns true for a plain text outside documentation.
fn is_log(place: TextContext) -> bool {
    place.role == Role::Text && place.purpose == Purpose::Plain
}

/// Skips `Bearer `, `Basic ` and the like. Returns the kind that they imply.
pub(super) fn without_scheme(bytes: &[u8], value: &mut Value) -> Option<&'static str> {
    const SCHEMES: &[(&[u8], &str)] = &[
        (b"bearer", "bearer-token"),
        (b"ntlm", "auth"),
        (b"basic", "basic-auth"),
        (b"token", "token"),
        (b"apikey", "api-key"),
        (b"digest", "auth"),
    ];
    let rest = &bytes[value.span.start..];
    let has = |scheme: &[u8]| {
        let begin = rest.get(..scheme.len());
        begin.is_some_and(|begin| begin.eq_ignore_ascii_case(scheme))
            && rest
                .get(scheme.len())
                .is_some_and(|byte| matches!(byte, b' ' | b'\t'))
    };
    let (scheme, kind) = SCHEMES.iter().find(|(scheme, _)| has(scheme))?;
    let start = value.span.start + scheme.len();
    let spaces = bytes[start..]
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t'));
    let start = start + spaces.count();
    let ends = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`<>\\,;)}]".contains(byte);
    let rest = &bytes[start..];
    let length = rest
        .iter()
        .take(4096)
        .position(ends)
        .unwrap_or(rest.len().min(4096));
    value.span = start..start + length;
    Some(kind)
}

/// Matches Docker's `"auth": "dXNlcjpwYXNz"`: base64 of `user:password`.
pub(super) fn user_and_password(promise: NameClass, found: &[u8]) -> Option<&'static str> {
    if promise != NameClass::Auth {
        return None;
    }
    if found.len() < 12 {
        return None;
    }
    let text = checks::decode(found)?;
    let is_text = text.iter().all(|byte| matches!(byte, b' '..=b'~'));
    (is_text && text.contains(&b':')).then_some("basic-auth")
}

/// Matches `admin:secret` without encoding.
pub(super) fn is_plain_pair(found: &[u8]) -> bool {
    let Some(colon) = memchr::memchr(b':', found) else {
        return false;
    };
    let (user, secret) = (&found[..colon], &found[colon + 1..]);
    let is_user = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.@".contains(byte);
    let is_secret = secret.len() >= 4
        && !secret.starts_with(b" ")
        && !secret.iter().any(|byte| b"/:(){}$<>".contains(byte));
    user.len() >= 3 && user.iter().all(is_user) && is_secret
}
