//! Values that are given to names for secrets: finds the names in one pass and
//! weighs what they promise against what the value looks like.

use std::ops::Range;

use crate::assigned::{self, Form, Value, is_interpolated, values_of};
use crate::checks;
use crate::data_names::{DataNames, is_counter, is_in_text as is_in_lines};
use crate::digests::{is_checksum, is_digest};
use crate::finding::Vote;
use crate::formats::Formats;
use crate::identifiers::{Identifiers, is_in_text, may_be_expression};
use crate::labels::is_label;
use crate::names::{self, Promise};
use crate::place::{Place, Purpose, Role, Syntax};
use crate::prose;
use crate::redact::is_in_placeholder;
use crate::siblings::is_one_of_many;
use crate::stems::{Stem, stems};
use crate::value::{Nature, nature};
use crate::vocabulary::is_public;
use crate::weighing::Evidence;

pub(crate) fn find(bytes: &[u8], place: Place, votes: &mut Vec<Vote>) {
    if place.syntax == Syntax::Digests {
        return;
    }
    let mut done = 0;
    let identifiers = Identifiers::of(bytes);
    let is_config = place.role == Role::Config && place.purpose != Purpose::Keeper;
    let mut data = DataNames::default();
    for (hit, stem) in stems(bytes) {
        if hit.start < done || is_in_placeholder(bytes, hit.start) {
            continue;
        }
        if stem == Stem::Scheme {
            votes.extend(vote_for_scheme(bytes, hit.start, place));
        }
        let name = name_around(bytes, hit.start, hit.end, done);
        done = name.end;
        let mut found = Vec::new();
        vote(bytes, &name, place, &identifiers, &mut found);
        if is_config
            && !found.is_empty()
            && let Some(promise) = names::promise(&bytes[name.clone()])
        {
            found = data.keep(bytes, &name, promise, found);
        }
        votes.append(&mut found);
    }
    votes.extend(data.votes());
    if place.role == Role::Config {
        find_short_names(bytes, place, &identifiers, votes);
    }
}

/// Votes on names too short to be looked for in every text: `psk`, `rootpw`.
fn find_short_names(
    bytes: &[u8],
    place: Place,
    identifiers: &Identifiers<'_>,
    votes: &mut Vec<Vote>,
) {
    for stem in [&b"psk"[..], b"pw"] {
        for at in memchr::memmem::find_iter(bytes, stem) {
            let end = at + stem.len();
            let is_part = |byte: &u8| byte.is_ascii_alphanumeric();
            if bytes.get(end).is_some_and(is_part) || is_in_placeholder(bytes, at) {
                continue;
            }
            let name = name_around(bytes, at, end, 0);
            vote(bytes, &name, place, identifiers, votes);
        }
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

fn vote(
    bytes: &[u8],
    name: &Range<usize>,
    place: Place,
    identifiers: &Identifiers<'_>,
    votes: &mut Vec<Vote>,
) -> Option<()> {
    let promise = names::promise(&bytes[name.clone()])?;
    let is_statement = bytes[name.clone()].eq_ignore_ascii_case(b"identified by");
    let is_sql = place.role == Role::Config || bytes[name.clone()].starts_with(b"IDENT");
    if is_in_resource(bytes, name.start) || is_statement && !is_sql {
        return None;
    }
    let named = Named {
        bytes,
        name,
        promise,
        place,
        identifiers,
    };
    if place.role == Role::Text {
        votes.extend(prose::announced(bytes, name, promise, place));
    }
    if let Some(default) = named.default_within_braces() {
        let vote = default.and_then(|value| named.vote(value, votes));
        votes.extend(vote);
        return Some(());
    }
    for value in values_of(bytes, name, place.syntax) {
        // The rest of a public key looks like a secret.
        if is_public(&bytes[value.span.clone()]) {
            break;
        }
        let vote = named.vote(value, votes);
        votes.extend(vote);
    }
    Some(())
}

/// A name for a secret in a text.
struct Named<'a, 'b> {
    bytes: &'a [u8],
    name: &'a Range<usize>,
    promise: Promise,
    place: Place,
    identifiers: &'a Identifiers<'b>,
}

impl Named<'_, '_> {
    /// `${NAME:-value}`: the value in the braces of a reference, if it has one. `None`
    /// when the name is not in braces.
    fn default_within_braces(&self) -> Option<Option<Value>> {
        if !self.bytes[..self.name.start].ends_with(b"${") {
            return None;
        }
        let from = self.name.end;
        let rest = &self.bytes[from..self.bytes.len().min(from + 200)];
        let sign = [&b":-"[..], b":=", b"-", b"="]
            .into_iter()
            .find(|sign| rest.starts_with(sign));
        let value = sign.and_then(|sign| {
            let end = memchr::memchr2(b'}', b'\n', rest).filter(|end| rest[*end] == b'}')?;
            (end > sign.len()).then(|| Value {
                span: from + sign.len()..from + end,
                form: Form::Tight,
            })
        });
        Some(value)
    }

    fn vote(&self, mut value: Value, votes: &mut Vec<Vote>) -> Option<Vote> {
        let bytes = self.bytes;
        // What is commented out, or in a text within a string, is judged by its looks.
        let is_aside = || {
            is_remark(bytes, self.name.start)
                || self.place.syntax == Syntax::Code && is_in_lines(bytes, self.name.start)
        };
        let place = match self.place.role == Role::Config && is_aside() {
            true => Place {
                role: Role::Other,
                ..self.place
            },
            false => self.place,
        };
        let is_config = place.role == Role::Config;
        let scheme = without_scheme(bytes, &mut value);
        let is_statement = bytes[self.name.clone()].eq_ignore_ascii_case(b"identified by");
        let is_text = is_statement || is_in_string(bytes, self.name);
        if is_config && value.form == Form::Loose && is_text {
            value.form = Form::Tight;
        }
        if is_config && scheme.is_none() && !is_default(bytes, self.name) {
            assigned::complete(bytes, self.name, &mut value, place.syntax);
        } else if value.form == Form::Bare {
            first_word_if_drawn(bytes, &mut value);
        }
        default_of_variable(bytes, &mut value);
        let found = &bytes[value.span.clone()];
        if place.role.is_program() && scheme.is_none() && self.is_expression(&value) {
            return None;
        }
        let scheme = scheme.or_else(|| self.user_and_password(found, value.form));
        let is_number = value.form == Form::Loose && is_counter(bytes, self.name, &value.span);
        if is_number || is_digest(bytes, &value.span) || is_checksum(bytes, self.name.start) {
            return None;
        }
        let is_vague = matches!(self.promise, Promise::Key | Promise::Salt);
        if is_vague && place.role.is_program() && is_one_of_many(bytes, &value.span) {
            return None;
        }
        votes.extend(Formats::get().near_value(bytes, value.span.start, place));
        let points = Evidence {
            name: &bytes[self.name.clone()],
            promise: self.promise,
            nature: nature(found),
            form: value.form,
            has_scheme: scheme.is_some(),
            place,
            found,
        }
        .points()?;
        Some(Vote {
            span: value.span,
            kind: scheme.unwrap_or_else(|| self.promise.kind()),
            points,
            reason: self.promise.reason(),
        })
    }

    /// `auth = "admin:secret"`, plain in configuration or in base64.
    fn user_and_password(&self, found: &[u8], form: Form) -> Option<&'static str> {
        let name = self.bytes[self.name.clone()].to_ascii_lowercase();
        let is_plain = self.place.role == Role::Config
            && self.promise == Promise::Auth
            && name.ends_with(b"auth")
            && !name.ends_with(b"oauth")
            && form != Form::Item;
        match is_plain && is_plain_pair(found) {
            true => Some("basic-auth"),
            false => user_and_password(self.promise, found),
        }
    }

    /// Tells whether a value in source code is an identifier or an expression: it has no
    /// quotes and is in no comment or string, or the text uses it as an identifier.
    fn is_expression(&self, value: &Value) -> bool {
        let found = &self.bytes[value.span.clone()];
        match value.form {
            Form::Bare | Form::Tight | Form::Loose => {
                may_be_expression(found) && !is_in_text(self.bytes, self.name.start)
            }
            _ => {
                is_interpolated(self.bytes, &value.span)
                    || is_label(self.bytes, self.name, &value.span)
                    || self.identifiers.has(found)
            }
        }
    }
}

/// Tells whether the name is within braces of a reference.
fn is_default(bytes: &[u8], name: &Range<usize>) -> bool {
    bytes[..name.start].ends_with(b"${")
}

/// Tells whether the line of the name is a remark.
fn is_remark(bytes: &[u8], start: usize) -> bool {
    let before = &bytes[start.saturating_sub(512)..start];
    let line = before
        .rsplit(|byte| *byte == b'\n')
        .next()
        .unwrap_or(before);
    let line = line.trim_ascii_start();
    [&b"#"[..], b"//", b";", b"--  ", b"-- ", b"<!--", b"REM "]
        .iter()
        .any(|sign| line.starts_with(sign))
        && !line.starts_with(b"//registry")
        && !line.ends_with(b"/:")
}

/// Tells whether the name is a part of an identifier such as `arn:aws:…:secret:x`.
fn is_in_resource(bytes: &[u8], start: usize) -> bool {
    let before = &bytes[start.saturating_sub(120)..start];
    let is_outside = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`".contains(byte);
    let word = before.rsplit(is_outside).next().unwrap_or(before);
    word.starts_with(b"arn:") || word.starts_with(b"urn:") || word.ends_with(b";:")
}

/// Tells whether a string is open where the name begins on its line.
fn is_in_string(bytes: &[u8], name: &Range<usize>) -> bool {
    let before = &bytes[name.start.saturating_sub(512)..name.start];
    // A name in quotes of its own.
    if before
        .last()
        .is_some_and(|quote| bytes.get(name.end) == Some(quote))
    {
        return false;
    }
    let line = before
        .rsplit(|byte| *byte == b'\n')
        .next()
        .unwrap_or(before);
    let is_odd = |quote: u8| !memchr::memchr_iter(quote, line).count().is_multiple_of(2);
    is_odd(b'"') || is_odd(b'\'')
}

/// `"auth": "dXNlcjpwYXNz"`, as Docker keeps it: base64 of `user:password`.
fn user_and_password(promise: Promise, found: &[u8]) -> Option<&'static str> {
    if promise != Promise::Auth {
        return None;
    }
    if found.len() < 12 {
        return None;
    }
    let text = checks::decode(found)?;
    let is_text = text.iter().all(|byte| matches!(byte, b' '..=b'~'));
    (is_text && text.contains(&b':')).then_some("basic-auth")
}

/// `admin:secret`, as it is.
fn is_plain_pair(found: &[u8]) -> bool {
    let Some(colon) = memchr::memchr(b':', found) else {
        return false;
    };
    let (user, secret) = (&found[..colon], &found[colon + 1..]);
    let is_user = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.@".contains(byte);
    let is_secret = secret.len() >= 4 && !secret.iter().any(|byte| b" /:(){}$<>".contains(byte));
    user.len() >= 3 && user.iter().all(is_user) && is_secret
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
