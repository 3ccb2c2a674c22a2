//! A warning or note next to a result.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A warning or note that accompanies a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NoticeInfo {
    /// A stable name of the notice, such as `unreadable`, `changed`, `no_match` or `secrets`.
    pub code: String,
    /// The text of the notice.
    pub message: String,
    /// The file or directory that the notice is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The number of files that the notice is about, if it names none of them. Version 1 of
    /// the JSON has no such field.
    #[serde(skip)]
    #[schemars(skip)]
    pub count: Option<usize>,
}

impl NoticeInfo {
    /// Creates a notice about the result as a whole.
    pub fn new(code: &str, message: impl Into<String>) -> Self {
        Self {
            code: code.to_owned(),
            message: message.into(),
            path: None,
            count: None,
        }
    }

    /// Attaches a file or directory.
    #[must_use]
    pub fn about(self, path: impl Into<String>) -> Self {
        Self {
            path: Some(path.into()),
            ..self
        }
    }

    /// Attaches the number of files that the notice is about.
    #[must_use]
    pub fn of(self, files: usize) -> Self {
        Self {
            count: Some(files),
            ..self
        }
    }
}

impl fmt::Display for NoticeInfo {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}
