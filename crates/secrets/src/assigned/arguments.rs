//! Strings in calls and lists of a program: which argument belongs to a name, and whether a quote
//! opens or closes a string.

use std::ops::Range;

use super::strings::QUOTES;
use super::{Cursor, Form, Value};
use crate::place::Syntax;

/// Maximum distance to the start of a line.
const BACK: usize = 512;

impl Cursor<'_> {
    /// Returns the argument of a call that belongs to its name: the only string, or the last one if
    /// the name implies other arguments (`set_password("system", "user", "…")`). One of several
    /// strings is a value only if it has the form of one.
    pub(super) fn argument(&mut self) -> Option<Value> {
        let first = self.quoted()?;
        let last = self.last_string(first.end + 1);
        let name = self.bytes[self.start..self.at].to_ascii_lowercase();
        let name = name.rsplit(|byte| *byte == b'.').next().unwrap_or(&name);
        let is_pair = name.starts_with(b"set") || memchr::memmem::find(name, b"_and_").is_some();
        Some(match last {
            None => Value {
                span: first,
                form: Form::Argument,
            },
            Some(span) if is_pair => Value {
                span,
                form: Form::Argument,
            },
            Some(_) => Value {
                span: first,
                form: Form::Listed,
            },
        })
    }

    /// Returns the last string between `from` and the end of the call, on its line.
    fn last_string(&self, from: usize) -> Option<Range<usize>> {
        let mut at = from;
        let mut depth = 0;
        let mut last = None;
        while at < self.end {
            match self.bytes[at] {
                b'\n' | b';' | b'{' => return last,
                b'(' => depth += 1,
                b')' if depth == 0 => return last,
                b')' => depth -= 1,
                byte if QUOTES.contains(&byte) => {
                    let span = super::string_at(self.bytes, at)?;
                    at = span.end;
                    last = Some(span);
                }
                _ => {}
            }
            at += 1;
        }
        last
    }

    /// Returns true if the first item in brackets is one of a list or itself a value:
    /// `["api_key", "account_id"]`, `hash("password", "$2a$…")`.
    pub(super) fn is_no_name(&self) -> bool {
        let before = self.bytes[..self.start.saturating_sub(1)].trim_ascii_end();
        let Some(before) = before.strip_suffix(b"(") else {
            return before.ends_with(b"[");
        };
        let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
        let length = before.iter().rev().take(40).take_while(is_part).count();
        let callee = before[before.len() - length..].to_ascii_lowercase();
        [&b"hash"[..], b"compare", b"verify", b"crypt"]
            .iter()
            .any(|word| memchr::memmem::find(&callee, word).is_some())
    }

    /// Returns true if the quote here closes the string that contains the name, so that code
    /// follows: `"password=" + value`.
    pub(super) fn closes_string(&self, name: &Range<usize>, syntax: Syntax) -> bool {
        let Some(quote) = self.here().filter(|byte| QUOTES.contains(byte)) else {
            return false;
        };
        // The quotes around the name do not belong to the outer string.
        let is_own = self.bytes.get(name.end) == Some(&quote) && self.at > name.end;
        if syntax != Syntax::Code || is_own {
            return false;
        }
        let from = name.start.saturating_sub(BACK);
        let before = &self.bytes[from..name.start];
        let line = memchr::memrchr(b'\n', before).map(|at| &before[at + 1..]);
        let rest = &self.bytes[self.at + 1..self.bytes.len().min(self.at + 8)];
        let next = rest.trim_ascii_start().first();
        let is_code = next.is_none_or(|byte| b"+),;]}.|&?:%".contains(byte));
        // Quotes cannot be counted in a line that starts far before.
        is_code
            && match line {
                Some(line) => is_open(line, quote),
                None => from > 0 || is_open(before, quote),
            }
    }
}

/// Returns true if a string in these quotes is open at the end of the line. Other quotes have no
/// meaning in a triple-quoted text, and an apostrophe in a word is not a quote.
fn is_open(line: &[u8], quote: u8) -> bool {
    let mut open: Option<u8> = None;
    let mut at = 0;
    while at < line.len() {
        let byte = line[at];
        match open {
            _ if byte == b'\\' => at += 1,
            None if line[at..].starts_with(&[byte; 3]) && QUOTES.contains(&byte) => at += 2,
            None if QUOTES.contains(&byte) => {
                let is_letter = |at: Option<&u8>| at.is_some_and(u8::is_ascii_alphanumeric);
                let before = at.checked_sub(1).and_then(|at| line.get(at));
                let is_apostrophe =
                    byte == b'\'' && is_letter(before) && is_letter(line.get(at + 1));
                open = Some(byte).filter(|_| !is_apostrophe);
            }
            Some(quote) if byte == quote => open = None,
            _ => {}
        }
        at += 1;
    }
    open == Some(quote)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_strings() {
        for (line, quote, expected) in [
            ("push(\"access_", b'"', true),
            ("push(\"a\", ", b'"', false),
            ("\"\"\"connect(", b'"', false),
            ("// don't ", b'\'', false),
            ("x = 'say \"", b'"', false),
        ] {
            assert_eq!(is_open(line.as_bytes(), quote), expected, "{line}");
        }
    }
}
