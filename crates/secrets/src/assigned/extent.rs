//! How far a value reaches that has no quotes: to the end of its line, of its word, or
//! of the string, list or query that it is a part of, as the kind of file has it.

use std::ops::Range;

use super::{Form, Value};
use crate::place::Syntax;

/// How far back the beginning of a line is looked for.
const BACK: usize = 512;

/// The longest value.
const LONGEST: usize = 4096;

/// The most lines that one value goes on over.
const LINES: usize = 16;

/// Makes `value`, given to the name at `name` in configuration, reach to its end.
pub(crate) fn complete(bytes: &[u8], name: &Range<usize>, value: &mut Value, syntax: Syntax) {
    match value.form {
        Form::Quoted => doubled_quotes(bytes, value, syntax),
        Form::Bare | Form::Tight => {
            let between = &bytes[name.end.min(value.span.start)..value.span.start];
            // Items of a list, the text of an element, and lines below end by themselves.
            let is_inner = between.iter().any(|byte| b"[({>\n".contains(byte));
            if value.span.start >= name.end && !is_inner {
                let end = end_of(bytes, name, value.span.start, syntax);
                if end > value.span.start {
                    value.span.end = end;
                }
            }
        }
        _ => {}
    }
}

/// `'it''s'`: two quotes are one within a string of YAML or SQL.
fn doubled_quotes(bytes: &[u8], value: &mut Value, syntax: Syntax) {
    let quote = b'\'';
    let is_single = value.span.start > 0 && bytes[value.span.start - 1] == quote;
    if !is_single || syntax == Syntax::Shell {
        return;
    }
    let far = bytes.len().min(value.span.start + LONGEST);
    while bytes.get(value.span.end..value.span.end + 2) == Some(b"''") {
        let from = value.span.end + 2;
        let rest = &bytes[from.min(far)..far];
        let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
        let Some(next) = memchr::memchr(quote, line) else {
            return;
        };
        value.span.end = from + next;
    }
}

fn end_of(bytes: &[u8], name: &Range<usize>, start: usize, syntax: Syntax) -> usize {
    let begin = name.start.saturating_sub(BACK);
    let before = &bytes[begin..name.start];
    let prefix = before
        .rsplit(|byte| *byte == b'\n')
        .next()
        .unwrap_or(before);
    let rest = &bytes[start..bytes.len().min(start + LONGEST)];
    let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
    let until = |ends: &dyn Fn(usize, u8) -> bool| {
        let mut each = line.iter().enumerate();
        let end = each.position(|(at, byte)| ends(at, *byte));
        start + line[..end.unwrap_or(line.len())].trim_ascii_end().len()
    };
    let is_odd = |quote: u8| !memchr::memchr_iter(quote, prefix).count().is_multiple_of(2);
    let quotes: Vec<u8> = b"\"'`"
        .iter()
        .copied()
        .filter(|quote| is_odd(*quote))
        .collect();
    let is_quote = |byte: u8| quotes.contains(&byte);
    let count = |sign: u8| memchr::memchr_iter(sign, prefix).count();
    let is_in_list = count(b'{') > count(b'}') || count(b'[') > count(b']');
    let joint = prefix.trim_ascii_end().last();
    if matches!(joint, Some(b'&' | b'?')) || prefix.ends_with(b"&amp;") {
        return until(&|_, byte| byte <= b' ' || b"&\"'`<>#)".contains(&byte));
    }
    if joint == Some(&b';') {
        return until(&|_, byte| byte == b';' || byte == b'"' || is_quote(byte));
    }
    // `'{"password":x}'`: the quotes are the name's.
    let is_quoted = bytes
        .get(name.end)
        .is_some_and(|byte| Some(byte) == prefix.last());
    if !quotes.is_empty()
        && !is_quoted
        && !bytes[name.start..].starts_with(b"-")
        && is_begin_of_string(prefix, &quotes)
    {
        return until(&|_, byte| is_quote(byte));
    }
    if bytes[name.start..].starts_with(b"-") || is_one_of_many(prefix) {
        return until(&|at, byte| {
            is_quote(byte) || ends_word(line, at, byte) || is_in_list && b",]}".contains(&byte)
        });
    }
    if is_in_list && syntax != Syntax::Shell {
        return until(&|_, byte| b",}]".contains(&byte) || is_quote(byte));
    }
    let between = &bytes[name.end..start];
    let has_sign = between.iter().any(|byte| !byte.is_ascii_whitespace());
    let is_loose = !has_sign || between.len() > 1 && between.contains(&b' ');
    if syntax == Syntax::Shell && !is_loose && !is_command_of_windows(prefix) {
        return until(&|at, byte| is_quote(byte) || ends_word(line, at, byte));
    }
    let end = until(&|at, byte| is_remark(line, at, byte) || is_quote(byte));
    continued(bytes, end)
}

/// Tells whether nothing but the quote, or the quote and a list mark, comes before the
/// name: `"PASSWORD=two words"`.
fn is_begin_of_string(prefix: &[u8], quotes: &[u8]) -> bool {
    prefix.last().is_some_and(|last| quotes.contains(last))
}

/// Tells whether other pairs or a command come before the name, so that the value is one
/// word: `Environment=A=1 PASSWORD=x`, `web1 user=a password=x`, `web: PASSWORD=x run`.
fn is_one_of_many(prefix: &[u8]) -> bool {
    let prefix = prefix.trim_ascii();
    let has_pair = memchr::memchr(b'=', prefix).is_some();
    let words = prefix
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty());
    let is_lead = |word: &[u8]| {
        matches!(
            word,
            b"-" | b"export"
                | b"set"
                | b"env"
                | b"ENV"
                | b"ARG"
                | b"declare"
                | b"-x"
                | b"local"
                | b"readonly"
                | b"setx"
                | b"*"
                | b"?"
                | b"SetEnv"
                | b"override"
                | b"define"
        )
    };
    has_pair || words.clone().any(|word| !is_lead(word)) && !prefix.ends_with(b"/:")
}

/// `set NAME=two words`, where a value goes to the end of its line.
fn is_command_of_windows(prefix: &[u8]) -> bool {
    let prefix = prefix.trim_ascii();
    prefix.eq_ignore_ascii_case(b"set") || prefix.eq_ignore_ascii_case(b"@set")
}

/// Tells whether a shell ends the word here. `&` within a word is a character that somebody
/// forgot to quote.
fn ends_word(line: &[u8], at: usize, byte: u8) -> bool {
    match byte {
        b'&' => !line.get(at + 1).is_some_and(u8::is_ascii_alphanumeric),
        b';' | b'|' | b'<' | b'>' | b')' | b'`' => true,
        _ => byte <= b' ',
    }
}

/// A remark behind a value begins with a sign that has space before it.
fn is_remark(line: &[u8], at: usize, byte: u8) -> bool {
    byte == b'#' && at > 0 && matches!(line[at - 1], b' ' | b'\t')
}

/// `\` at the end of a line: the value goes on in the next one.
fn continued(bytes: &[u8], mut end: usize) -> usize {
    let first = end;
    for _ in 0..LINES {
        if !bytes[..end].ends_with(b"\\") || bytes[..end].ends_with(b"\\\\") {
            break;
        }
        let newline = bytes[end..]
            .iter()
            .take_while(|byte| matches!(byte, b'\r' | b'\n'));
        let next = end + newline.count().min(2);
        let rest = &bytes[next..bytes.len().min(first + LONGEST).max(next)];
        let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
        end = next + line.trim_ascii_end().len();
    }
    end
}
