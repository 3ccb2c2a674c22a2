//! Lines of configuration in texts of another kind: variables in a README, a log or a
//! message, settings that a remark holds, flags of a command within a list of strings. There,
//! as in files of configuration, the name decides.

use std::ops::Range;

use crate::assigned::{Form, Value};
use crate::names::Promise;
use crate::place::{Place, Purpose, Role, Syntax};
use crate::words::WordList;

/// How far back the beginning of a line is looked for.
const BACK: usize = 512;

/// How far back the beginning of a text between three quotes is looked for.
const LONG_TEXT: usize = 16 << 10;

/// A name with the value that it is given, in a text.
pub(crate) struct ConfigLine<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) name: &'a Range<usize>,
    pub(crate) value: &'a Value,
    pub(crate) promise: Promise,
}

impl ConfigLine<'_> {
    /// Says whether the text at `place`, which is no configuration, has a line of it here.
    pub(crate) fn is_config(&self, place: Place) -> bool {
        let is_secret = matches!(
            self.promise,
            Promise::Password | Promise::Secret | Promise::Token | Promise::ApiKey
        );
        if !is_secret || self.value.span.start <= self.name.end {
            return false;
        }
        match place.role {
            Role::Config => true,
            Role::Source | Role::Settings => self.is_flag_in_list() || self.is_in_long_text(),
            Role::Other => self.is_variable() || self.is_flag(),
            Role::Text => {
                self.is_variable()
                    || self.is_flag()
                    || self.is_line()
                    || place.purpose == Purpose::Plain
                        && place.syntax == Syntax::Prose
                        && (self.is_pair() || self.is_member())
            }
        }
    }

    /// Says whether a remark in configuration holds a setting that was taken out of use:
    /// `#DB_PASSWORD=x`, `; password = x`, `# password: x`.
    pub(crate) fn is_remark_of_setting(&self) -> bool {
        let before = self.before();
        let signs = |byte: &u8| b"#;/!-*<> \t".contains(byte);
        let rest = before.iter().position(|byte| !signs(byte));
        let lead = &before[rest.unwrap_or(before.len())..];
        let is_lead = is_lead(lead.trim_ascii()) || matches!(lead, b"\"" | b"'" | b"$");
        is_lead
            && (self.is_variable() || (self.is_one_word() || self.is_phrase()) && self.ends_line())
    }

    /// `NAME=value`, as shells and files of variables write it.
    fn is_variable(&self) -> bool {
        let name = &self.bytes[self.name.clone()];
        let is_upper =
            |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_';
        name.iter().all(is_upper) && self.is_tight()
    }

    /// `--password=value`.
    fn is_flag(&self) -> bool {
        self.bytes[self.name.start..].starts_with(b"--") && self.is_tight()
    }

    /// `["--password", "value"]`: the arguments of a command.
    fn is_flag_in_list(&self) -> bool {
        let quote = self.bytes.get(self.name.end);
        let before = self.before();
        let open = before.iter().rposition(|byte| b"([{".contains(byte));
        self.bytes[self.name.start..].starts_with(b"--")
            && matches!(quote, Some(b'"' | b'\''))
            && self.bytes.get(self.name.end + 1) == Some(&b',')
            && open.is_some_and(|at| before[at] == b'[')
            && self.has_digit()
    }

    /// `NAME=value` as a whole line of a text between three quotes.
    fn is_in_long_text(&self) -> bool {
        let is_line = self.is_variable()
            && self.has_digit()
            && is_lead(self.before().trim_ascii())
            && self.ends_line();
        let is_open = |quotes: &[u8]| {
            let from = self.name.start.saturating_sub(LONG_TEXT);
            let before = &self.bytes[from..self.name.start];
            !memchr::memmem::find_iter(before, quotes)
                .count()
                .is_multiple_of(2)
        };
        is_line && (is_open(b"\"\"\"") || is_open(b"'''"))
    }

    /// `db.password=value`, `db_password: value` as a whole line.
    fn is_line(&self) -> bool {
        let name = &self.bytes[self.name.clone()];
        let is_key =
            |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"._-".contains(byte);
        let is_plain =
            self.has_digit() || name.len() < 3 || name.iter().any(|byte| b"._".contains(byte));
        let found = &self.bytes[self.value.span.clone()];
        let between = &self.bytes[self.name.end..self.value.span.start];
        let is_code = found.iter().any(|byte| b":([{".contains(byte)) || is_lookup(found);
        name.iter().all(is_key)
            && is_plain
            && !is_code
            && between.iter().any(|byte| b":=".contains(byte))
            && !self.bytes[self.value.span.end..].starts_with(b",")
            && is_lead(self.before().trim_ascii())
            && self.is_one_word()
            && self.ends_line()
    }

    /// `user=ann password=value`, as programs log it.
    fn is_pair(&self) -> bool {
        let before = self.name.start.checked_sub(1).map(|at| self.bytes[at]);
        let is_begin = before.is_none_or(|byte| b" \t\n,&?;([{/".contains(&byte));
        is_begin && self.is_tight() && self.has_digit()
    }

    /// `"pass":"value"`, as programs log it.
    fn is_member(&self) -> bool {
        let between = &self.bytes[self.name.end..self.value.span.start];
        self.value.form == Form::Quoted
            && self.has_digit()
            && matches!(between, b"\":\"" | b"\": \"" | b"\\\":\\\"")
    }

    /// Tells whether nothing but `=` and a quote is between the name and its value.
    fn is_tight(&self) -> bool {
        matches!(
            &self.bytes[self.name.end..self.value.span.start],
            b"=" | b"=\"" | b"='" | b"=\\\"" | b"=\\'"
        )
    }

    fn has_digit(&self) -> bool {
        let found = &self.bytes[self.value.span.clone()];
        found.iter().any(u8::is_ascii_digit)
    }

    fn is_one_word(&self) -> bool {
        let found = &self.bytes[self.value.span.clone()];
        let is_quoted = self.value.form == Form::Quoted;
        is_quoted || !found.iter().any(u8::is_ascii_whitespace)
    }

    /// A few words with a number, and none of the signs of a sentence.
    fn is_phrase(&self) -> bool {
        let found = &self.bytes[self.value.span.clone()];
        let words = found.split(u8::is_ascii_whitespace).count();
        words <= 4 && self.has_digit() && !found.iter().any(|byte| b"(),.:=[]{}<>`".contains(byte))
    }

    /// Tells whether nothing but a quote or a remark follows in the line.
    fn ends_line(&self) -> bool {
        let from = self.value.span.end;
        let rest = &self.bytes[from..self.bytes.len().min(from + 80)];
        let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
        let line = line.trim_ascii();
        let line = match line {
            [b'"' | b'\'', rest @ ..] => rest.trim_ascii(),
            _ => line,
        };
        line.is_empty() || line.starts_with(b"#") || matches!(line, b"," | b";" | b"-->")
    }

    fn before(&self) -> &[u8] {
        let before = &self.bytes[self.name.start.saturating_sub(BACK)..self.name.start];
        let line = before.rsplit(|byte| *byte == b'\n').next();
        line.unwrap_or(before)
    }
}

/// `user.pass_word`: words with full stops between them.
fn is_lookup(value: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'.');
    value.contains(&b'.') && value.iter().all(is_part)
}

/// Words before the name of a setting that change nothing.
fn is_lead(text: &[u8]) -> bool {
    const LEADS: WordList = WordList::new("export set - * env ENV ARG declare readonly setx $ :");
    text.is_empty() || LEADS.has(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_line(text: &str, name: &str, value: &str, check: impl Fn(&ConfigLine<'_>)) {
        let start = text.find(name).unwrap();
        let at = text.rfind(value).unwrap();
        check(&ConfigLine {
            bytes: text.as_bytes(),
            name: &(start..start + name.len()),
            value: &Value {
                span: at..at + value.len(),
                form: Form::Bare,
            },
            promise: Promise::Password,
        });
    }

    #[test]
    fn lines_in_texts() {
        for (text, name, value, expected) in [
            ("set DB_PASSWORD=owl7 now", "DB_PASSWORD", "owl7", true),
            ("x --password=owl7", "--password", "owl7", true),
            ("db.password=owl", "db.password", "owl", true),
            ("password: owl7", "password", "owl7", true),
            ("password: owl and more", "password", "owl", false),
            ("user=a password=owl7 ok", "password", "owl7", true),
            ("the password: owl", "password", "owl", false),
        ] {
            with_line(text, name, value, |line| {
                assert_eq!(line.is_config(Place::of("a.txt")), expected, "{text}");
            });
        }
    }

    #[test]
    fn settings_in_remarks() {
        for (text, name, value, expected) in [
            ("#DB_PASSWORD=owl", "DB_PASSWORD", "owl", true),
            ("; password = owl", "password", "owl", true),
            ("# password: owl", "password", "owl", true),
            ("# the password: owl", "password", "owl", false),
            ("# password: of the user", "password", "of the user", false),
        ] {
            with_line(text, name, value, |line| {
                assert_eq!(line.is_remark_of_setting(), expected, "{text}");
            });
        }
    }
}
