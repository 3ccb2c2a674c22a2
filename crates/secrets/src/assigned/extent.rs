//! End of an unquoted value: the end of its line, of its word, or of the surrounding string, list
//! or query, depending on the kind of file.

use std::ops::Range;

use super::{Form, Value};
use crate::place::Syntax;
use crate::vocabulary::is_vocabulary;

/// Maximum distance to the start of a line.
const BACK: usize = 512;

/// Maximum bytes of a value that are examined before it is known to be a secret.
const NEAR: usize = 4096;

/// Maximum length of a value.
const LONGEST: usize = 1 << 20;

/// Maximum number of lines that one value spans.
const LINES: usize = 16;

/// Extends `value` of the name at `name` in configuration to its end, if that is near. A text may
/// be one line of names, and most of their values are not secrets.
pub(crate) fn complete(bytes: &[u8], name: &Range<usize>, value: &mut Value, syntax: Syntax) {
    let far = bytes.len().min(value.span.start + NEAR);
    complete_within(&bytes[..far.max(value.span.end)], name, value, syntax);
}

/// Extends a secret to its end, however long it is.
pub(crate) fn complete_long(bytes: &[u8], name: &Range<usize>, value: &mut Value, syntax: Syntax) {
    if value.span.len() + 256 < NEAR {
        return;
    }
    let start = value.span.start;
    complete_within(bytes, name, value, syntax);
    if matches!(value.form, Form::Bare | Form::Tight | Form::Loose) && value.span.len() >= NEAR - 8
    {
        let rest = &bytes[value.span.end..bytes.len().min(start + LONGEST)];
        let is_end = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`".contains(byte);
        value.span.end += rest.iter().position(is_end).unwrap_or(rest.len());
    }
}

fn complete_within(bytes: &[u8], name: &Range<usize>, value: &mut Value, syntax: Syntax) {
    match value.form {
        Form::Quoted => {
            doubled_quotes(bytes, value, syntax);
            if syntax == Syntax::Settings {
                behind_quote(bytes, name, value);
            }
        }
        Form::Bare | Form::Tight => {
            let between = &bytes[name.end.min(value.span.start)..value.span.start];
            // Items of a list, element texts, and the lines below have their own end.
            let is_below =
                |at| between[at] == b'\n' && !between[..at].trim_ascii_end().ends_with(b"\\");
            let is_inner = between.iter().any(|byte| b"[({>".contains(byte))
                || memchr::memchr_iter(b'\n', between).any(is_below);
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

/// Extends `value` to the end of its word, in a text that is not configuration itself.
pub(crate) fn complete_word(bytes: &[u8], name: &Range<usize>, value: &mut Value) {
    let between = &bytes[name.end.min(value.span.start)..value.span.start];
    let is_word = matches!(value.form, Form::Bare | Form::Tight | Form::Loose);
    if !is_word || between.contains(&b'\n') {
        return;
    }
    let start = value.span.start;
    let rest = &bytes[start..bytes.len().min(start + NEAR)];
    // Part of a query.
    let is_query = matches!(bytes[..name.start].last(), Some(b'&' | b'?'));
    let is_end = |at: usize| {
        is_query && rest[at] == b'&'
            || ends_word(rest, at, rest[at])
            || b"\"'\\,".contains(&rest[at])
    };
    let length = (0..rest.len()).find(|at| is_end(*at)).unwrap_or(rest.len());
    let is_stop = |byte: &&u8| b".:".contains(byte);
    let stops = rest[..length].iter().rev().take_while(is_stop).count();
    if length > stops {
        let word = &rest[..length - stops];
        value.span.end = start + without_ending(word).len();
        value.form = Form::Tight;
    }
}

/// Returns `Qx7mN4kz9w` for `Qx7mN4kz9w.py`: a file name may contain a secret.
fn without_ending(word: &[u8]) -> &[u8] {
    let Some(dot) = memchr::memrchr(b'.', word) else {
        return word;
    };
    let (stem, ending) = (&word[..dot], &word[dot + 1..]);
    let is_ending = (1..=4).contains(&ending.len()) && ending.iter().all(u8::is_ascii_lowercase);
    match is_ending && stem.len() >= 8 && !is_vocabulary(stem) {
        true => stem,
        false => word,
    }
}

/// Extends `"a b"c`: in a variable file the word continues after the quote.
fn behind_quote(bytes: &[u8], name: &Range<usize>, value: &mut Value) {
    let is_variable = bytes.get(name.end) == Some(&b'=') && value.span.start <= name.end + 2;
    let rest = bytes.get(value.span.end + 1..).unwrap_or_default();
    let begins = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'"' | b'\'' | b'\\');
    if !is_variable || !rest.first().is_some_and(begins) {
        return;
    }
    let length = rest.iter().position(u8::is_ascii_whitespace);
    let word = &rest[..length.unwrap_or(rest.len())];
    let open = bytes[value.span.start - 1];
    let quote = usize::from(word.last() == Some(&open) && word.len() > 1);
    value.span.end += 1 + word.len() - quote;
}

/// Extends `'it''s'`: a doubled quote is part of a string of YAML or SQL.
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
    let prefix = line_before(bytes, name.start);
    let rest = &bytes[start..bytes.len().min(start + LONGEST)];
    let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
    let until = |ends: &dyn Fn(usize, u8) -> bool| {
        let mut each = line.iter().enumerate();
        let end = each.position(|(at, byte)| ends(at, *byte));
        start + line[..end.unwrap_or(line.len())].trim_ascii_end().len()
    };
    let quotes = open_quotes(prefix);
    let is_quote = |byte: u8| quotes.contains(&byte);
    let count = |sign: u8| memchr::memchr_iter(sign, prefix).count();
    let is_in_list = count(b'{') > count(b'}') || count(b'[') > count(b']');
    let joint = prefix.trim_ascii_end().last();
    if matches!(joint, Some(b'&' | b'?')) || prefix.ends_with(b"&amp;") {
        return until(&|_, byte| byte <= b' ' || b"&\"'`<>#)".contains(&byte));
    }
    if is_option(prefix) {
        return until(&|_, byte| byte <= b' ' || byte == b',' || is_quote(byte));
    }
    if joint == Some(&b';') {
        return until(&|at, byte| {
            byte == b';' && !closes_entity(&line[..at]) || byte == b'"' || is_quote(byte)
        });
    }
    // `'{"password":x}'`: the quotes belong to the name.
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
    let is_flow = matches!(joint, Some(b'{' | b','))
        && is_in_list
        && bytes[name.end..start].starts_with(b": ");
    if is_flow && syntax == Syntax::Settings {
        return until(&|_, byte| b",}]".contains(&byte) || is_quote(byte));
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

/// Matches `username=a,` before a name, as in the options of a mount: `password=x,uid=1`.
fn is_option(prefix: &[u8]) -> bool {
    let word = prefix.rsplit(u8::is_ascii_whitespace).next();
    let word = word.unwrap_or_default();
    prefix.ends_with(b",") && word.contains(&b'=') && !word.contains(&b'"')
}

/// Returns the end of the line before `at`, which is enough.
fn line_before(bytes: &[u8], at: usize) -> &[u8] {
    let before = &bytes[at.saturating_sub(BACK)..at];
    let line = before.rsplit(|byte| *byte == b'\n').next();
    line.unwrap_or(before)
}

/// Returns the open quotes at the end of `prefix`.
fn open_quotes(prefix: &[u8]) -> Vec<u8> {
    let is_odd = |quote: u8| !memchr::memchr_iter(quote, prefix).count().is_multiple_of(2);
    let quotes = b"\"'`".iter().copied();
    quotes.filter(|quote| is_odd(*quote)).collect()
}

/// Returns true if the `;` after `text` closes `&amp;` or another XML entity.
fn closes_entity(text: &[u8]) -> bool {
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'#';
    let length = text.iter().rev().take(8).take_while(is_part).count();
    length >= 2 && text[..text.len() - length].ends_with(b"&")
}

/// Returns true if only the quote, or the quote and a list marker, precedes the name:
/// `"PASSWORD=two words"`.
fn is_begin_of_string(prefix: &[u8], quotes: &[u8]) -> bool {
    prefix.last().is_some_and(|last| quotes.contains(last))
}

/// Returns true if other pairs or a command precede the name, so that the value is one word:
/// `Environment=A=1 PASSWORD=x`, `web1 user=a password=x`, `web: PASSWORD=x run`.
fn is_one_of_many(prefix: &[u8]) -> bool {
    let is_remark = |byte: &u8| b"#;!/ \t".contains(byte);
    let signs = prefix.iter().take_while(|byte| is_remark(byte)).count();
    let prefix = prefix[signs..].trim_ascii();
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

/// Matches `set NAME=two words`, in which a value extends to the end of its line.
fn is_command_of_windows(prefix: &[u8]) -> bool {
    let prefix = prefix.trim_ascii();
    prefix.eq_ignore_ascii_case(b"set") || prefix.eq_ignore_ascii_case(b"@set")
}

/// Returns true if a shell ends the word here. `&` within a word is an unquoted character by
/// mistake.
fn ends_word(line: &[u8], at: usize, byte: u8) -> bool {
    match byte {
        b'&' => !line.get(at + 1).is_some_and(u8::is_ascii_alphanumeric),
        b';' | b'|' | b'<' | b'>' | b')' | b'`' => true,
        _ => byte <= b' ',
    }
}

/// Returns true at a remark after a value: its first character has a space before it.
fn is_remark(line: &[u8], at: usize, byte: u8) -> bool {
    byte == b'#' && at > 0 && matches!(line[at - 1], b' ' | b'\t')
}

/// Returns the end of a value that a `\` at the end of a line continues.
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
