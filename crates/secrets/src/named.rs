//! Values of names for secrets: finds the names in one pass, and weighs the class of each name
//! against the form of its value.

mod context;
mod schemes;

use std::ops::Range;

use crate::assigned::{self, Form, Value, is_interpolated, values_of};
use crate::config_line::ConfigLine;
use crate::config_names;
use crate::country_codes::is_country;
use crate::data_names::{DataNames, is_counter, is_in_text as is_in_lines};
use crate::digests::{is_checksum, is_digest};
use crate::finding::Vote;
use crate::formats::Formats;
use crate::identifiers::{Identifiers, is_in_text, may_be_expression};
use crate::labels::is_label;
use crate::manifest::Manifest;
use crate::names::{self, NameClass};
use crate::place::{Purpose, Role, Syntax, TextContext};
use crate::prose;
use crate::redact::is_in_placeholder;
use crate::repeated_ids::RepeatedIds;
use crate::siblings::is_one_of_many;
use crate::stems::{Stem, stems};
use crate::value::{ValueClass, nature};
use crate::vocabulary::is_public;
use crate::weighing::Evidence;
use context::{
    begins_behind_string, default_of_variable, first_word_if_drawn, is_after_user, is_annotation,
    is_in_resource, is_in_string, is_of_challenge, is_psql_variable, is_remark, is_used_variable,
};
use schemes::{is_plain_pair, user_and_password, vote_for_scheme, without_scheme};

/// Longer values are not searched for names.
const LONG_VALUE: usize = 2048;

pub(crate) fn find(bytes: &[u8], place: TextContext, votes: &mut Vec<Vote>) {
    if place.syntax == Syntax::Digests {
        return;
    }
    let mut done = 0;
    let identifiers = Identifiers::of(bytes);
    let is_config = place.role == Role::Config && place.purpose != Purpose::Keeper;
    let is_program = place.role.is_program();
    let mut data = DataNames::default();
    let mut ids = RepeatedIds::default();
    let manifest = Manifest::read(bytes, place.layout);
    for (hit, stem) in stems(bytes) {
        if hit.start < done || is_in_placeholder(bytes, hit.start) {
            continue;
        }
        if stem == Stem::Scheme {
            votes.extend(vote_for_scheme(bytes, hit.start, place));
        }
        let name = name_around(bytes, hit.start, hit.end, done);
        done = name.end;
        if manifest.lists(&name) {
            continue;
        }
        let mut found = Vec::new();
        let place = manifest.place_of(&name, place);
        vote(bytes, &name, place, &identifiers, &mut found);
        // A long value may contain names.
        let is_long = |vote: &&Vote| vote.span.start >= done && vote.span.len() > LONG_VALUE;
        done = found
            .iter()
            .filter(is_long)
            .map(|vote| vote.span.end)
            .fold(done, usize::max);
        if (is_program || place.role == Role::Config) && !found.is_empty() {
            found = ids.keep(bytes, &name, place, found);
        }
        if is_config
            && !found.is_empty()
            && let Some(promise) = names::promise(&bytes[name.clone()])
        {
            found = data.keep(bytes, &name, promise, found);
        }
        votes.append(&mut found);
    }
    votes.extend(data.votes());
    votes.extend(ids.votes(bytes));
    let mut short = Vec::new();
    match place.role {
        Role::Config | Role::Text => find_short_names(bytes, place, &identifiers, votes),
        Role::Source | Role::Settings => {
            find_short_names(bytes, place, &identifiers, &mut short);
            short.retain(|vote| is_made_up(&bytes[vote.span.clone()]));
            votes.append(&mut short);
        }
        Role::Other => {}
    }
}

/// In a program, such a short name has many meanings: only the value can show that it is a
/// password.
fn is_made_up(found: &[u8]) -> bool {
    let has = |is: fn(&u8) -> bool| found.iter().any(is);
    matches!(nature(found), ValueClass::MadeUp | ValueClass::Drawn)
        && found.len() >= 8
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_alphabetic)
}

/// Short names that also count in prose.
const SHORT_IN_TEXTS: [&[u8]; 3] = [b"pw", b"PW", b"Pw"];

/// Votes on names that mean a secret only in configuration, or are too short to be searched in
/// every text: `psk`, `rootpw`, `MNEMONIC`.
fn find_short_names(
    bytes: &[u8],
    place: TextContext,
    identifiers: &Identifiers<'_>,
    votes: &mut Vec<Vote>,
) {
    const MORE: [&[u8]; 12] = [
        b"psk",
        b"PSK",
        b"mnemonic",
        b"MNEMONIC",
        b"seed",
        b"SEED",
        b"Seed",
        b"LOGIN=",
        b"login=",
        b"login:",
        b"PAT",
        b"pat",
    ];
    let more = MORE.iter().filter(|_| place.role == Role::Config);
    for stem in SHORT_IN_TEXTS.iter().chain(more) {
        for at in memchr::memmem::find_iter(bytes, stem) {
            let end = at
                + stem
                    .iter()
                    .take_while(|byte| byte.is_ascii_alphabetic())
                    .count();
            let is_part = |byte: &u8| byte.is_ascii_alphanumeric();
            if bytes.get(end).is_some_and(is_part) || is_in_placeholder(bytes, at) {
                continue;
            }
            let name = name_around(bytes, at, end, 0);
            // `-pMyRootPw` is a flag with its value.
            if bytes[name.start..].starts_with(b"-p") {
                continue;
            }
            vote(bytes, &name, place, identifiers, votes);
        }
    }
}

/// Returns the start of the first name at or after `from` whose value may continue after the end of
/// the text.
pub(crate) fn first_open(bytes: &[u8], from: usize) -> usize {
    // Maximum length of a value and its prefix; a longer word has no limit.
    const REACH: usize = 4096 + 256;
    const LONGEST: usize = 64 << 10;
    let far = bytes.len().saturating_sub(LONGEST).max(from);
    let short = SHORT_IN_TEXTS.iter().flat_map(|stem| {
        let found = memchr::memmem::find_iter(&bytes[far..], *stem);
        found.map(|at| at..at + stem.len())
    });
    let hits = stems(&bytes[far..]).map(|(hit, _)| hit).chain(short);
    let starts = hits.map(|hit| name_around(bytes, far + hit.start, far + hit.end, from));
    let is_open = |name: &Range<usize>| {
        let behind = &bytes[name.end..];
        // Beyond the reach of lists, a value ends with its line.
        let far = assigned::FARTHEST;
        match behind.len() {
            length if length < far => true,
            length if length > REACH => !behind[far..].iter().any(u8::is_ascii_whitespace),
            _ => memchr::memchr(b'\n', &behind[far..]).is_none(),
        }
    };
    let open = starts.filter(is_open).map(|name| name.start);
    open.min().unwrap_or(bytes.len())
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'$' | b'@')
}

/// Extends `start..end` to the whole name.
fn name_around(bytes: &[u8], start: usize, end: usize, least: usize) -> Range<usize> {
    let least = start.saturating_sub(names::LONGEST).max(least);
    let before = bytes[least..start].iter().rev();
    let before = before.take_while(|byte| is_name_byte(**byte)).count();
    let after = bytes[end..].iter().take(names::LONGEST);
    let mut after = after.take_while(|byte| is_name_byte(**byte)).count();
    let rest = &bytes[end + after..];
    // The stem of `contraseña` ends before a two-byte letter.
    if rest.starts_with("ña".as_bytes()) || rest.starts_with("ÑA".as_bytes()) {
        after += "ña".len();
    }
    // A full stop at the end is not part of the name.
    while after > 0 && matches!(bytes[end + after - 1], b'.' | b'-') {
        after -= 1;
    }
    start - before..end + after
}

fn vote(
    bytes: &[u8],
    name: &Range<usize>,
    place: TextContext,
    identifiers: &Identifiers<'_>,
    votes: &mut Vec<Vote>,
) -> Option<()> {
    let promise = config_names::promise(bytes, name, place)?;
    let is_statement = bytes[name.clone()].eq_ignore_ascii_case(b"identified by");
    let is_sql = place.role == Role::Config
        || bytes[name.clone()].starts_with(b"IDENT") && is_after_user(bytes, name.start);
    if is_in_resource(bytes, name.start)
        || is_statement && !is_sql
        || is_used_variable(bytes, name)
        || is_country(bytes, name)
        || promise == NameClass::Token && is_of_challenge(bytes, name)
    {
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
    let values = values_of(bytes, name, place.syntax);
    if promise == NameClass::Credential && named.is_login(&values) {
        named.vote_for_login(values, votes);
        return Some(());
    }
    for value in values {
        // The rest of a public key looks like a secret.
        if is_public(&bytes[value.span.clone()]) {
            break;
        }
        let vote = named.vote(value, votes);
        votes.extend(vote);
    }
    Some(())
}

/// The name of a secret in a text.
struct Named<'a, 'b> {
    bytes: &'a [u8],
    name: &'a Range<usize>,
    promise: NameClass,
    place: TextContext,
    identifiers: &'a Identifiers<'b>,
}

impl Named<'_, '_> {
    /// Returns the default value in a reference, if it has one: `${NAME:-value}`. Returns `None` if
    /// the name is not in braces.
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

    /// Returns true if the values of a name for credentials are a user and a password:
    /// `"credentials": ["user", "secret"]`. In `credentials=("user", "secret")` the user is already
    /// removed.
    fn is_login(&self, values: &[Value]) -> bool {
        let bytes = self.bytes;
        let is_word =
            |value: &Value| value.form == Form::Item && !bytes[value.span.clone()].contains(&b' ');
        let is_program = self.place.role == Role::Config || self.place.role.is_program();
        let is_whole = match values {
            [_, _] => true,
            [one] => {
                let behind = &bytes[bytes.len().min(one.span.end + 1)..];
                behind.trim_ascii_start().starts_with(b")")
            }
            _ => false,
        };
        is_program && is_whole && values.iter().all(is_word)
    }

    /// Votes on the last value of a login as a password. In a program, a word of letters is the
    /// name of something.
    fn vote_for_login(&self, mut values: Vec<Value>, votes: &mut Vec<Vote>) {
        let Some(mut value) = values.pop() else {
            return;
        };
        let found = &self.bytes[value.span.clone()];
        if self.place.role != Role::Config && found.iter().all(u8::is_ascii_alphabetic) {
            return;
        }
        value.form = Form::Quoted;
        let login = Named {
            promise: NameClass::Password,
            ..*self
        };
        let vote = login.vote(value, votes);
        votes.extend(vote);
    }

    /// Returns the context of the value: a configuration line counts as one in any text; a
    /// commented-out value, or one in a text inside a string, is judged by its form.
    fn place_of(&self, value: &Value) -> TextContext {
        let bytes = self.bytes;
        let line = ConfigLine {
            bytes,
            name: self.name,
            value,
            promise: self.promise,
        };
        let is_aside = || {
            is_remark(bytes, self.name.start) && !line.is_remark_of_setting()
                || self.place.syntax == Syntax::Code && is_in_lines(bytes, self.name.start)
        };
        let role = match self.place.role {
            Role::Config if is_aside() => Role::Other,
            _ if line.is_config(self.place) => Role::Config,
            role => role,
        };
        TextContext { role, ..self.place }
    }

    fn vote(&self, mut value: Value, votes: &mut Vec<Vote>) -> Option<Vote> {
        let bytes = self.bytes;
        let place = self.in_tests(self.place_of(&value));
        let is_config = place.role == Role::Config;
        let scheme = without_scheme(bytes, &mut value);
        let is_statement = bytes[self.name.clone()].eq_ignore_ascii_case(b"identified by");
        let is_text = is_statement || is_in_string(bytes, self.name);
        if is_config && value.form == Form::Loose && is_text {
            value.form = Form::Tight;
        }
        if is_config && scheme.is_none() && !is_default(bytes, self.name) {
            match self.place.role {
                Role::Config => assigned::complete(bytes, self.name, &mut value, place.syntax),
                _ => assigned::complete_word(bytes, self.name, &mut value),
            }
        } else if value.form == Form::Bare {
            first_word_if_drawn(bytes, &mut value);
        }
        default_of_variable(bytes, &mut value);
        let found = &bytes[value.span.clone()];
        if place.role.is_program() && scheme.is_none() && self.is_expression(&value) {
            return None;
        }
        if begins_behind_string(bytes, self.name, &value.span) {
            return None;
        }
        let scheme = scheme.or_else(|| self.user_and_password(found, value.form));
        let is_number = value.form == Form::Loose && is_counter(bytes, self.name, &value.span);
        if is_number || is_digest(bytes, &value.span) || is_checksum(bytes, self.name.start) {
            return None;
        }
        if is_config && self.names_elsewhere(&value.span) {
            return None;
        }
        let is_vague = matches!(self.promise, NameClass::Key | NameClass::Salt);
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
        assigned::complete_long(bytes, self.name, &mut value, place.syntax);
        Some(Vote {
            span: value.span,
            kind: scheme.unwrap_or_else(|| self.promise.kind()),
            points,
            reason: self.promise.reason(),
        })
    }

    /// Returns true if the value names an object or a variable that contains the secret.
    fn names_elsewhere(&self, value: &Range<usize>) -> bool {
        is_annotation(self.bytes, self.name, &self.bytes[value.clone()])
            || is_psql_variable(self.bytes, self.name, value)
    }

    /// Returns the context with the purpose of tests if the name is in the tests of a source file.
    fn in_tests(&self, place: TextContext) -> TextContext {
        let may_be = place.role == Role::Source && place.purpose == Purpose::Plain;
        match may_be && self.identifiers.is_in_tests(self.name.start) {
            true => TextContext {
                purpose: Purpose::Test,
                ..place
            },
            false => place,
        }
    }

    /// Returns the kind of `auth = "admin:secret"`, plain in configuration or in base64.
    fn user_and_password(&self, found: &[u8], form: Form) -> Option<&'static str> {
        let name = self.bytes[self.name.clone()].to_ascii_lowercase();
        let is_auth =
            self.promise == NameClass::Auth && name.ends_with(b"auth") && !name.ends_with(b"oauth");
        let is_plain = self.place.role == Role::Config
            && (is_auth || self.promise == NameClass::Credential)
            && form != Form::Item;
        match is_plain && is_plain_pair(found) {
            true => Some("basic-auth"),
            false => user_and_password(self.promise, found),
        }
    }

    /// Returns true if a value in source code is an identifier or an expression: it has no quotes
    /// and is not in a comment or string, or the text uses it as an identifier.
    fn is_expression(&self, value: &Value) -> bool {
        let found = &self.bytes[value.span.clone()];
        match value.form {
            Form::Bare | Form::Tight | Form::Loose => {
                may_be_expression(found) && !is_in_text(self.bytes, self.name.start)
            }
            _ => {
                is_interpolated(self.bytes, &value.span)
                    || is_joined(self.bytes, &value.span) && nature(found) != ValueClass::Drawn
                    || is_label(self.bytes, self.name, &value.span)
                    || self.identifiers.has(found)
            }
        }
    }
}

/// Matches `"md5" + digest(…)`: the string is part of a concatenation.
fn is_joined(bytes: &[u8], span: &Range<usize>) -> bool {
    let behind = &bytes[bytes.len().min(span.end + 1)..bytes.len().min(span.end + 16)];
    let rest = behind.trim_ascii_start().strip_prefix(b"+");
    let next = rest.and_then(|rest| rest.trim_ascii_start().first());
    next.is_some_and(u8::is_ascii_alphabetic)
}

/// Returns true if the name is in the braces of a reference.
fn is_default(bytes: &[u8], name: &Range<usize>) -> bool {
    bytes[..name.start].ends_with(b"${")
}
