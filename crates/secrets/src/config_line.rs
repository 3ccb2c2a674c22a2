//! Configuration lines in other texts: variables in a README, a log or a message, commented-out
//! settings, flags of a command in a list of strings. In these, as in config files, the name
//! decides.

use std::ops::Range;

use crate::assigned::{Form, Value, is_environment};
use crate::names::NameClass;
use crate::place::{Purpose, Role, Syntax, TextContext};
use crate::words::WordList;

/// Maximum distance to the start of a line.
const BACK: usize = 512;

/// Maximum distance to the start of a triple-quoted text.
const LONG_TEXT: usize = 16 << 10;

/// A name with its value in a text.
pub(crate) struct ConfigLine<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) name: &'a Range<usize>,
    pub(crate) value: &'a Value,
    pub(crate) promise: NameClass,
}

impl ConfigLine<'_> {
    /// Returns true if the text at `place`, which is not a config file, has a configuration line
    /// here.
    pub(crate) fn is_config(&self, place: TextContext) -> bool {
        let is_secret = matches!(
            self.promise,
            NameClass::Password | NameClass::Secret | NameClass::Token | NameClass::ApiKey
        );
        if !is_secret || self.value.span.start <= self.name.end {
            return false;
        }
        match place.role {
            Role::Config => true,
            Role::Source | Role::Settings => {
                self.is_flag_in_list() || self.is_in_long_text() || self.is_default_of_lookup()
            }
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

    /// Returns true for a commented-out setting in a config file: `#DB_PASSWORD=x`,
    /// `; password = x`, `# password: x`.
    pub(crate) fn is_remark_of_setting(&self) -> bool {
        let before = self.before();
        let signs = |byte: &u8| b"#;/!-*<> \t".contains(byte);
        let rest = before.iter().position(|byte| !signs(byte));
        let lead = &before[rest.unwrap_or(before.len())..];
        let is_lead = is_lead(lead.trim_ascii()) || matches!(lead, b"\"" | b"'" | b"$");
        is_lead
            && (self.is_variable() || (self.is_one_word() || self.is_phrase()) && self.ends_line())
    }

    /// Matches `NAME=value`, the syntax of shells and variable files.
    fn is_variable(&self) -> bool {
        let name = &self.bytes[self.name.clone()];
        let is_upper =
            |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_';
        name.iter().all(is_upper) && self.is_tight()
    }

    /// Matches `--password=value`.
    fn is_flag(&self) -> bool {
        self.bytes[self.name.start..].starts_with(b"--") && self.is_tight()
    }

    /// Matches `["--password", "value"]`, the arguments of a command.
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

    /// Matches `getenv("NAME", "value")`, `process.env.NAME || "value"`.
    fn is_default_of_lookup(&self) -> bool {
        matches!(self.value.form, Form::Quoted | Form::Argument)
            && self.has_digit()
            && is_environment(self.bytes, self.name)
    }

    /// Matches `NAME=value` as a whole line of a triple-quoted text.
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

    /// Matches `db.password=value` or `db_password: value` as a whole line.
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

    /// Matches `user=ann password=value`, the syntax of logs.
    fn is_pair(&self) -> bool {
        let before = self.name.start.checked_sub(1).map(|at| self.bytes[at]);
        let is_begin = before.is_none_or(|byte| b" \t\n,&?;([{/".contains(&byte));
        is_begin && self.is_tight() && self.has_digit()
    }

    /// Matches `"pass":"value"`, the syntax of logs.
    fn is_member(&self) -> bool {
        let between = &self.bytes[self.name.end..self.value.span.start];
        self.value.form == Form::Quoted
            && self.has_digit()
            && matches!(between, b"\":\"" | b"\": \"" | b"\\\":\\\"")
    }

    /// Returns true if there is only `=` and a quote between the name and its value.
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

    /// Matches a few words with a number and without punctuation of a sentence.
    fn is_phrase(&self) -> bool {
        let found = &self.bytes[self.value.span.clone()];
        let words = found.split(u8::is_ascii_whitespace).count();
        words <= 4 && self.has_digit() && !found.iter().any(|byte| b"(),.:=[]{}<>`".contains(byte))
    }

    /// Returns true if only a quote or a remark follows in the line.
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

/// Matches `user.pass_word`: words joined by full stops.
fn is_lookup(value: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'.');
    value.contains(&b'.') && value.iter().all(is_part)
}

/// Returns true for words before a setting that do not change its meaning.
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
            promise: NameClass::Password,
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
                assert_eq!(
                    line.is_config(TextContext::new("a.txt")),
                    expected,
                    "{text}"
                );
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
