//! Edits one entry in the configuration file of another program: text in, text out. All other bytes
//! of the file, comments and layout included, stay the same. The callers know the programs and
//! their files.

mod json;
mod json_edit;
mod json_list;
mod toml;

#[cfg(test)]
mod tests;

use serde_json::Value;

/// Syntax of a configuration file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForeignSyntax {
    /// JSON without extensions.
    Json,
    /// JSON with comments and trailing commas.
    Jsonc,
    /// TOML.
    Toml,
}

/// Entry of a file: a table under a path of keys.
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
    /// Syntax of the file.
    pub syntax: ForeignSyntax,
    /// Keys that lead to the entry, ending with its name.
    pub path: &'p [&'p str],
}

/// Reason why a file is not changed, with the position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct ForeignError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Expected and found value.
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
    /// Sets these fields in the entry; its other fields stay. Returns the same text if the entry
    /// already has them.
    ///
    /// # Errors
    /// Returns an error if the text is not valid, or if another value is in the place of a table.
    pub fn set(&self, text: &str, fields: &[(&str, Value)]) -> Result<String, ForeignError> {
        match self.syntax {
            ForeignSyntax::Toml => toml::set(text, self.path, fields),
            _ => json_edit::set(text, self.syntax, self.path, fields),
        }
    }

    /// Removes the entry. `before` is the text before the entry was set: tables that were missing
    /// in it and are empty now are removed too, and an entry that was in it is restored. A text
    /// without the entry is returned unchanged.
    ///
    /// # Errors
    /// Returns an error if the text is not valid.
    pub fn take(&self, text: &str, before: Option<&str>) -> Result<String, ForeignError> {
        match self.syntax {
            ForeignSyntax::Toml => toml::take(text, self.path, before),
            _ => json_edit::take(text, self.syntax, self.path, before),
        }
    }

    /// Returns the entry.
    ///
    /// # Errors
    /// Returns an error if the text is not valid.
    pub fn get(&self, text: &str) -> Result<Option<Value>, ForeignError> {
        match self.syntax {
            ForeignSyntax::Toml => toml::get(text, self.path),
            _ => json_edit::get(text, self.syntax, self.path),
        }
    }
}

/// List of a JSON file without extensions, under a path of keys.
///
/// ```
/// use loom_settings::ForeignList;
/// use serde_json::json;
///
/// let list = ForeignList { path: &["hooks", "Stop"] };
/// let old = "{\n  \"model\": \"a\"\n}\n";
/// let new = list.add(old, &json!({"run": "x"})).unwrap();
/// assert_eq!(list.get(&new).unwrap(), [json!({"run": "x"})]);
/// let is_ours = |item: &serde_json::Value| item["run"] == "x";
/// assert_eq!(list.take(&new, &is_ours, Some(old)).unwrap(), old);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ForeignList<'p> {
    /// Keys that lead to the list, ending with its name.
    pub path: &'p [&'p str],
}

impl ForeignList<'_> {
    /// Appends an item. Returns the same text if an item of the list is equal.
    ///
    /// # Errors
    /// Returns an error if the text is not valid, or if another value is in the place of the list.
    pub fn add(&self, text: &str, item: &Value) -> Result<String, ForeignError> {
        json_list::add(text, self.path, item)
    }

    /// Removes the items that `is_ours` accepts. An empty list is removed too, unless it is in
    /// `before`, the text before the items were added.
    ///
    /// # Errors
    /// Returns an error if the text is not valid.
    pub fn take(
        &self,
        text: &str,
        is_ours: &dyn Fn(&Value) -> bool,
        before: Option<&str>,
    ) -> Result<String, ForeignError> {
        json_list::take(text, self.path, is_ours, before)
    }

    /// Returns the items; none if there is no list.
    ///
    /// # Errors
    /// Returns an error if the text is not valid.
    pub fn get(&self, text: &str) -> Result<Vec<Value>, ForeignError> {
        json_list::get(text, self.path)
    }
}

/// Change of a text: replaces `range` by `with`.
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

/// Applies edits, which are ordered by position and do not overlap.
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

/// Returns the line ending of the text.
fn newline(text: &str) -> &'static str {
    match text.contains("\r\n") {
        true => "\r\n",
        false => "\n",
    }
}
