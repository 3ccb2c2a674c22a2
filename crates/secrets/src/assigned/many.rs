//! Names with several values: lists in brackets, strings that continue on the next line, and YAML
//! below a name.

use super::operators::Operator;
use super::{Cursor, Form, Value, line_start};
use crate::place::Syntax;

/// Maximum number of values of one name.
const MOST: usize = 32;

/// Maximum distance from the name to the start of its last value; a stream withholds as much.
pub(super) const REACH: usize = 400;

/// Prefixes of the bracket of a list.
const MAKERS: [&[u8]; 9] = [
    b"[]string",
    b"new[] ",
    b"new string[] ",
    b"new String[] ",
    b"vec!",
    b"List.of",
    b"Arrays.asList",
    b"listOf",
    b"array",
];

impl Cursor<'_> {
    /// Returns the values of a list or of the lines below; `None` if there is only one.
    pub(super) fn many(&mut self, operator: Operator, syntax: Syntax) -> Option<Vec<Value>> {
        if !matches!(operator, Operator::Assigns | Operator::Colon) {
            return None;
        }
        if syntax == Syntax::Settings && operator == Operator::Colon {
            self.skip_tag();
            if self.is_block() {
                return Some(self.lines_below());
            }
        }
        if syntax == Syntax::Settings
            && let Some(values) = self.block_string()
        {
            return Some(values);
        }
        let begin = self.at;
        if let Some(maker) = MAKERS.into_iter().find(|maker| self.starts_with(maker)) {
            self.at += maker.len();
        }
        let list = self.list(syntax);
        if list.is_none() {
            self.at = begin;
        }
        list
    }

    /// Returns the lines of a `"""` block that begins at the end of the line, as in TOML. A long
    /// text is not a secret.
    fn block_string(&self) -> Option<Vec<Value>> {
        let quotes = [&b"\"\"\""[..], b"'''"];
        let quotes = quotes.into_iter().find(|quotes| self.starts_with(quotes))?;
        let far = self.far();
        let start = (self.at + quotes.len()).min(far);
        let body = &self.bytes[start..far];
        if !body.starts_with(b"\n") && !body.starts_with(b"\r\n") {
            return None;
        }
        let body = &body[..memchr::memmem::find(body, quotes)?];
        let mut at = start;
        let lines = body.split_inclusive(|byte| *byte == b'\n').map(|line| {
            let begin = at + line.len() - line.trim_ascii_start().len();
            at += line.len();
            let end = begin + line.trim_ascii().len();
            let span = begin.min(end)..end;
            let form = Form::Quoted;
            Value { span, form }
        });
        let values: Vec<_> = lines.filter(|value| !value.span.is_empty()).collect();
        (values.len() <= 3).then_some(values)
    }

    /// Skips YAML tags and anchors: `!!str x`, `&anchor x`.
    fn skip_tag(&mut self) {
        if !self.starts_with(b"!!") && !self.starts_with(b"&") {
            return;
        }
        let rest = &self.bytes[self.at.min(self.end)..self.end];
        if let Some(space) = rest.iter().position(u8::is_ascii_whitespace)
            && rest[space] == b' '
        {
            self.at += space;
            self.skip_space();
        }
    }

    fn far(&self) -> usize {
        self.bytes.len().min(self.start + super::REACH + REACH)
    }

    /// Strings between brackets, with or without commas between them.
    fn list(&mut self, syntax: Syntax) -> Option<Vec<Value>> {
        let open = self
            .here()
            .filter(|byte| matches!(byte, b'[' | b'(' | b'{'))?;
        let close = match open {
            b'[' => b']',
            b'(' => b')',
            _ => b'}',
        };
        self.end = self.far();
        self.at += 1;
        let mut values = Vec::new();
        while values.len() < MOST {
            while matches!(
                self.here(),
                Some(b' ' | b'\t' | b'\n' | b'\r' | b',' | b'+')
            ) {
                self.at += 1;
            }
            if self.here()? == close {
                break;
            }
            let (span, form, next) = match self.quoted() {
                Some(span) => (span.clone(), Form::Item, span.end + 1),
                None if syntax == Syntax::Settings && open == b'[' => {
                    let span = self.unquoted(b",]")?;
                    (span.clone(), Form::Bare, span.end)
                }
                None => break,
            };
            self.at = next;
            // The name of an inner member: `{"user": …}`.
            if self.starts_with(b":") || self.starts_with(b" =") {
                let default = self.default_of_object(span.start - 1);
                let name = &self.bytes[span];
                let is_value = matches!(name, b"value" | b"Value") || is_host(name);
                let member = self.member().filter(|_| is_value);
                return Some(Vec::from_iter(member.or(default)));
            }
            values.push(Value { span, form });
        }
        if open == b'(' && values.len() == 2 && self.names_a_login() {
            values.remove(0);
        }
        (!values.is_empty()).then_some(values)
    }

    /// Returns the string after the colon of a member.
    fn member(&mut self) -> Option<Value> {
        self.at += 1;
        self.skip_space();
        let span = self.quoted()?;
        let form = Form::Quoted;
        Some(Value { span, form })
    }

    /// Matches `credentials=("user", "…")`, `auth=("user", "…")`: the first of two is the user.
    fn names_a_login(&self) -> bool {
        let name = &self.bytes[self.start..self.at.min(self.start + 40)];
        let length = name.iter().position(|byte| b"=:(, ".contains(byte));
        let name = name[..length.unwrap_or(name.len())].to_ascii_lowercase();
        [&b"credentials"[..], b"creds", b"auth", b"login"]
            .iter()
            .any(|end| name.ends_with(end))
    }

    /// Follows a string that continues: `"a" "b"`, `"a" +` and the next line.
    pub(super) fn continued(&mut self, values: &mut Vec<Value>) {
        self.end = self.far();
        while let Some(last) = values.last()
            && last.form == Form::Quoted
            && values.len() < MOST
        {
            self.at = last.span.end + 1;
            self.skip_blank();
            let is_joined = matches!(self.here(), Some(b'+' | b'\\'));
            self.at += usize::from(is_joined);
            self.skip_blank();
            let Some(span) = self.quoted().filter(|_| is_joined) else {
                return;
            };
            values.push(Value {
                span,
                form: Form::Quoted,
            });
        }
    }

    fn skip_word(&mut self, word: &[u8]) {
        if self.starts_with(word) {
            self.at += word.len();
            self.skip_space();
        }
    }

    /// Returns true if only the marker of a text block follows in the line.
    fn is_block(&self) -> bool {
        let rest = &self.bytes[self.at.min(self.end)..self.end];
        let Some(line) = memchr::memchr(b'\n', rest) else {
            return false;
        };
        let line = rest[..line].trim_ascii();
        matches!(line, b"" | b"|" | b"|-" | b"|+" | b">" | b">-" | b">+") || line.starts_with(b"# ")
    }

    /// Returns the lines with more indentation than the name: items, or a text.
    fn lines_below(&mut self) -> Vec<Value> {
        let is_text = self.here().is_some_and(|byte| matches!(byte, b'|' | b'>'));
        let start = line_start(self.bytes, self.start);
        let indent = spaces(&self.bytes[start..]);
        let far = self.far();
        let mut values = Vec::new();
        while let Some(next) = memchr::memchr(b'\n', &self.bytes[self.at.min(far)..far]) {
            self.at += next + 1;
            let deep = spaces(&self.bytes[self.at..far]);
            let is_item = self.bytes[self.at + deep..far].starts_with(b"- ");
            self.at += deep + 2 * usize::from(is_item);
            let is_below = deep > indent || is_item && deep == indent;
            // `password:` with the value on the next line, plain or as `value: x`.
            let is_next = values.is_empty() && !is_item && !is_text;
            if is_next && is_below {
                self.end = far;
                self.skip_word(b"value: ");
            }
            if !is_below || !is_item && !is_text && !is_next || values.len() >= MOST {
                break;
            }
            self.end = far;
            let value = match self.quoted() {
                Some(span) => Some((span, Form::Quoted)),
                None => self.unquoted(b"").map(|span| (span, Form::Bare)),
            };
            let Some((span, form)) = value else { break };
            let found = &self.bytes[span.clone()];
            // The name of an inner member.
            let is_member = memchr::memmem::find(found, b": ").is_some()
                || self.bytes[span.end..].starts_with(b":");
            if form == Form::Bare && is_member || is_next && found.starts_with(b"#") {
                if is_next && is_member {
                    self.at =
                        memchr::memrchr(b'\n', &self.bytes[..span.start]).map_or(0, |at| at + 1);
                    values.extend(self.default_below(deep, far));
                }
                break;
            }
            self.at = span.end;
            values.push(Value { span, form });
        }
        // A long text is a certificate or a public key; the key block engine handles private keys.
        if is_text && values.len() > 3 {
            values.clear();
        }
        values
    }
}

/// Matches `repo.acme.io`: the tokens of Composer have the names of their hosts.
fn is_host(name: &[u8]) -> bool {
    let is_part =
        |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-.".contains(byte);
    let dot = memchr::memrchr(b'.', name);
    let end = dot.map_or(&b""[..], |dot| &name[dot + 1..]);
    name.iter().all(is_part)
        && (2..=6).contains(&end.len())
        && end.iter().all(u8::is_ascii_lowercase)
}

pub(super) fn spaces(line: &[u8]) -> usize {
    line.iter().take_while(|byte| **byte == b' ').count()
}
