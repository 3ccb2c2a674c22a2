//! Values that are given to names for secrets: finds the names in one pass and
//! weighs what they promise against what the value looks like.

use std::ops::Range;

use crate::assigned::{self, Form, Value, values_of};
use crate::checks;
use crate::finding::Vote;
use crate::formats::Formats;
use crate::names::{self, Promise};
use crate::place::{Place, Purpose, Syntax};
use crate::redact::is_in_placeholder;
use crate::stems::{Stem, stems};
use crate::value::{Nature, nature};
use crate::weighing::Evidence;

pub(crate) fn find(bytes: &[u8], place: Place, votes: &mut Vec<Vote>) {
    if place.syntax == Syntax::Digests {
        return;
    }
    let mut done = 0;
    for (hit, stem) in stems(bytes) {
        if hit.start < done || is_in_placeholder(bytes, hit.start) {
            continue;
        }
        if stem == Stem::Scheme {
            votes.extend(vote_for_scheme(bytes, hit.start, place));
        }
        let name = name_around(bytes, hit.start, hit.end, done);
        done = name.end;
        vote(bytes, &name, place, votes);
    }
}

/// Where the first name at or behind `from` begins whose value may still go on at
/// the end of the text.
pub(crate) fn first_open(bytes: &[u8], from: usize) -> usize {
    // A value and all that may stand before it.
    const REACH: usize = 4096 + 256;
    let far = bytes.len().saturating_sub(REACH).max(from);
    let starts = stems(&bytes[far..])
        .map(|(hit, _)| name_around(bytes, far + hit.start, far + hit.end, from));
    let is_open = |name: &Range<usize>| {
        let behind = &bytes[name.end..];
        // Past the reach of lists, a value ends with its line.
        let far = assigned::FARTHEST;
        behind.len() < far || memchr::memchr(b'\n', &behind[far..]).is_none()
    };
    let mut open = starts.filter(is_open);
    open.next().map_or(bytes.len(), |name| name.start)
}

/// `Bearer` or `Basic` with what follows, whoever says so.
fn vote_for_scheme(bytes: &[u8], at: usize, place: Place) -> Option<Vote> {
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
            match nature(&text[colon + 1..]) {
                Nature::Drawn | Nature::MadeUp | Nature::Uuid | Nature::Number => 62,
                Nature::Word | Nature::Sentence => 45,
                _ => 28,
            }
        }
        _ if found.len() < 16 => return None,
        _ => match nature(found) {
            Nature::Drawn => 66,
            Nature::Uuid => 55,
            _ => return None,
        },
    };
    let less = match place.purpose {
        Purpose::Plain | Purpose::Keeper => 0,
        _ => 12,
    };
    Some(Vote {
        span: value.span,
        kind,
        points: points - less,
        reason: "follows the name of an authorization scheme",
    })
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'$' | b'@')
}

/// The whole name of which `start..end` is a part.
fn name_around(bytes: &[u8], start: usize, end: usize, least: usize) -> Range<usize> {
    let least = start.saturating_sub(names::LONGEST).max(least);
    let before = bytes[least..start].iter().rev();
    let before = before.take_while(|byte| is_name_byte(**byte)).count();
    let after = bytes[end..].iter().take(names::LONGEST);
    let mut after = after.take_while(|byte| is_name_byte(**byte)).count();
    // A full stop at the end is none of the name.
    while after > 0 && matches!(bytes[end + after - 1], b'.' | b'-') {
        after -= 1;
    }
    start - before..end + after
}

fn vote(bytes: &[u8], name: &Range<usize>, place: Place, votes: &mut Vec<Vote>) -> Option<()> {
    let promise = names::promise(&bytes[name.clone()])?;
    for value in values_of(bytes, name, place.syntax) {
        vote_for_value(bytes, promise, value, place, votes);
    }
    Some(())
}

fn vote_for_value(
    bytes: &[u8],
    promise: Promise,
    mut value: Value,
    place: Place,
    votes: &mut Vec<Vote>,
) -> Option<()> {
    let scheme = without_scheme(bytes, &mut value);
    if value.form == Form::Bare {
        first_word_if_drawn(bytes, &mut value);
    }
    default_of_variable(bytes, &mut value);
    let found = &bytes[value.span.clone()];
    let scheme = scheme.or_else(|| user_and_password(promise, found));
    votes.extend(Formats::get().near_value(bytes, value.span.start, place));
    let points = Evidence {
        promise,
        nature: nature(found),
        form: value.form,
        has_scheme: scheme.is_some(),
        place,
        found,
    }
    .points()?;
    votes.push(Vote {
        span: value.span,
        kind: scheme.unwrap_or_else(|| promise.kind()),
        points,
        reason: promise.reason(),
    });
    Some(())
}

/// `"auth": "dXNlcjpwYXNz"`, as Docker keeps it: base64 of `user:password`.
fn user_and_password(promise: Promise, found: &[u8]) -> Option<&'static str> {
    if promise != Promise::Auth || found.len() < 12 {
        return None;
    }
    let text = checks::decode(found)?;
    let is_text = text.iter().all(|byte| matches!(byte, b' '..=b'~'));
    (is_text && text.contains(&b':')).then_some("basic-auth")
}

/// Steps over `Bearer `, `Basic ` and the like; the kind that they make it.
fn without_scheme(bytes: &[u8], value: &mut Value) -> Option<&'static str> {
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

/// `${NAME:-value}`: what stands there when the variable does not.
fn default_of_variable(bytes: &[u8], value: &mut Value) {
    let found = &bytes[value.span.clone()];
    if !found.starts_with(b"${") || !found.ends_with(b"}") {
        return;
    }
    if let Some(at) = memchr::memmem::find(found, b":-") {
        value.span = value.span.start + at + 2..value.span.end - 1;
    }
}

/// A value to the end of its line that is one drawn word and something else:
/// `token=0a1b… https://…`.
fn first_word_if_drawn(bytes: &[u8], value: &mut Value) {
    let found = &bytes[value.span.clone()];
    let Some(space) = found.iter().position(u8::is_ascii_whitespace) else {
        return;
    };
    if nature(&found[..space]) == Nature::Drawn {
        value.span.end = value.span.start + space;
    }
}
