//! Where a name and its value are in their line: in a remark, a string, a resource, and the
//! value within a reference.

use std::ops::Range;

use crate::assigned::{Value, string_at};
use crate::value::{Nature, nature};

/// Tells whether the line of the name is a remark.
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
        && !line.starts_with(b"//registry")
        && !line.ends_with(b"/:")
}

/// Tells whether the name is a part of an identifier such as `arn:aws:…:secret:x`.
pub(super) fn is_in_resource(bytes: &[u8], start: usize) -> bool {
    let before = &bytes[start.saturating_sub(120)..start];
    let is_outside = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`".contains(byte);
    let word = before.rsplit(is_outside).next().unwrap_or(before);
    word.starts_with(b"arn:") || word.starts_with(b"urn:") || word.ends_with(b";:")
}

/// Tells whether a string is open where the name begins on its line.
pub(super) fn is_in_string(bytes: &[u8], name: &Range<usize>) -> bool {
    let before = &bytes[name.start.saturating_sub(512)..name.start];
    // A name in quotes of its own, or a word between spaces that is no flag.
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

/// `${NAME:-value}`, `{{ name | default("value") }}`, `$(echo value | base64 -d)`: the value
/// that a reference contains.
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

/// A value to the end of its line that is one drawn word and something else:
/// `token=0a1b… https://…`.
pub(super) fn first_word_if_drawn(bytes: &[u8], value: &mut Value) {
    let found = &bytes[value.span.clone()];
    let Some(space) = found.iter().position(u8::is_ascii_whitespace) else {
        return;
    };
    if nature(&found[..space]) == Nature::Drawn {
        value.span.end = value.span.start + space;
    }
}
