//! The output of `infiniloom context`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::NoticeInfo;

/// A context: the selected code for a query, with reasons.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ContextInfo {
    /// The version of this shape.
    pub format_version: u32,
    /// The tokens of `context`.
    pub tokens: usize,
    /// The maximum of `tokens`.
    pub budget: usize,
    /// The vocabulary that counts the tokens.
    pub vocabulary: String,
    /// Number of words in the query, without stop words.
    #[serde(default)]
    pub query_words: usize,
    /// Number of these words that occur in the text, the names or the path of a file.
    #[serde(default)]
    pub query_words_found: usize,
    /// Number of files that were searched. Version 1 of the JSON has no such field.
    #[serde(skip)]
    #[schemars(skip)]
    pub files_searched: usize,
    /// The best candidates, best first: one of each file, then further ones.
    pub hits: Vec<ContextHitInfo>,
    /// The paths of all files that are related to the query, best first.
    pub files: Vec<String>,
    /// The pieces of the context, in its order; empty if nothing matches the query.
    pub pieces: Vec<ContextPieceInfo>,
    /// Summaries of files that are not shown, or only partly shown.
    pub summaries: Vec<ContextSummaryInfo>,
    /// The context for a model, in the format of the query: XML by default. With the format JSON it
    /// is in the compact format. If nothing matches the query, it contains a note and the beginning
    /// of the map.
    pub context: String,
    /// The scores of the best files and their parts, if the query asks for them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub explained: Vec<ContextFileInfo>,
    /// Warnings and notes about the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeInfo>,
    /// Whether selected code did not fit.
    #[serde(skip)]
    pub truncated: bool,
}

/// A candidate that matches the query.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ContextHitInfo {
    /// Path of the file.
    pub path: String,
    /// First line, from 1.
    pub start_line: usize,
    /// Last line.
    pub end_line: usize,
    /// Score; higher is better.
    pub score: f64,
}

/// A line about a directory, or about a file that is not shown, or only partly shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ContextSummaryInfo {
    /// Path of the file; the path of a directory ends with `/`.
    pub path: String,
    /// A summary, or the signatures of the other parts, each with its lines.
    pub text: String,
}

/// A piece of the context.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ContextPieceInfo {
    /// Identifier for citations; stable as long as the text does not change.
    pub id: String,
    /// Path of the file.
    pub path: String,
    /// First line, from 1.
    pub start_line: usize,
    /// Last line.
    pub end_line: usize,
    /// The tokens of the text.
    pub tokens: usize,
    /// The score of the best candidate in it.
    pub score: f64,
    /// Reasons for the selection, highest value first.
    pub reasons: Vec<ReasonInfo>,
    /// The redacted lines. Programs that read JSON find them in `context`.
    #[serde(skip)]
    pub text: String,
}

/// A reason for a selection.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReasonInfo {
    /// Name of the signal.
    pub signal: String,
    /// The reason in words.
    pub words: String,
    /// Its contribution to the score.
    pub value: f64,
    /// The scope of the reason.
    #[serde(default)]
    pub of: ReasonScope,
}

/// The scope of a reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReasonScope {
    /// The lines of the piece.
    #[default]
    Piece,
    /// The whole file.
    File,
}

/// The score of a file, explained.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ContextFileInfo {
    /// Path of the file.
    pub path: String,
    /// Score of the file.
    pub score: f64,
    /// Factor for the role of the file: 1 for source code.
    pub standing: f64,
    /// Reasons for the score.
    pub reasons: Vec<ReasonInfo>,
    /// Candidates of the file.
    pub parts: Vec<ContextPartInfo>,
}

/// The score of a candidate, explained.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ContextPartInfo {
    /// First line, from 1.
    pub start_line: usize,
    /// Last line.
    pub end_line: usize,
    /// Size in bytes.
    pub bytes: usize,
    /// First line of long documentation in the candidate; 0 without long documentation.
    pub doc_start_line: usize,
    /// Last line of that documentation.
    pub doc_end_line: usize,
    /// Size of that documentation in bytes.
    pub doc_bytes: usize,
    /// Whether the candidate is a complete definition, such as a function.
    pub is_whole: bool,
    /// Score of the candidate.
    pub score: f64,
    /// Reasons for the score.
    pub reasons: Vec<ReasonInfo>,
}
