//! Tables in prose with a header that names a password column, and files with lines of a user and a
//! secret.

use std::ops::Range;

use crate::finding::Vote;
use crate::names::{self, NameClass};
use crate::place::{Layout, TextContext};
use crate::stand_ins::stands_in;

/// Maximum length of a table header.
const HEAD: usize = 1024;

/// Votes on the tables and lines of a file.
pub(crate) fn find(bytes: &[u8], place: TextContext, votes: &mut Vec<Vote>) {
    match place.layout {
        Layout::Tables | Layout::Value(_) => in_text(bytes, votes),
        Layout::Pairs => lines(bytes, votes, |line| {
            let colon = memchr::memrchr(b':', line)?;
            Some(colon + 1..line.len())
        }),
        Layout::Thirds => lines(bytes, votes, third_word),
        Layout::QuotedPairs => lines(bytes, votes, second_string),
        _ => {}
    }
}

fn vote(span: Range<usize>, kind: &'static str) -> Vote {
    Vote {
        span,
        kind,
        points: 58,
        reason: "stands in a column for secrets",
    }
}

fn lines(bytes: &[u8], votes: &mut Vec<Vote>, secret: impl Fn(&[u8]) -> Option<Range<usize>>) {
    let mut at = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let start = at;
        at += line.len();
        let line = line.trim_ascii_end();
        if line.starts_with(b"#") || line.len() > 4096 {
            continue;
        }
        let span = secret(line).filter(|span| !stands_in(b"", &line[span.clone()]));
        votes.extend(span.map(|span| vote(start + span.start..start + span.end, "password")));
    }
}

/// `"user" "secret"`.
fn second_string(line: &[u8]) -> Option<Range<usize>> {
    let mut quotes = memchr::memchr_iter(b'"', line);
    let start = quotes.nth(2)? + 1;
    let end = quotes.next()?;
    line.starts_with(b"\"").then_some(start..end)
}

fn third_word(line: &[u8]) -> Option<Range<usize>> {
    let mut at = 0;
    for number in 0.. {
        at += line[at..]
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace())
            .count();
        let length = line[at..]
            .iter()
            .take_while(|byte| !byte.is_ascii_whitespace())
            .count();
        if length == 0 {
            return None;
        }
        if number == 2 {
            return Some(at..at + length);
        }
        at += length;
    }
    None
}

/// The secret columns of the current table.
enum Table {
    None,
    /// Cells between bars: the index of each column.
    Bars(Vec<(usize, NameClass)>),
    /// Aligned cells: the range of each column.
    Rules(Vec<(Range<usize>, NameClass)>),
}

fn in_text(bytes: &[u8], votes: &mut Vec<Vote>) {
    let mut table = Table::None;
    let mut before: &[u8] = b"";
    let mut above: &[u8] = b"";
    let mut at = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let start = at;
        at += line.len();
        let line = line.trim_ascii_end();
        if is_bars_rule(line) {
            table = bars(before);
        } else if is_plain_rule(line) {
            table = match is_plain_rule(above) {
                true => rules(line, before),
                false => Table::None,
            };
        } else {
            match &table {
                Table::Bars(columns) if line.contains(&b'|') => {
                    bars_row(line, start, columns, votes);
                }
                Table::Rules(columns) if !line.is_empty() => {
                    rules_row(line, start, columns, votes);
                }
                _ => table = Table::None,
            }
        }
        above = before;
        before = line;
    }
}

/// `|---|:---|`
fn is_bars_rule(line: &[u8]) -> bool {
    line.contains(&b'|')
        && memchr::memmem::find(line, b"--").is_some()
        && line.iter().all(|byte| b"|-: \t".contains(byte))
}

/// `=====  =====`
fn is_plain_rule(line: &[u8]) -> bool {
    memchr::memmem::find(line, b"== ").is_some()
        && line.iter().all(|byte| matches!(byte, b'=' | b' '))
}

fn promise(cell: &[u8]) -> Option<NameClass> {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric();
    let start = cell.iter().position(is_name)?;
    let end = cell.iter().rposition(is_name)? + 1;
    let joined = |byte: &u8| {
        if byte.is_ascii_alphanumeric() {
            *byte
        } else {
            b'_'
        }
    };
    let name: Vec<u8> = cell[start..end].iter().map(joined).collect();
    let is_secret = |promise: &NameClass| {
        matches!(
            promise,
            NameClass::Password | NameClass::Secret | NameClass::Token | NameClass::ApiKey
        )
    };
    // `Tokens` is a count or a vocabulary, `Token` a credential.
    let is_plural = name.to_ascii_lowercase().ends_with(b"tokens");
    names::promise(&name).filter(|promise| is_secret(promise) && !is_plural)
}

fn bars(head: &[u8]) -> Table {
    if head.len() > HEAD {
        return Table::None;
    }
    let cells = head.split(|byte| *byte == b'|').enumerate();
    let columns: Vec<_> = cells
        .filter_map(|(number, cell)| Some((number, promise(cell)?)))
        .collect();
    match columns.is_empty() {
        true => Table::None,
        false => Table::Bars(columns),
    }
}

fn bars_row(line: &[u8], start: usize, columns: &[(usize, NameClass)], votes: &mut Vec<Vote>) {
    let mut at = 0;
    for (number, cell) in line.split(|byte| *byte == b'|').enumerate() {
        let begin = at;
        at += cell.len() + 1;
        if let Some((_, promise)) = columns.iter().find(|(column, _)| *column == number) {
            votes.extend(vote_for_cell(cell, start + begin, *promise));
        }
    }
}

fn rules(line: &[u8], head: &[u8]) -> Table {
    if line.len() > HEAD {
        return Table::None;
    }
    let mut columns = Vec::new();
    let mut at = 0;
    while at < line.len() {
        let length = line[at..].iter().take_while(|byte| **byte == b'=').count();
        let is_last = !line[at + length..].contains(&b'=');
        let end = if is_last { usize::MAX } else { at + length };
        let cell = head.get(at..end.min(head.len())).unwrap_or_default();
        columns.extend(promise(cell).map(|promise| (at..end, promise)));
        at += length.max(1);
    }
    match columns.is_empty() {
        true => Table::None,
        false => Table::Rules(columns),
    }
}

fn rules_row(
    line: &[u8],
    start: usize,
    columns: &[(Range<usize>, NameClass)],
    votes: &mut Vec<Vote>,
) {
    for (span, promise) in columns {
        let cell = line
            .get(span.start..span.end.min(line.len()))
            .unwrap_or_default();
        votes.extend(vote_for_cell(cell, start + span.start, *promise));
    }
}

/// Votes on a cell without the characters around it; tokens and keys need more than letters.
fn vote_for_cell(cell: &[u8], start: usize, promise: NameClass) -> Option<Vote> {
    let is_around = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'`' | b'*');
    let first = cell.iter().position(|byte| !is_around(byte))?;
    let last = cell.iter().rposition(|byte| !is_around(byte))? + 1;
    let value = &cell[first..last];
    let words = value.split(|byte| *byte == b' ').count();
    let is_letters = value
        .iter()
        .all(|byte| byte.is_ascii_alphabetic() || *byte == b' ');
    let is_value = match promise {
        NameClass::Password => words <= 3,
        _ => words == 1 && !is_letters,
    };
    let has_letter = value.iter().any(u8::is_ascii_alphanumeric);
    (is_value && has_letter && !stands_in(b"", value))
        .then(|| vote(start + first..start + last, promise.kind()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, text: &str, expected: &[&str]) {
        let mut votes = Vec::new();
        find(text.as_bytes(), TextContext::new(path), &mut votes);
        let found: Vec<_> = votes.into_iter().map(|vote| &text[vote.span]).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn tables_and_lines() {
        check(
            "a.md",
            "| User | Password |\n|---|:---:|\n| joe | `open-it` |\n| may | none |\n\nx | y\n",
            &["open-it"],
        );
        check(
            "a.md",
            "| Option | Default |\n|---|---|\n| password | x1y2z3 |\n",
            &[],
        );
        check(
            "a.rst",
            "====  ========\nuser  password\n====  ========\njoe   open-it\n====  ========\n",
            &["open-it"],
        );
        check(
            ".htpasswd",
            "joe:$apr1$abc$def\n# x:y\n",
            &["$apr1$abc$def"],
        );
        check("ppp/chap-secrets", "joe * open-it *\n", &["open-it"]);
    }
}
