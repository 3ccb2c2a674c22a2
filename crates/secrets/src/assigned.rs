//! From a name to the value that it is given: assignments, pairs, arguments,
//! elements, flags, headers and query parts, in whatever language.

mod strings;

use std::ops::Range;

use crate::place::Syntax;
use strings::{QUOTES, string_at};

/// A value beside a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    pub(crate) span: Range<usize>,
    pub(crate) form: Form,
}

/// How sure it is that the value belongs to the name and is written out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Between quotes, right after the name.
    Quoted,
    /// Between quotes, with nothing but space before: `password "…"`.
    Spaced,
    /// Between quotes, in a call: `password = wrap("…")`.
    Wrapped,
    /// Between quotes, the next in a list.
    Listed,
    /// Compared with the name.
    Compared,
    /// Without quotes, in a place where that is how values are written.
    Bare,
    /// Without quotes where strings have quotes: in a header, a query, a comment.
    Loose,
}

/// The farthest that a value may begin behind its name.
const REACH: usize = 120;

/// Finds the value of the name at `name`.
pub(crate) fn value_of(bytes: &[u8], name: &Range<usize>, syntax: Syntax) -> Option<Value> {
    let mut cursor = Cursor {
        bytes,
        start: name.start,
        at: name.end,
        end: bytes.len().min(name.end + REACH),
    };
    let quoted = cursor.leave_name(name.start);
    let before_space = cursor.at;
    cursor.skip_space();
    let is_entry = quoted || syntax == Syntax::Settings && is_value_of_name(bytes, name.start);
    if is_entry && let Some(value) = cursor.value_of_pair(syntax) {
        return Some(value);
    }
    let had_space = cursor.at > before_space;
    let how = cursor.operator(name.start, quoted, had_space)?;
    cursor.skip_space();
    cursor.value(how, syntax)
}

/// `- name: DB_PASSWORD`: the name is itself a value.
fn is_value_of_name(bytes: &[u8], start: usize) -> bool {
    let before = bytes[..start].trim_ascii_end();
    before.ends_with(b"name:") || before.ends_with(b"key:")
}

/// What stands between a name and its value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operator {
    Assigns,
    /// `:`, which in a shell is none.
    Colon,
    Compares,
    /// `(`: an argument; only quotes make it a value.
    Argument,
    /// `,` behind the first of two arguments.
    Pair,
    /// `,` in a longer list.
    List,
    /// `>`: the text of an element.
    Element,
    /// Space: only quotes make it a value, or a flag before.
    Space,
    /// Space after `--name`.
    Flag,
}

struct Cursor<'a> {
    bytes: &'a [u8],
    /// Where the name begins.
    start: usize,
    at: usize,
    end: usize,
}

impl Cursor<'_> {
    fn here(&self) -> Option<u8> {
        self.bytes[..self.end].get(self.at).copied()
    }

    fn starts_with(&self, text: &[u8]) -> bool {
        self.bytes[self.at.min(self.end)..self.end].starts_with(text)
    }

    fn skip_space(&mut self) {
        while matches!(self.here(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
    }

    fn skip_blank(&mut self) {
        while matches!(self.here(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// Steps over what closes a quoted or indexed name; says whether it was one.
    fn leave_name(&mut self, start: usize) -> bool {
        let before = start.checked_sub(1).map(|at| self.bytes[at]);
        // `:password` is a name in Ruby.
        let mut quoted = before == Some(b':');
        if self.starts_with(b"\\\"") || self.starts_with(b"\\'") {
            self.at += 2;
            quoted = true;
        } else if self.here().is_some_and(|byte| QUOTES.contains(&byte)) {
            // A quote right behind a name closes it, or begins the value.
            quoted = before == self.here();
            self.at += usize::from(quoted);
        }
        while quoted && matches!(self.here(), Some(b']' | b')')) {
            self.at += 1;
        }
        if !quoted && self.here() == Some(b']') {
            self.at += 1;
        }
        // Markdown: `**Password**: x`.
        while self.starts_with(b"*") {
            self.at += 1;
        }
        quoted
    }

    /// `name="password" value="…"`, `"name": "PASSWORD", "value": "…"`, and over a line
    /// end `name: PASSWORD` / `value: …`.
    fn value_of_pair(&mut self, syntax: Syntax) -> Option<Value> {
        let begin = self.at;
        if self.here() == Some(b',') {
            self.at += 1;
        }
        self.skip_blank();
        let quote = self.here().filter(|byte| QUOTES.contains(byte));
        self.at += usize::from(quote.is_some());
        let word = [
            &b"value"[..],
            b"Value",
            b"VALUE",
            b"content",
            b"default",
            b"with",
        ];
        let Some(word) = word.into_iter().find(|word| self.starts_with(word)) else {
            self.at = begin;
            return None;
        };
        self.at += word.len();
        self.at += usize::from(quote.is_some());
        self.skip_space();
        if !matches!(self.here(), Some(b':' | b'=')) {
            self.at = begin;
            return None;
        }
        self.at += 1;
        self.skip_space();
        if let Some(span) = self.quoted() {
            let form = Form::Quoted;
            return Some(Value { span, form });
        }
        let span = self.bare(b"").filter(|_| syntax == Syntax::Settings)?;
        let form = Form::Bare;
        Some(Value { span, form })
    }

    fn operator(&mut self, start: usize, quoted: bool, had_space: bool) -> Option<Operator> {
        let take = |cursor: &mut Self, length: usize, operator| {
            cursor.at += length;
            Some(operator)
        };
        for text in [&b"==="[..], b"!==", b"==", b"!=", b"eq "] {
            if self.starts_with(text) {
                return take(self, text.len(), Operator::Compares);
            }
        }
        for text in [&b":="[..], b"=>", b"||=", b"?=", b"+=", b"<-"] {
            if self.starts_with(text) {
                return take(self, text.len(), Operator::Assigns);
            }
        }
        match self.here()? {
            b'=' => take(self, 1, Operator::Assigns),
            b':' if self.starts_with(b"::") => None,
            b':' => {
                self.at += 1;
                self.skip_type();
                Some(Operator::Colon)
            }
            b'?' if self.starts_with(b"?:") => {
                self.at += 2;
                self.skip_type();
                Some(Operator::Assigns)
            }
            b',' if quoted && self.is_first_argument(start) => take(self, 1, Operator::Pair),
            b',' if quoted => take(self, 1, Operator::List),
            b'(' if !had_space => take(self, 1, Operator::Argument),
            b')' if matches!(
                self.bytes.get(self.at + 1..self.at + 4),
                Some(b" ==" | b" !=")
            ) =>
            {
                take(self, 4, Operator::Compares)
            }
            b'>' if self.is_element(start) => take(self, 1, Operator::Element),
            b'"' | b'\'' if had_space => Some(Operator::Space),
            // `const password string = "…"`, `char password[] = "…"`.
            b'[' if self.starts_with(b"[]") => {
                self.at += 2;
                self.skip_space();
                (self.here() == Some(b'=')).then(|| self.at += 1)?;
                Some(Operator::Assigns)
            }
            _ if had_space && self.is_flag(start) => Some(Operator::Flag),
            // `machine m login l password p`.
            _ if had_space && self.is_netrc(start) => Some(Operator::Flag),
            byte if had_space && byte.is_ascii_alphabetic() => self.after_type_word(),
            _ => None,
        }
    }

    /// `<password>` or `<x:password>`.
    fn is_element(&self, start: usize) -> bool {
        let before = self.bytes[..start].iter().rev().take(20);
        let mut before = before.skip_while(|byte| byte.is_ascii_alphanumeric() || **byte == b':');
        before.next() == Some(&b'<')
    }

    /// Whether the name stands within brackets or quotes on its line, so that a value
    /// ends before the line does.
    fn is_within(&self) -> bool {
        let before = &self.bytes[self.start.saturating_sub(200)..self.start];
        let line = before
            .rsplit(|byte| *byte == b'\n')
            .next()
            .unwrap_or(before);
        let count = |wanted: u8| line.iter().filter(|byte| **byte == wanted).count();
        count(b'{') > count(b'}')
            || count(b'[') > count(b']')
            || QUOTES.iter().any(|quote| !count(*quote).is_multiple_of(2))
    }

    /// Whether the quoted name at `start` is the first in its brackets.
    fn is_first_argument(&self, start: usize) -> bool {
        let before = &self.bytes[..start.saturating_sub(1)];
        matches!(before.trim_ascii_end().last(), Some(b'(' | b'{' | b'['))
    }

    fn is_flag(&self, start: usize) -> bool {
        let name = &self.bytes[start..];
        name.starts_with(b"--") || name.starts_with(b"-") && name.get(1) != Some(&b'-')
    }

    fn is_netrc(&self, start: usize) -> bool {
        let before = &self.bytes[start.saturating_sub(80)..start];
        memchr::memmem::find(before, b"login ").is_some()
    }

    /// `: string = …`, `: &'static str = …`: steps to behind the `=`.
    fn skip_type(&mut self) {
        let rest = &self.bytes[self.at..self.end];
        let is_type = |byte: &u8| {
            byte.is_ascii_alphanumeric()
                || matches!(
                    byte,
                    b' ' | b'&' | b'\'' | b'<' | b'>' | b'?' | b'_' | b'[' | b']' | b'.' | b'|'
                )
        };
        let Some(stop) = rest.iter().position(|byte| !is_type(byte)) else {
            return;
        };
        let has_word = rest[..stop].iter().any(u8::is_ascii_alphabetic);
        if rest[stop] == b'=' && has_word && rest.get(stop + 1) != Some(&b'=') {
            let words = rest[..stop].split(|byte| *byte == b' ');
            // An unquoted value with an equals sign in it is no type.
            if words.filter(|word| !word.is_empty()).count() <= 3
                && stop < 32
                && rest[0] == b' '
                && rest[stop - 1] == b' '
            {
                self.at += stop + 1;
            }
        }
    }

    /// Go: `password string = "…"`.
    fn after_type_word(&mut self) -> Option<Operator> {
        for word in [
            &b"string"[..],
            b"String",
            b"str",
            b"text",
            b"is",
            b"was",
            b"BY",
            b"by",
        ] {
            if !self.starts_with(word) {
                continue;
            }
            let begin = self.at;
            self.at += word.len();
            self.skip_space();
            if self.here() == Some(b'=') && !self.starts_with(b"==") {
                self.at += 1;
                return Some(Operator::Assigns);
            }
            if self.here().is_some_and(|byte| QUOTES.contains(&byte))
                && self.at > begin + word.len()
            {
                return Some(Operator::Space);
            }
            self.at = begin;
        }
        None
    }

    fn value(&mut self, operator: Operator, syntax: Syntax) -> Option<Value> {
        let form = match operator {
            Operator::Compares => Form::Compared,
            Operator::Space => Form::Spaced,
            _ => Form::Quoted,
        };
        if let Some(span) = self.quoted() {
            let behind = &self.bytes[span.end + 1..self.bytes.len().min(span.end + 3)];
            let is_last = matches!(behind.trim_ascii_start().first(), Some(b')' | b'}' | b']'));
            let form = match operator {
                Operator::List => Form::Listed,
                Operator::Pair if !is_last => Form::Listed,
                _ => form,
            };
            return Some(Value { span, form });
        }
        if matches!(operator, Operator::Assigns | Operator::Colon) && self.here() == Some(b'[') {
            self.at += 1;
            self.skip_blank();
            let span = self.quoted()?;
            return Some(Value { span, form });
        }
        if matches!(
            operator,
            Operator::Assigns | Operator::Colon | Operator::Argument
        ) && let Some(span) = self.wrapped()
        {
            let form = Form::Wrapped;
            return Some(Value { span, form });
        }
        if matches!(operator, Operator::Assigns | Operator::Colon)
            && let Some(span) = self.fallback()
        {
            let form = Form::Wrapped;
            return Some(Value { span, form });
        }
        let form = match (operator, syntax) {
            (
                Operator::Assigns | Operator::Flag,
                Syntax::Settings | Syntax::Shell | Syntax::Prose,
            )
            | (Operator::Colon, Syntax::Settings | Syntax::Prose) => Form::Bare,
            (Operator::Assigns | Operator::Colon | Operator::Flag, _) => Form::Loose,
            (Operator::Element, _) => Form::Bare,
            _ => return None,
        };
        let stop: &[u8] = match operator {
            Operator::Element => b"<",
            _ if syntax == Syntax::Settings && !self.is_within() => b"",
            _ => b" \t\"'`,;)]}<>&|",
        };
        let span = self.bare(stop)?;
        let is_closed = self.bytes[span.end..].starts_with(b"</");
        (operator != Operator::Element || is_closed).then_some(Value { span, form })
    }

    /// A string in quotes, with the letters before it that some languages have.
    fn quoted(&mut self) -> Option<Range<usize>> {
        let mut at = self.at;
        for prefix in [
            &b"@"[..],
            b"b",
            b"r",
            b"u",
            b"f",
            b"L",
            b"N",
            b"br",
            b"$",
            b"@\\",
        ] {
            let rest = &self.bytes[at..self.end.max(at)];
            if rest.starts_with(prefix)
                && rest
                    .get(prefix.len())
                    .is_some_and(|byte| QUOTES.contains(byte))
            {
                at += prefix.len();
                break;
            }
        }
        string_at(self.bytes, at)
    }

    /// The last string of a call on the same line: `env("NAME", "value")`.
    fn wrapped(&mut self) -> Option<Range<usize>> {
        let rest = &self.bytes[self.at..self.end.max(self.at)];
        let line = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let rest = &rest[..line];
        let callee = rest
            .iter()
            .position(|byte| !(byte.is_ascii_alphanumeric() || b"_.:[]&*<>! ".contains(byte)))?;
        if rest[callee] != b'(' || callee > 40 {
            return None;
        }
        let mut at = self.at + callee + 1;
        let mut last = None;
        let end = self.at + line;
        while at < end {
            match self.bytes[at] {
                b')' | b';' | b'{' => break,
                byte if QUOTES.contains(&byte) => {
                    let span = string_at(self.bytes, at)?;
                    at = span.end + 1;
                    last = Some(span);
                }
                _ => at += 1,
            }
        }
        last
    }

    /// What is taken when a look-up gives nothing: `env.X || "…"`, `a ?? "…"`.
    fn fallback(&mut self) -> Option<Range<usize>> {
        let rest = &self.bytes[self.at..self.end.max(self.at)];
        let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
        [&b"|| "[..], b"?? ", b" or "].into_iter().find_map(|sign| {
            let at = memchr::memmem::find(line, sign)?;
            string_at(self.bytes, self.at + at + sign.len())
        })
    }

    /// Text without quotes up to one of `stop` or the end of the line.
    fn bare(&mut self, stop: &[u8]) -> Option<Range<usize>> {
        let rest = &self.bytes[self.at..];
        let ends = |byte: &u8| matches!(byte, b'\n' | b'\r') || stop.contains(byte);
        let near = &rest[..rest.len().min(4097)];
        let length = near.iter().position(ends).unwrap_or(near.len());
        let mut span = self.at..self.at + length;
        // A remark behind the value.
        if let Some(remark) = memchr::memmem::find(&self.bytes[span.clone()], b" #") {
            span.end = span.start + remark;
        }
        while span.end > span.start
            && matches!(
                self.bytes[span.end - 1],
                b'.' | b' ' | b'\\' | b':' | b',' | b';'
            )
        {
            span.end -= 1;
        }
        (!span.is_empty() && length <= 4096).then_some(span)
    }
}

#[cfg(test)]
mod tests;
