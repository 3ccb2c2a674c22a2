//! Text between a name and its value: assignment operators of any language, brackets, tags, types,
//! or only spaces.

use super::strings::QUOTES;
use super::{Cursor, line_start};
use crate::place::Syntax;
use crate::words::WordList;

/// Operator between a name and its value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Assigns,
    /// `:`, which is not an operator in a shell.
    Colon,
    Compares,
    /// `(`: an argument; only a quoted one is a value.
    Argument,
    /// `,` after the first of two arguments.
    Pair,
    /// `,` in a longer list.
    List,
    /// `>`: the text of an XML element.
    Element,
    /// A space: only a quoted value counts, or one after a flag.
    Space,
    /// Space after `--name`.
    Flag,
}

/// The name before an operator.
#[derive(Clone, Copy)]
pub(super) struct NameBefore {
    pub(super) start: usize,
    pub(super) is_quoted: bool,
    /// True if a space follows it.
    pub(super) had_space: bool,
}

/// Words before a name and its value in server settings.
const SETTERS: WordList = WordList::new(
    "proxy_set_header add_header fastcgi_param uwsgi_param grpc_set_header SetEnv setenv env \
     set header_up default_pass",
);

impl Cursor<'_> {
    pub(super) fn operator(&mut self, name: NameBefore, syntax: Syntax) -> Option<Operator> {
        let NameBefore {
            start,
            is_quoted,
            had_space,
        } = name;
        for text in [&b"==="[..], b"!==", b"==", b"!=", b"eq "] {
            if self.starts_with(text) {
                return self.take(text.len(), Operator::Compares);
            }
        }
        for text in [&b":="[..], b"=>", b"||=", b"?=", b"+=", b"<-", b"<<<"] {
            if self.starts_with(text) {
                return self.take(text.len(), Operator::Assigns);
            }
        }
        if self.starts_with("：".as_bytes()) {
            return self.take("：".len(), Operator::Colon);
        }
        if let Some(length) = self.next_element() {
            return self.take(length, Operator::Element);
        }
        if let Some(length) = self.tag_end(start, had_space) {
            return self.take(length, Operator::Element);
        }
        // `<property name="password"><value>…</value>`.
        if is_quoted && self.starts_with(b"><value>") {
            return self.take(8, Operator::Element);
        }
        // `<AdministratorPassword><Value>…</Value>`.
        if self.starts_with(b">") && self.is_element(start) {
            let begin = self.at;
            self.at += 1;
            self.skip_blank();
            if self.starts_with(b"<Value>") {
                return self.take(7, Operator::Element);
            }
            self.at = begin;
        }
        // `variable "token" { default = "…" }`.
        if is_quoted && had_space && self.starts_with(b"{") {
            return self.default_of_block();
        }
        if self.starts_with(b"%5D=") {
            return self.take(4, Operator::Assigns);
        }
        self.sign(name, syntax)
    }

    fn take(&mut self, length: usize, operator: Operator) -> Option<Operator> {
        self.at += length;
        Some(operator)
    }

    /// Returns the length up to the text of an element: `<Password><Value>`, `<Pass encoding="x">`.
    fn tag_end(&self, start: usize, had_space: bool) -> Option<usize> {
        if !self.is_element(start) {
            return None;
        }
        let rest = &self.bytes[self.at.min(self.end)..self.end];
        if had_space {
            let end = memchr::memchr3(b'>', b'<', b'\n', rest)?;
            let is_open = rest[end] == b'>' && end > 0 && rest[end - 1] != b'/';
            return is_open.then_some(end + 1);
        }
        let inner = rest.strip_prefix(b">")?.trim_ascii_start();
        let inner = inner
            .strip_prefix(b"<Value>")
            .or(inner.strip_prefix(b"<value>"))?;
        Some(rest.len() - inner.len())
    }

    /// Returns the length up to the text of the next element if the name is the text of one:
    /// `</key><string>`, `</name> <value>`, `</param-name><param-value>`.
    fn next_element(&self) -> Option<usize> {
        let rest = &self.bytes[self.at.min(self.end)..self.end];
        let inner = rest.strip_prefix(b"</")?;
        let end = memchr::memchr2(b'>', b'\n', inner)?;
        let next = inner[end + 1..].trim_ascii_start().strip_prefix(b"<")?;
        let close = memchr::memchr2(b'>', b'\n', next)?;
        let (tag, value) = (&inner[..end], &next[..close]);
        let is_name = tag.ends_with(b"name") || tag.ends_with(b"key");
        let is_value = value.ends_with(b"value") || value == b"string";
        (is_name && is_value).then(|| rest.len() - next.len() + close + 1)
    }

    /// Finds `default =` in the braces of a block.
    fn default_of_block(&mut self) -> Option<Operator> {
        let far = self.bytes.len().min(self.at + super::REACH + 200);
        let block = &self.bytes[self.at..far];
        let block = &block[..memchr::memchr(b'}', block).unwrap_or(block.len())];
        let at = memchr::memmem::find(block, b"default")?;
        let sign = block[at + 7..].iter().position(|byte| *byte != b' ')?;
        (block[at + 7 + sign] == b'=').then(|| {
            self.at += at + 8 + sign;
            self.end = far;
            Operator::Assigns
        })
    }

    /// Returns the operator that starts with this byte, or with a word after a space.
    fn sign(&mut self, name: NameBefore, syntax: Syntax) -> Option<Operator> {
        let NameBefore {
            start,
            is_quoted,
            had_space,
        } = name;
        match self.here()? {
            b'=' => self.take(1, Operator::Assigns),
            b':' if self.starts_with(b"::") => None,
            b':' if is_quoted && self.is_arm(start) => None,
            // `zone=token1:10m`: the name is a value.
            b':' if !had_space && self.is_value(start) => None,
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
            // `["--password", "…"]`.
            b',' if is_quoted && self.is_flag(start) => self.take(1, Operator::Assigns),
            b',' if is_quoted && self.is_first_argument(start) => self.take(1, Operator::Pair),
            b',' if is_quoted => self.take(1, Operator::List),
            // `cases.pass("…")` is a call of a passing test.
            b'(' if self.bytes[start..self.at].ends_with(b".pass") => None,
            b'(' if !had_space => self.take(1, Operator::Argument),
            b')' if matches!(
                self.bytes.get(self.at + 1..self.at + 4),
                Some(b" ==" | b" !=")
            ) =>
            {
                self.take(4, Operator::Compares)
            }
            b'>' if is_quoted && self.is_attribute(start) || self.is_element(start) => {
                self.take(1, Operator::Element)
            }
            // Two adjacent strings are labels: `resource "random_password" "app"`. `pass 'clear'`
            // is an instruction.
            b'"' | b'\'' if had_space && !is_quoted && !self.is_verb(start) => {
                Some(Operator::Space)
            }
            // Clojure: `{:password "…"}`.
            b'"' if had_space && self.is_keyword(start) => Some(Operator::Space),
            // `const password string = "…"`, `char password[] = "…"`.
            b'[' if self.starts_with(b"[]") => {
                self.at += 2;
                self.skip_space();
                (self.here() == Some(b'=')).then(|| self.at += 1)?;
                Some(Operator::Assigns)
            }
            _ if had_space && self.has_word_behind(start, syntax) => Some(Operator::Flag),
            // Debian's installer: `d-i passwd/root-password password x`.
            b'p' if had_space && self.is_answer(start) => self.take(9, Operator::Flag),
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

    fn is_value(&self, start: usize) -> bool {
        let before = self.bytes[..start].last();
        let is_next = self
            .bytes
            .get(self.at + 1)
            .is_some_and(u8::is_ascii_alphanumeric);
        matches!(before, Some(b'=' | b'/')) && is_next
    }

    /// `condition ? "pass" : "fail"`: the string is one of two results.
    fn is_arm(&self, start: usize) -> bool {
        let before = &self.bytes[..start.saturating_sub(1)];
        before.trim_ascii_end().ends_with(b"?")
    }

    /// Returns true if the name is the whole string, not its end: `href="/help#secret">more`.
    fn is_attribute(&self, start: usize) -> bool {
        let before = start.checked_sub(1).map(|at| self.bytes[at]);
        before.is_some_and(|byte| QUOTES.contains(&byte) || b"[(".contains(&byte))
    }

    /// Returns true if the quoted name at `start` is the first in its brackets.
    fn is_first_argument(&self, start: usize) -> bool {
        let before = &self.bytes[..start.saturating_sub(1)];
        matches!(before.trim_ascii_end().last(), Some(b'(' | b'{' | b'['))
    }

    fn is_flag(&self, start: usize) -> bool {
        let name = &self.bytes[start..];
        name.starts_with(b"--") || name.starts_with(b"-") && name.get(1) != Some(&b'-')
    }

    /// Matches `ENV DB_PASSWORD x` in a Dockerfile, `requirepass x` in settings: the first word of
    /// a line, and one word after it.
    fn is_directive(&self, start: usize, syntax: Syntax) -> bool {
        let line = line_start(self.bytes, start);
        let before = self.bytes[line..start].trim_ascii();
        let rest = &self.bytes[self.at.min(self.end)..self.end];
        let rest = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
        let is_one_word = !rest.trim_ascii_end().contains(&b' ');
        match syntax {
            Syntax::Shell => {
                before == b"ENV" || before == b"env" && is_one_word || is_export(before)
            }
            Syntax::Settings => is_one_word && (before.is_empty() || SETTERS.has(before)),
            _ => false,
        }
    }

    /// Returns true if the word after the name is its value. Oracle's SQL needs no quotes.
    fn has_word_behind(&self, start: usize, syntax: Syntax) -> bool {
        self.is_flag(start)
            || self.is_netrc(start)
            || self.is_directive(start, syntax)
            || self.is_identified_by(start)
    }

    fn is_keyword(&self, start: usize) -> bool {
        let before = self.bytes[..start]
            .strip_suffix(b":")
            .and_then(|before| before.last());
        matches!(before, Some(b'{' | b' ' | b'\n' | b'('))
    }

    fn is_answer(&self, start: usize) -> bool {
        let line = line_start(self.bytes, start);
        self.bytes[line..start].starts_with(b"d-i ") && self.starts_with(b"password ")
    }

    fn is_verb(&self, start: usize) -> bool {
        let name = self.bytes[start..self.at].trim_ascii_end();
        name.eq_ignore_ascii_case(b"pass")
    }

    fn is_identified_by(&self, start: usize) -> bool {
        let name = self.bytes.get(start..start + 13);
        // In lower case it is English.
        name == Some(b"IDENTIFIED BY")
    }

    /// `machine m login l password p`.
    fn is_netrc(&self, start: usize) -> bool {
        let before = &self.bytes[start.saturating_sub(80)..start];
        let line = before
            .rsplit(|byte| *byte == b'\n')
            .next()
            .unwrap_or(before);
        let is_user = line.trim_ascii_start().starts_with(b"user ");
        let is_settled = line.iter().filter(|byte| **byte == b' ').count() >= 2;
        memchr::memmem::find(before, b"login ").is_some()
            || is_user && is_settled && line.ends_with(b" ")
    }

    /// Skips `: string = …`, `: &'static str = …` up to the end of the `=`.
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
            // An unquoted value with an equals sign is not a type.
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
        if self.starts_with(b"As ") {
            return self.after_type_of_basic();
        }
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

    /// Visual Basic: `Password As String = "…"`.
    fn after_type_of_basic(&mut self) -> Option<Operator> {
        let rest = &self.bytes[self.at..self.end];
        let sign = memchr::memchr2(b'=', b'\n', rest).filter(|at| rest[*at] == b'=')?;
        let is_type = |byte: &u8| byte.is_ascii_alphanumeric() || b" ._()".contains(byte);
        rest[..sign]
            .iter()
            .all(is_type)
            .then(|| self.at += sign + 1)?;
        Some(Operator::Assigns)
    }
}

/// Matches the words before a name that fish and csh export: `set -gx`, `setenv`.
fn is_export(before: &[u8]) -> bool {
    let mut words = before.split(u8::is_ascii_whitespace);
    let mut flags = match words.next() {
        Some(b"setenv") => return words.next().is_none(),
        Some(b"set") => words.peekable(),
        _ => return false,
    };
    flags.peek().is_some() && flags.all(|word| word.starts_with(b"-"))
}
