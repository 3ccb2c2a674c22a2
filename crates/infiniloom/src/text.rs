//! A text in memory with the name that says its kind.

use loom_host::{Language, RepoPath};

/// A text that is no file, or that the caller already read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    name: String,
    text: String,
}

impl Text {
    /// The text of a file of this name, such as `shop.py`; `-` for a text without a name.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            text: text.into(),
        }
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the text.
    pub fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn path(&self) -> RepoPath {
        RepoPath::new(&self.name).unwrap_or_else(|_| RepoPath::root())
    }

    pub(crate) fn language(&self) -> Option<Language> {
        Language::detect(&self.path(), &self.text)
    }
}

/// Removes the marks of changed lines from a text of a pack.
pub fn unmark(marked: &str) -> String {
    loom_host::unmark(marked)
}
