//! What a search found.

use schemars::JsonSchema;
use serde::Serialize;

use crate::NoticeInfo;

/// The answer of `infiniloom search`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SearchInfo {
    /// The version of this shape.
    pub format_version: u32,
    /// The lines that match, ordered as asked for. None with `-l` and `-c`.
    pub matches: Vec<MatchInfo>,
    /// With `-l` and `-c`: the files that match.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileMatchInfo>,
    /// What was met.
    pub summary: SearchSummary,
    /// Remarks beside the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeInfo>,
}

/// A line that matches.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MatchInfo {
    /// The path of its file.
    pub path: String,
    /// Its number, counted from 1.
    pub line: usize,
    /// The character where the first match begins, counted from 1.
    pub column: usize,
    /// The line, without secrets.
    pub text: String,
    /// What matches, as first byte and byte behind the last in `text`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<(usize, usize)>,
    /// The qualified name of the symbol around it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
    /// With `--sort score`: how well its file fits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// The lines before it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<String>,
    /// The lines after it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<String>,
}

/// The answer of `infiniloom search --ask`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RankedInfo {
    /// The version of this shape.
    pub format_version: u32,
    /// The files that answer best, the best first, each with the part that does.
    pub hits: Vec<RankedHitInfo>,
    /// Remarks beside the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeInfo>,
}

/// A part of a file that answers a question.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RankedHitInfo {
    /// The path of the file.
    pub path: String,
    /// The first line of the part, counted from 1.
    pub start_line: usize,
    /// Its last line.
    pub end_line: usize,
    /// The qualified name of the symbol that the part is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
    /// How well the file answers; comparable within one answer.
    pub score: f64,
}

/// A file that matches.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FileMatchInfo {
    /// Its path.
    pub path: String,
    /// How many of its lines match; with `-l` they are not counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<usize>,
}

/// What a search met.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SearchSummary {
    /// Files that match.
    pub files: usize,
    /// Lines that match.
    pub lines: usize,
    /// Whether there may be more than `--limit` let through.
    pub cut: bool,
}
