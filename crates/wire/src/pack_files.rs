//! The files of a pack, as lines.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ReadLine;

/// The files that a pack selects within its budget, as redacted lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PackFilesInfo {
    /// The version of this shape.
    pub format_version: u32,
    /// The selected files, ordered by path, without those that changed or cannot be read.
    pub files: Vec<PackFileInfo>,
    /// Number of selected files.
    pub selected: usize,
    /// Paths of files that have no room.
    pub over_budget: Vec<String>,
    /// Files that are skipped for another reason.
    pub skipped: Vec<SkippedFileInfo>,
}

/// A selected file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PackFileInfo {
    /// Path of the file.
    pub path: String,
    /// Number of lines in the file.
    pub total_lines: usize,
    /// The last line that has room; the last of the file if it is whole.
    pub last_line: usize,
    /// Whether the whole file has room.
    pub is_whole: bool,
    /// The lines.
    pub lines: Vec<ReadLine>,
}

/// A skipped file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SkippedFileInfo {
    /// Path of the file.
    pub path: String,
    /// The reason in words.
    pub reason: String,
}
