//! The answer of `infiniloom context`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::NoticeInfo;

/// A context: what a model gets for a question, and why.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ContextInfo {
    /// The version of this shape.
    pub format_version: u32,
    /// The tokens of `context`.
    pub tokens: usize,
    /// At most so many it may have.
    pub budget: usize,
    /// How tokens are counted.
    pub vocabulary: String,
    /// How many words the query has, without stop words.
    #[serde(default)]
    pub query_words: usize,
    /// How many of these words are in the text, the names or the path of a file.
    #[serde(default)]
    pub query_words_found: usize,
    /// The best parts, the best first: of each file one, then further ones.
    pub hits: Vec<ContextHitInfo>,
    /// The paths of all files that have something to do with the question, the best first.
    pub files: Vec<String>,
    /// What the context shows, in its order; empty if nothing matches the query.
    pub pieces: Vec<ContextPieceInfo>,
    /// What is told about files that are not shown, or not as a whole.
    pub summaries: Vec<ContextSummaryInfo>,
    /// What a model gets, in the compact form. If nothing matches the query, it says so and
    /// shows the beginning of the map.
    pub context: String,
    /// With `--explain`: what the scores of the best files are made of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub explained: Vec<ContextFileInfo>,
    /// Remarks beside the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeInfo>,
}

/// A part that fits.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ContextHitInfo {
    /// Its file.
    pub path: String,
    /// Its first line, from 1.
    pub start_line: usize,
    /// Its last line.
    pub end_line: usize,
    /// The higher the better.
    pub score: f64,
}

/// A line about a folder, or about a file that is not shown, or not as a whole.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ContextSummaryInfo {
    /// The file; a folder ends with `/`.
    pub path: String,
    /// What it is about, or how its other parts are declared, each with its lines.
    pub text: String,
}

/// Lines that the context shows.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ContextPieceInfo {
    /// By which it can be cited: stays the same while the text does.
    pub id: String,
    /// Its file.
    pub path: String,
    /// Its first line, from 1.
    pub start_line: usize,
    /// Its last line.
    pub end_line: usize,
    /// The tokens of its text.
    pub tokens: usize,
    /// The score of its best part.
    pub score: f64,
    /// Why it is there, the weightiest first.
    pub reasons: Vec<ReasonInfo>,
}

/// A reason.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ReasonInfo {
    /// Its name.
    pub signal: String,
    /// In words.
    pub words: String,
    /// How much of the score it is.
    pub value: f64,
    /// What it speaks for.
    #[serde(default)]
    pub of: ReasonScope,
}

/// What a reason speaks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReasonScope {
    /// The lines themselves.
    #[default]
    Piece,
    /// Their file as a whole.
    File,
}

/// What the score of a file is made of.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ContextFileInfo {
    /// Its path.
    pub path: String,
    /// Its score.
    pub score: f64,
    /// What it keeps of its score for being what it is: 1 for source code.
    pub standing: f64,
    /// Why.
    pub reasons: Vec<ReasonInfo>,
    /// Its parts.
    pub parts: Vec<ContextPartInfo>,
}

/// What the score of a part is made of.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ContextPartInfo {
    /// Its first line, from 1.
    pub start_line: usize,
    /// Its last line.
    pub end_line: usize,
    /// Its bytes.
    pub bytes: usize,
    /// The first line of long documentation in it; 0 where it has none.
    pub doc_start_line: usize,
    /// The last line of that documentation.
    pub doc_end_line: usize,
    /// The bytes of that documentation.
    pub doc_bytes: usize,
    /// Whether it is a function or the like as a whole.
    pub is_whole: bool,
    /// Its score.
    pub score: f64,
    /// Why.
    pub reasons: Vec<ReasonInfo>,
}
