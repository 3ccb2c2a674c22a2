//! Finds the value that is assigned to a name: assignments, pairs, arguments, elements, flags,
//! headers and query parameters, in any language.

mod arguments;
mod before;
mod defaults;
mod extent;
mod lookups;
mod many;
mod operators;
mod strings;

use std::ops::Range;

use crate::place::Syntax;
use crate::value::{ValueClass, nature};
pub(crate) use extent::{complete, complete_long, complete_word};
pub(crate) use lookups::is_environment;
use operators::{NameBefore, Operator};
use strings::{QUOTES, raw_string_at};
pub(crate) use strings::{is_interpolated, string_at};

/// A value next to a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    pub(crate) span: Range<usize>,
    pub(crate) form: Form,
}

/// Syntax of a value: decides how certain it is that the value is a literal and belongs to the
/// name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// In quotes, right after the name.
    Quoted,
    /// In quotes, with only spaces before it: `password "…"`.
    Spaced,
    /// In quotes, in a call: `password = wrap("…")`.
    Wrapped,
    /// In quotes, in a list that is assigned to the name.
    Item,
    /// In quotes, the argument of a call with that name: `set_password("…")`.
    Argument,
    /// In quotes, the next item of a list.
    Listed,
    /// Compared with the name.
    Compared,
    /// Without quotes, in a syntax that writes values like that.
    Bare,
    /// Without quotes or spaces, like variables, flags and queries: `DB_PASSWORD=…`,
    /// `--password=…`, `&password=…`.
    Tight,
    /// Without quotes although strings have quotes in this syntax: in a header, a comment.
    Loose,
}

/// Maximum distance from a name to the start of its value.
const REACH: usize = 120;

/// Maximum bytes of an unquoted value that are examined; it is extended once it is a secret.
const NEAR: usize = 4097;

/// Maximum distance from a name to the start of its last value.
pub(crate) const FARTHEST: usize = REACH + many::REACH;

/// Returns the start of the line of `at`, or a position near `at` in a long line: a text may be a
/// single line with a name every few bytes.
fn line_start(bytes: &[u8], at: usize) -> usize {
    let from = at.saturating_sub(4096);
    memchr::memrchr(b'\n', &bytes[from..at]).map_or(from, |end| from + end + 1)
}

/// Finds the values of the name at `name`: usually one, several for a list.
pub(crate) fn values_of(bytes: &[u8], name: &Range<usize>, syntax: Syntax) -> Vec<Value> {
    let mut cursor = Cursor {
        bytes,
        start: name.start,
        at: name.end,
        end: bytes.len().min(name.end + REACH),
    };
    cursor.values(name, syntax).unwrap_or_default()
}

/// `- name: DB_PASSWORD`: the name is itself a value.
fn is_value_of_name(bytes: &[u8], start: usize) -> bool {
    let before = bytes[..start].trim_ascii_end();
    let before = before.strip_suffix(b"\"").unwrap_or(before);
    let before = before.trim_ascii_end();
    before.ends_with(b"name:") || before.ends_with(b"key:")
}

struct Cursor<'a> {
    bytes: &'a [u8],
    /// Start of the name.
    start: usize,
    at: usize,
    end: usize,
}

impl Cursor<'_> {
    fn values(&mut self, name: &Range<usize>, syntax: Syntax) -> Option<Vec<Value>> {
        let quoted = self.leave_name(name.start);
        let is_command = matches!(syntax, Syntax::Shell | Syntax::Settings);
        // `pwd`:/src is the output of a command.
        if quoted && is_command && self.bytes[..name.start].ends_with(b"`") {
            return None;
        }
        let before_space = self.at;
        self.skip_space();
        let is_entry =
            quoted || syntax == Syntax::Settings && is_value_of_name(self.bytes, name.start);
        if is_entry && let Some(value) = self.value_of_pair(syntax) {
            return Some(vec![value]);
        }
        if let Some(value) = before::value_before(self.bytes, name, syntax) {
            return Some(vec![value]);
        }
        let had_space = self.at > before_space;
        let before = NameBefore {
            start: name.start,
            is_quoted: quoted,
            had_space,
        };
        let how = match self.fallback_of_lookup(name) {
            Some(how) => how,
            None => self.operator(before, syntax)?,
        };
        let is_tight = !had_space && !matches!(self.here(), Some(b' ' | b'\t'));
        self.skip_space();
        self.skip_line_end(syntax);
        if self.closes_string(name, syntax) {
            return None;
        }
        if let Some(values) = self.many(how, syntax) {
            return Some(values);
        }
        let mut value = self.value(how, syntax)?;
        if is_tight && how == Operator::Assigns && self.is_tight_name(name) {
            self.tighten(&mut value);
        }
        let mut values = vec![value];
        self.continued(&mut values);
        Some(values)
    }

    /// Returns true if the value after the name's `=` is one word in any language: a variable, a
    /// flag, a query parameter.
    fn is_tight_name(&self, name: &Range<usize>) -> bool {
        let before = name.start.checked_sub(1).map(|at| self.bytes[at]);
        let name = &self.bytes[name.clone()];
        let is_constant = name.len() > 3
            && name.iter().any(u8::is_ascii_uppercase)
            && !name.iter().any(u8::is_ascii_lowercase);
        is_constant || name.starts_with(b"--") || matches!(before, Some(b'&' | b'?'))
    }

    fn tighten(&self, value: &mut Value) {
        if !matches!(value.form, Form::Bare | Form::Loose) {
            return;
        }
        let found = &self.bytes[value.span.clone()];
        let ends = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`,;)]}<>&|\\".contains(byte);
        let length = found.iter().position(ends).unwrap_or(found.len());
        if length > 0 {
            value.span.end = value.span.start + length;
            value.form = Form::Tight;
        }
    }

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

    /// Skips a `\` at the end of the line: in a shell and in Java's properties, the value may begin
    /// on the next one.
    fn skip_line_end(&mut self, syntax: Syntax) {
        let is_continued = self.starts_with(b"\\\n") || self.starts_with(b"\\\r\n");
        if is_continued && matches!(syntax, Syntax::Settings | Syntax::Shell) {
            self.at += 1;
            self.skip_blank();
        }
    }

    fn skip_blank(&mut self) {
        while matches!(self.here(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// Skips the closing characters of a quoted or indexed name. Returns true if there were any.
    fn leave_name(&mut self, start: usize) -> bool {
        let before = start.checked_sub(1).map(|at| self.bytes[at]);
        // `:password` is a name in Ruby.
        let mut quoted = before == Some(b':');
        if self.starts_with(b"\\\"") || self.starts_with(b"\\'") {
            self.at += 2;
            quoted = true;
        } else if self.here().is_some_and(|byte| QUOTES.contains(&byte)) {
            // A quote right after a name closes it, or opens the value.
            // `"Db:Password":`: a name may have parts.
            let is_part = before == Some(b':') && self.bytes.get(self.at + 1) == Some(&b':');
            quoted = before == self.here() || is_part;
            self.at += usize::from(quoted);
        } else if self.here() == Some(b'&') && before == Some(b';') {
            // `&quot;password&quot;: …`
            let rest = &self.bytes[self.at..self.bytes.len().min(self.at + 7)];
            let end = memchr::memchr(b';', rest);
            quoted = end.is_some();
            self.at += end.map_or(0, |end| end + 1);
        }
        while quoted && matches!(self.here(), Some(b']' | b')')) {
            // `sign("", "secret") => "…"` shows the result of a call.
            if self.starts_with(b") =>") {
                break;
            }
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

    /// `name="password" value="…"`, `"name": "PASSWORD", "value": "…"`, and on two lines
    /// `name: PASSWORD` / `value: …`.
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
        let span = self.unquoted(b"").filter(|_| syntax == Syntax::Settings)?;
        let form = Form::Bare;
        Some(Value { span, form })
    }

    /// Returns true if the name is in brackets or quotes on its line, so that a value ends before
    /// the line does.
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

    /// Returns the string right after the operator.
    fn quoted_value(&mut self, operator: Operator) -> Option<Value> {
        let form = match operator {
            Operator::Compares => Form::Compared,
            Operator::Space => Form::Spaced,
            _ => Form::Quoted,
        };
        if operator == Operator::Argument
            && let Some(value) = self.argument()
        {
            return Some(value);
        }
        if let Some(span) = self.quoted().filter(|_| operator != Operator::Element) {
            let behind = &self.bytes[span.end + 1..self.bytes.len().min(span.end + 3)];
            let is_last = matches!(behind.trim_ascii_start().first(), Some(b')' | b'}' | b']'));
            let form = match operator {
                Operator::List => Form::Listed,
                Operator::Pair if !is_last || self.is_no_name() => Form::Listed,
                Operator::Pair => Form::Argument,
                _ => form,
            };
            return Some(Value { span, form });
        }
        None
    }

    fn value(&mut self, operator: Operator, syntax: Syntax) -> Option<Value> {
        if let Some(value) = self.quoted_value(operator) {
            return Some(value);
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
        if operator == Operator::Element && self.starts_with(b"<![CDATA[") {
            self.at += 9;
            let span = self.unquoted(b"]")?;
            return Some(Value { span, form });
        }
        let stop: &[u8] = match operator {
            Operator::Element => b"<",
            _ if syntax == Syntax::Settings && !self.is_within() => b"",
            _ => b" \t\"'`,;)]}<>&|",
        };
        let span = self.unquoted(stop)?;
        // In a program, such a long text without quotes is code.
        if syntax == Syntax::Code && span.len() + 1 >= NEAR {
            return None;
        }
        // After a flag, another flag is not a value.
        if operator == Operator::Flag && self.bytes[span.start..].starts_with(b"--") {
            return None;
        }
        let is_closed = self.bytes[span.end..].starts_with(b"</");
        (operator != Operator::Element || is_closed).then_some(Value { span, form })
    }

    /// Reads a quoted string, with the prefix letters of some languages.
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
        string_at(self.bytes, at).or_else(|| raw_string_at(self.bytes, self.at))
    }

    /// Returns the last string of a call on the same line: `env("NAME", "value")`.
    fn wrapped(&mut self) -> Option<Range<usize>> {
        let rest = &self.bytes[self.at..self.end.max(self.at)];
        let line = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let rest = &rest[..line];
        let callee = rest
            .iter()
            .position(|byte| !(byte.is_ascii_alphanumeric() || b"_.:[]&*<>! ".contains(byte)))?;
        let encodes = [&b"encode"[..], b"decode", b"getBytes"]
            .iter()
            .any(|end| rest[..callee].ends_with(end));
        if rest[callee] != b'(' || callee > 40 {
            return None;
        }
        let gets = memchr::memmem::find(&rest[..callee].to_ascii_lowercase(), b"get").is_some();
        let mut at = self.at + callee + 1;
        let (mut last, mut strings) = (None, 0);
        let end = self.at + line;
        while at < end {
            match self.bytes[at] {
                b')' | b';' | b'{' => break,
                byte if QUOTES.contains(&byte) => {
                    let span = string_at(self.bytes, at)?;
                    at = span.end + 1;
                    last = Some(span);
                    strings += 1;
                }
                _ => at += 1,
            }
        }
        // The argument of `encode` names an encoding, unless it is itself encoded.
        let is_value = |span: &Range<usize>| {
            !encodes || strings == 1 && nature(&self.bytes[span.clone()]) == ValueClass::Drawn
        };
        // `getCredentials("name")`: only a second string is the default value.
        last.filter(|span| (!gets || strings > 1 || encodes) && is_value(span))
    }

    /// Returns the default of a lookup: `env.X || "…"`, `a ?? "…"`.
    fn fallback(&mut self) -> Option<Range<usize>> {
        let rest = &self.bytes[self.at..self.end.max(self.at)];
        let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
        [&b"|| "[..], b"?? ", b" or "].into_iter().find_map(|sign| {
            let at = memchr::memmem::find(line, sign)?;
            string_at(self.bytes, self.at + at + sign.len())
        })
    }

    /// Reads text without quotes up to one of `stop` or the end of the line.
    fn unquoted(&mut self, stop: &[u8]) -> Option<Range<usize>> {
        let rest = &self.bytes[self.at..];
        let near = &rest[..rest.len().min(NEAR)];
        // A text may consist only of assignments, so this runs every few bytes.
        let line = memchr::memchr2(b'\n', b'\r', near).unwrap_or(near.len());
        let stop = match *stop {
            [] => None,
            [a] => memchr::memchr(a, &near[..line]),
            [a, b] => memchr::memchr2(a, b, &near[..line]),
            [a, b, c] => memchr::memchr3(a, b, c, &near[..line]),
            _ => {
                let mut is_stop = [false; 256];
                stop.iter()
                    .for_each(|byte| is_stop[usize::from(*byte)] = true);
                near[..line]
                    .iter()
                    .position(|byte| is_stop[usize::from(*byte)])
            }
        };
        let length = stop.unwrap_or(line);
        let mut span = self.at..self.at + length;
        // A remark after the value.
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
        (!span.is_empty()).then_some(span)
    }
}

#[cfg(test)]
mod tests;
