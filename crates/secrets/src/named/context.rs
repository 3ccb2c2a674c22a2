//! Context of a name and its value on their line: a remark, a string, a resource, and a value
//! within a reference.

use std::ops::Range;

use crate::assigned::{Value, string_at};
use crate::value::{ValueClass, nature};

/// Returns true if the line of the name is a remark.
pub(super) fn is_remark(bytes: &[u8], start: usize) -> bool {
    let before = &bytes[start.saturating_sub(512)..start];
    let line = before
        .rsplit(|byte| *byte == b'\n')
        .next()
        .unwrap_or(before);
    let line = line.trim_ascii_start();
    [
        &b"#"[..],
        b"//",
        b";",
        b"--  ",
        b"-- ",
        b"<!--",
        b"REM ",
        b"! ",
    ]
    .iter()
    .any(|sign| line.starts_with(sign))
        && !is_share(line)
        && !line.ends_with(b"/:")
}

/// Matches `//registry.npmjs.org/:_authToken`, `//nas/share /mnt cifs`: the address of a server and
/// a path at the start of a line, not a remark.
fn is_share(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"//") else {
        return false;
    };
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || b"._-".contains(byte);
    let length = rest.iter().take_while(is_part).count();
    length > 0 && rest[length..].starts_with(b"/")
}

/// Returns true if the name is part of an identifier such as `arn:aws:…:secret:x`.
pub(super) fn is_in_resource(bytes: &[u8], start: usize) -> bool {
    let before = &bytes[start.saturating_sub(120)..start];
    let is_outside = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`".contains(byte);
    let word = before.rsplit(is_outside).next().unwrap_or(before);
    word.starts_with(b"arn:") || word.starts_with(b"urn:") || word.ends_with(b";:")
}

/// Returns true if a statement of SQL names a user before `IDENTIFIED BY`; ASN.1 has the same words
/// for the identifiers of algorithms.
pub(super) fn is_after_user(bytes: &[u8], start: usize) -> bool {
    let before = bytes[start.saturating_sub(160)..start].to_ascii_lowercase();
    [&b"user"[..], b"grant", b"role", b"@"]
        .iter()
        .any(|word| memchr::memmem::find(&before, word).is_some())
}

/// Returns true if the name is that of an expanded variable: `$TOKEN && run`.
pub(super) fn is_used_variable(bytes: &[u8], name: &Range<usize>) -> bool {
    let word = &bytes[name.clone()];
    let is_upper = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_';
    let is_variable = word
        .strip_prefix(b"$")
        .is_some_and(|word| word.iter().all(is_upper));
    let behind = &bytes[name.end..bytes.len().min(name.end + 8)];
    is_variable && behind.trim_ascii_start().starts_with(b"&")
}

/// Returns true if the name is a Kubernetes annotation that names an object:
/// `nginx.ingress.kubernetes.io/auth-secret: basic-users`.
pub(super) fn is_annotation(bytes: &[u8], name: &Range<usize>, found: &[u8]) -> bool {
    let before = &bytes[name.start.saturating_sub(80)..name.start];
    let Some(before) = before.strip_suffix(b"/") else {
        return false;
    };
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-');
    let length = before.iter().rev().take_while(is_part).count();
    let (before, domain) = before.split_at(before.len() - length);
    let is_object =
        |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-./".contains(byte);
    domain.contains(&b'.')
        && !before.ends_with(b"/")
        && found.iter().all(is_object)
        && nature(found) != ValueClass::Drawn
}

/// Returns true if the value is a psql variable: `PASSWORD :'app_password'`.
pub(super) fn is_psql_variable(bytes: &[u8], name: &Range<usize>, value: &Range<usize>) -> bool {
    let between = &bytes[name.end..value.start.max(name.end)];
    let is_part = |byte: &u8| byte.is_ascii_lowercase() || matches!(byte, b'_' | b'0'..=b'9');
    matches!(between, b" :'" | b" :\"")
        && bytes[name.clone()].iter().all(u8::is_ascii_uppercase)
        && bytes[value.clone()].iter().all(is_part)
}

/// Returns true if the name is an argument of a call that creates a challenge with a public token:
/// `challenges.HTTP01(token=…)`.
pub(super) fn is_of_challenge(bytes: &[u8], name: &Range<usize>) -> bool {
    let before = &bytes[name.start.saturating_sub(64)..name.start];
    let Some(call) = before.trim_ascii_end().strip_suffix(b"(") else {
        return false;
    };
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b':');
    let length = call.iter().rev().take_while(is_part).count();
    let callee = call[call.len() - length..].to_ascii_lowercase();
    memchr::memmem::find(&callee, b"challenge").is_some()
}

/// Returns true if a string is open at the start of the name on its line.
pub(super) fn is_in_string(bytes: &[u8], name: &Range<usize>) -> bool {
    let before = &bytes[name.start.saturating_sub(512)..name.start];
    // A quoted name, or a word between spaces that is not a flag.
    let is_flag = bytes[name.start..].starts_with(b"-");
    if before
        .last()
        .is_some_and(|quote| bytes.get(name.end) == Some(quote) && !(is_flag && *quote == b' '))
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

/// Returns true if the value starts with the quote that ends the string around its name, as in
/// `grep 'token="' file | sed 's/"//'`: a search for the name.
pub(super) fn begins_behind_string(
    bytes: &[u8],
    name: &Range<usize>,
    value: &Range<usize>,
) -> bool {
    let [quote @ (b'"' | b'\''), next, ..] = bytes[value.clone()] else {
        return false;
    };
    let before = &bytes[name.start.saturating_sub(512)..name.start];
    let line = before
        .rsplit(|byte| *byte == b'\n')
        .next()
        .unwrap_or(before);
    let quotes = memchr::memchr_iter(quote, line).count();
    next.is_ascii_whitespace() && !quotes.is_multiple_of(2)
}

/// Finds the value in a reference: `${NAME:-value}`, `{{ name | default("value") }}`,
/// `$(echo value | base64 -d)`.
pub(super) fn default_of_variable(bytes: &[u8], value: &mut Value) {
    let found = &bytes[value.span.clone()];
    let start = value.span.start;
    if found.starts_with(b"${") && found.ends_with(b"}") {
        if let Some(at) = memchr::memmem::find(found, b":-") {
            value.span = start + at + 2..value.span.end - 1;
        }
    } else if found.starts_with(b"{{") {
        let default = memchr::memmem::find(found, b"default(").map(|at| at + 8);
        let default = default.or_else(|| memchr::memmem::find(found, b"default ").map(|at| at + 8));
        if let Some(span) = default.and_then(|at| string_at(bytes, start + at)) {
            value.span = span;
        }
    } else if bytes[start..].starts_with(b"$(echo ") {
        let far = bytes.len().min(start + 512);
        let rest = &bytes[start + 7..far];
        let rest = rest.strip_prefix(b"-n ").unwrap_or(rest);
        let at = far - rest.len();
        let is_end = |byte: &u8| b" |)\"'".contains(byte);
        let length = rest.iter().position(is_end).unwrap_or(rest.len());
        value.span = string_at(bytes, at).unwrap_or(at..at + length);
    }
}

/// Shortens a value to its first word if that is random and other text follows:
/// `token=0a1b… https://…`.
pub(super) fn first_word_if_drawn(bytes: &[u8], value: &mut Value) {
    let found = &bytes[value.span.clone()];
    let Some(space) = found.iter().position(u8::is_ascii_whitespace) else {
        return;
    };
    if nature(&found[..space]) == ValueClass::Drawn {
        value.span.end = value.span.start + space;
    }
}
