//! The redacted text of a file or of a definition.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::NoticeInfo;

/// The text of a file, of some of its lines, or of a definition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReadInfo {
    /// The version of this shape.
    pub format_version: u32,
    /// The path of the file.
    pub path: String,
    /// The identifier of its language, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The number of lines in the file.
    pub total_lines: usize,
    /// The qualified name of the definition, if one was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
    /// The redacted lines.
    pub lines: Vec<ReadLine>,
    /// These lines as one text, each with its newline.
    pub text: String,
    /// Warnings and notes about the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeInfo>,
}

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReadLine {
    /// Number in the file, from 1. A line that replaces several elided ones has the number of the
    /// first.
    pub line: usize,
    /// The line without its newline.
    pub text: String,
}
