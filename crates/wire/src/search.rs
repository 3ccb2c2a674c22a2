//! The results of a search.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::NoticeInfo;

/// Output of `infiniloom search`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SearchInfo {
    /// The version of this shape.
    pub format_version: u32,
    /// The matching lines, in the requested order. Empty if the search returns only paths or counts.
    pub matches: Vec<MatchInfo>,
    /// The matching files, if the search returns only paths or counts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileMatchInfo>,
    /// Totals of the search.
    pub summary: SearchSummary,
    /// Warnings and notes about the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeInfo>,
}

/// A matching line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MatchInfo {
    /// Path of the file.
    pub path: String,
    /// Line number, counted from 1.
    pub line: usize,
    /// Column of the first match in characters, counted from 1.
    pub column: usize,
    /// The whole line without its newline, with secrets redacted. It is not shortened.
    pub text: String,
    /// The matches as byte ranges of `text`: the first byte, and the byte after the last one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<(usize, usize)>,
    /// The qualified name of the enclosing symbol.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
    /// The score of the file, if files are ordered by score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// The lines before it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<String>,
    /// The lines after it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<String>,
}

/// Output of `infiniloom search --ask`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RankedInfo {
    /// The version of this shape.
    pub format_version: u32,
    /// The best files, best first, each with its best candidate.
    pub hits: Vec<RankedHitInfo>,
    /// Warnings and notes about the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeInfo>,
}

/// A candidate that answers a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RankedHitInfo {
    /// The path of the file.
    pub path: String,
    /// First line, counted from 1.
    pub start_line: usize,
    /// Last line.
    pub end_line: usize,
    /// The qualified name of the symbol, if the candidate is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
    /// Score of the file; comparable within one result.
    pub score: f64,
}

/// A matching file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FileMatchInfo {
    /// Path of the file.
    pub path: String,
    /// Number of matching lines; missing if the search returns only paths.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<usize>,
}

/// Totals of a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SearchSummary {
    /// Number of matching files.
    pub files: usize,
    /// Number of matching lines.
    pub lines: usize,
    /// Whether a limit may have removed results.
    pub cut: bool,
}
