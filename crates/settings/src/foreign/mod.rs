//! One entry in the configuration file of another program: text in, text out. What else
//! stands in the file, comments and layout too, stays byte for byte. Which programs and
//! files there are is not known here.

mod json;
mod json_edit;
mod toml;

#[cfg(test)]
mod tests;

use serde_json::Value;

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForeignSyntax {
    /// JSON and nothing else.
    Json,
    /// JSON with comments and commas at the end.
    Jsonc,
    /// TOML.
    Toml,
}

/// An entry of a file: a table under a path of keys.
///
/// ```
/// use loom_settings::{ForeignEntry, ForeignSyntax};
/// use serde_json::json;
///
/// let entry = ForeignEntry { syntax: ForeignSyntax::Jsonc, path: &["servers", "loom"] };
/// let old = "{\n  // mine\n  \"servers\": {},\n}\n";
/// let new = entry.set(old, &[("command", json!("loom"))]).unwrap();
/// assert!(new.contains("// mine") && new.contains("\"command\": \"loom\""));
/// assert_eq!(entry.set(&new, &[("command", json!("loom"))]).unwrap(), new);
/// assert_eq!(entry.take(&new, Some(old)).unwrap(), old);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ForeignEntry<'p> {
    /// How the file is written.
    pub syntax: ForeignSyntax,
    /// The keys that lead to the entry, its own name last.
    pub path: &'p [&'p str],
}

/// Why a file is left as it is, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct ForeignError {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// What was found, against what was expected.
    pub problem: String,
}

impl ForeignError {
    fn at(text: &str, offset: usize, problem: impl Into<String>) -> Self {
        let mut offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let before = &text[..offset];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        Self {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            problem: problem.into(),
        }
    }
}

impl ForeignEntry<'_> {
    /// The text with these fields in the entry; fields that the entry has besides stay.
    /// A text that has them already comes back as it is.
    ///
    /// # Errors
    /// When the text is not what it should be, or something else stands in the way.
    pub fn set(&self, text: &str, fields: &[(&str, Value)]) -> Result<String, ForeignError> {
        match self.syntax {
            ForeignSyntax::Toml => toml::set(text, self.path, fields),
            _ => json_edit::set(text, self.syntax, self.path, fields),
        }
    }

    /// The text without the entry. `before` is what the file was before the entry was
    /// set: tables that it did not have and that are empty now go too, and an entry that
    /// it had comes back. A text without the entry comes back as it is.
    ///
    /// # Errors
    /// When the text is not what it should be.
    pub fn take(&self, text: &str, before: Option<&str>) -> Result<String, ForeignError> {
        match self.syntax {
            ForeignSyntax::Toml => toml::take(text, self.path, before),
            _ => json_edit::take(text, self.syntax, self.path, before),
        }
    }

    /// The entry.
    ///
    /// # Errors
    /// When the text is not what it should be.
    pub fn get(&self, text: &str) -> Result<Option<Value>, ForeignError> {
        match self.syntax {
            ForeignSyntax::Toml => toml::get(text, self.path),
            _ => json_edit::get(text, self.syntax, self.path),
        }
    }
}

/// A change of a text: what stands in `range` goes, `with` comes.
#[derive(Debug)]
struct Edit {
    range: std::ops::Range<usize>,
    with: String,
}

impl Edit {
    fn insert(at: usize, with: impl Into<String>) -> Self {
        let with = with.into();
        Self {
            range: at..at,
            with,
        }
    }

    fn remove(range: std::ops::Range<usize>) -> Self {
        let with = String::new();
        Self { range, with }
    }
}

/// Edits in the order of their places, none over another.
fn apply(text: &str, edits: &[Edit]) -> String {
    let (mut out, mut at) = (String::with_capacity(text.len() + 256), 0);
    for edit in edits {
        out.push_str(&text[at..edit.range.start]);
        out.push_str(&edit.with);
        at = edit.range.end;
    }
    out.push_str(&text[at..]);
    out
}

/// How the text ends its lines.
fn newline(text: &str) -> &'static str {
    match text.contains("\r\n") {
        true => "\r\n",
        false => "\n",
    }
}
