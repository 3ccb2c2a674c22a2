//! Defaults of parameters: `DBPassword:` with `Default: …` below it in CloudFormation,
//! `"adminPassword": {"type": "securestring", "defaultValue": "…"}` in ARM and Terraform's JSON.

use super::many::spaces;
use super::strings::string_at;
use super::{Cursor, Form, Value};

/// Members that hold the value of a parameter unless the caller gives another one.
const DEFAULTS: [&[u8]; 3] = [b"default", b"Default", b"defaultValue"];

impl Cursor<'_> {
    /// Returns the default among the lines from `self.at` on that have the indentation `deep`.
    pub(super) fn default_below(&mut self, deep: usize, far: usize) -> Option<Value> {
        loop {
            let line = &self.bytes[self.at.min(far)..far];
            let name = &line[spaces(line).min(line.len())..];
            let is_member = spaces(line) == deep;
            let found = DEFAULTS.iter().find_map(|default| {
                let rest = name.strip_prefix(*default)?;
                rest.strip_prefix(b": ")
            });
            if let Some(rest) = found.filter(|_| is_member) {
                self.at = far - rest.len();
                self.end = far;
                self.skip_space();
                return self.text_of_line();
            }
            self.at += memchr::memchr(b'\n', line)? + 1;
            let next = &self.bytes[self.at.min(far)..far];
            if spaces(next) < deep {
                return None;
            }
        }
    }

    fn text_of_line(&mut self) -> Option<Value> {
        match self.quoted() {
            Some(span) => Some((span, Form::Quoted)),
            None => self.unquoted(b"").map(|span| (span, Form::Bare)),
        }
        .map(|(span, form)| Value { span, form })
    }

    /// Returns the default among the members of the object whose first name at `first` was read.
    pub(super) fn default_of_object(&self, first: usize) -> Option<Value> {
        let far = self.end;
        let (mut at, mut depth) = (first, 0);
        while at < far {
            match self.bytes[at] {
                b'"' => {
                    let name = string_at(self.bytes, at)?;
                    at = name.end + 1;
                    let rest = self.bytes[at.min(far)..far].trim_ascii_start();
                    let is_default = depth == 0 && DEFAULTS.contains(&&self.bytes[name]);
                    if is_default && let Some(value) = rest.strip_prefix(b":") {
                        let start = far - value.trim_ascii_start().len();
                        let span = string_at(self.bytes, start)?;
                        let form = Form::Quoted;
                        return Some(Value { span, form });
                    }
                }
                b'{' | b'[' => {
                    depth += 1;
                    at += 1;
                }
                b'}' | b']' if depth == 0 => return None,
                b'}' | b']' => {
                    depth -= 1;
                    at += 1;
                }
                _ => at += 1,
            }
        }
        None
    }
}
