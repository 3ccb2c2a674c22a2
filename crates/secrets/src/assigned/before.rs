//! Reversed pairs: `- value: X` and then `name: NAME`, `{"value": "X", "name": "NAME"}`.

use std::ops::Range;

use super::{Form, Value};
use crate::place::Syntax;

/// Maximum distance from a name back to its value.
const REACH: usize = 300;

/// Returns the value before the entry with the name at `name`. Never in prose, because a stream has
/// already emitted it.
pub(super) fn value_before(bytes: &[u8], name: &Range<usize>, syntax: Syntax) -> Option<Value> {
    if syntax == Syntax::Prose {
        return None;
    }
    let begin = name.start.saturating_sub(REACH);
    let before = bytes[begin..name.start].trim_ascii_end();
    if let Some(value) = attribute(before, begin) {
        return Some(value);
    }
    let before = without_quote(before).trim_ascii_end();
    let before = before.strip_suffix(b":")?;
    let key = without_quote(before);
    let before = key
        .strip_suffix(b"name")
        .or_else(|| key.strip_suffix(b"key"))?;
    match without_quote(before).len() < before.len() {
        true => member(without_quote(before), begin),
        false => line_above(before, begin),
    }
}

fn without_quote(text: &[u8]) -> &[u8] {
    let text = text.strip_suffix(b"\"").unwrap_or(text);
    text.strip_suffix(b"\\").unwrap_or(text)
}

/// Matches `{"value": "X",` at the end of the text before.
fn member(before: &[u8], begin: usize) -> Option<Value> {
    let before = before.trim_ascii_end().strip_suffix(b",")?;
    let before = without_quote(before.trim_ascii_end().strip_suffix(b"\"")?);
    let start = memchr::memrchr(b'"', before)? + 1;
    let head = without_quote(before[..start].trim_ascii_end());
    let head = without_quote(head.trim_ascii_end().strip_suffix(b":")?);
    let head = without_quote(head.strip_suffix(b"value")?).trim_ascii_end();
    head.ends_with(b"{").then_some(Value {
        span: begin + start..begin + before.len(),
        form: Form::Quoted,
    })
}

/// Matches `<add value="X" key="` at the end of the text before.
fn attribute(before: &[u8], begin: usize) -> Option<Value> {
    let (quote, before) = before.split_last()?;
    if !matches!(quote, b'"' | b'\'') {
        return None;
    }
    let key = before.strip_suffix(b"=")?;
    let key = key
        .strip_suffix(b"name")
        .or_else(|| key.strip_suffix(b"key"))?;
    let head = key.trim_ascii_end().strip_suffix(&[*quote])?;
    let start = memchr::memrchr(*quote, head)? + 1;
    let tag = head[..start - 1].strip_suffix(b"value=")?;
    let is_own = key.last().is_some_and(u8::is_ascii_whitespace) && tag.ends_with(b" ");
    let open = tag.iter().rposition(|byte| b"<>".contains(byte));
    let open = open.filter(|at| tag[*at] == b'<');
    (is_own && open.is_some()).then_some(Value {
        span: begin + start..begin + head.len(),
        form: Form::Quoted,
    })
}

/// Matches `- value: X` on the line above, if the line of the name does not start an item.
fn line_above(before: &[u8], begin: usize) -> Option<Value> {
    let end = memchr::memrchr(b'\n', before)?;
    let indent = &before[end + 1..];
    if !indent.iter().all(|byte| *byte == b' ') {
        return None;
    }
    let start = memchr::memrchr(b'\n', &before[..end]).map_or(0, |at| at + 1);
    let line = before[start..end].trim_ascii_end();
    let item = line.trim_ascii_start().strip_prefix(b"- value:")?;
    let found = item.trim_ascii();
    let is_quoted =
        found.len() > 2 && matches!(found[0], b'"' | b'\'') && found.last() == found.first();
    let quote = usize::from(is_quoted);
    let end = begin + start + line.len() - quote;
    let span = end + 2 * quote - found.len()..end;
    let form = if is_quoted { Form::Quoted } else { Form::Bare };
    (!span.is_empty()).then_some(Value { span, form })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn value_before_its_name_is_found() {
        for (text, syntax, expected) in [
            ("- value: X1\n  name: NAME", Syntax::Settings, Some("X1")),
            (
                "- value: 'X1'\n  name: \"NAME",
                Syntax::Settings,
                Some("X1"),
            ),
            ("- value: X1\n- name: NAME", Syntax::Settings, None),
            ("- value:\n  name: NAME", Syntax::Settings, None),
            (
                "{\"value\": \"X1\", \"name\": \"NAME",
                Syntax::Code,
                Some("X1"),
            ),
            (
                "{\\\"value\\\":\\\"X1\\\",\\\"name\\\":\\\"NAME",
                Syntax::Code,
                Some("X1"),
            ),
            ("{\"a\": \"X1\", \"name\": \"NAME", Syntax::Code, None),
            ("- value: X1\n  name: NAME", Syntax::Prose, None),
            ("<add value=\"X1\" key=\"NAME", Syntax::Settings, Some("X1")),
            (
                "<p a='b' value='X1'\n name='NAME",
                Syntax::Settings,
                Some("X1"),
            ),
            ("<add other=\"X1\" key=\"NAME", Syntax::Settings, None),
            ("<a value=\"X1\"/><add key=\"NAME", Syntax::Settings, None),
        ] {
            let start = text.find("NAME").unwrap();
            let value = value_before(text.as_bytes(), &(start..text.len()), syntax);
            assert_eq!(value.map(|value| &text[value.span]), expected, "{text}");
        }
    }
}
