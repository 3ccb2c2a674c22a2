//! Literal arguments of a call.

use std::ops::Range;

use crate::assigned::string_at;

/// Returns the string that is the argument with this index, from 0. `within` starts after the
/// bracket of the call.
pub(super) fn literal(bytes: &[u8], within: Range<usize>, which: usize) -> Option<Range<usize>> {
    string(bytes, nth(bytes, within, which)?)
}

/// Returns the argument with this index: the text between two commas or brackets of the call.
fn nth(bytes: &[u8], within: Range<usize>, which: usize) -> Option<Range<usize>> {
    let (mut at, mut start) = (within.start, within.start);
    let (mut depth, mut number) = (0, 0);
    while at < within.end {
        match bytes[at] {
            b'"' | b'\'' | b'`' => {
                let span = string_at(bytes, at).filter(|span| span.end < within.end)?;
                at = span.end;
            }
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' if depth == 0 => return (number == which).then_some(start..at),
            // A call without brackets ends with its line.
            b'\n' if number == which && !bytes[start..at].trim_ascii().is_empty() => {
                return (depth == 0).then_some(start..at);
            }
            b')' | b']' | b'}' => depth -= 1,
            b',' if depth == 0 && number == which => return Some(start..at),
            b',' if depth == 0 => {
                number += 1;
                start = at + 1;
            }
            b';' if depth == 0 => return None,
            _ => {}
        }
        at += 1;
    }
    let is_end = within.end == bytes.len() && depth == 0 && number == which;
    is_end.then_some(start..within.end)
}

/// Returns the contents of the argument, if it is one string, optionally converted.
fn string(bytes: &[u8], argument: Range<usize>) -> Option<Range<usize>> {
    const WRAPPERS: [&[u8]; 5] = [
        b"[]byte(",
        b"String::from(",
        b"Buffer.from(",
        b"new String(",
        b"SecretString::from(",
    ];
    const CONVERSIONS: [&[u8]; 9] = [
        b")",
        b".into()",
        b".to_string()",
        b".to_owned()",
        b".getBytes(",
        b".encode(",
        b".toCharArray()",
        b".as_bytes()",
        b".as_ref()",
    ];
    let text = &bytes[argument.clone()];
    let blank = text.iter().take_while(|byte| byte.is_ascii_whitespace());
    let mut at = argument.start + blank.count();
    let rest = |at: usize| &bytes[at.min(argument.end)..argument.end];
    if let Some(wrapper) = WRAPPERS.iter().find(|name| rest(at).starts_with(name)) {
        at += wrapper.len();
    }
    if let [b'b' | b'r' | b'u' | b'B' | b'@', b'"' | b'\'', ..] = rest(at) {
        at += 1;
    }
    let span = string_at(bytes, at).filter(|span| span.end < argument.end)?;
    let behind = rest(span.end + 1).trim_ascii();
    let is_whole = behind.is_empty() || CONVERSIONS.iter().any(|one| behind.starts_with(one));
    let is_put_together = memchr::memmem::find(behind, b"+").is_some();
    (is_whole && !is_put_together).then_some(span)
}
