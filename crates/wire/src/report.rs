//! What a run did, for programs.

use schemars::JsonSchema;
use serde::Serialize;

use crate::{FileInfo, NoticeInfo, SecretsInfo, Statistics};

/// What a report says about its origin.
pub const REPORT_GENERATOR: &str = "infiniloom report";

/// The report of one `pack`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Report {
    /// [`REPORT_GENERATOR`]. Comes first, so that the start of a file tells a report.
    pub generator: &'static str,
    /// The version of this shape.
    pub format_version: u32,
    /// The name of the repository.
    pub name: String,
    /// What was written.
    pub output: OutputInfo,
    /// What the packed files amount to.
    pub statistics: Statistics,
    /// What git says about changes and history, where it was asked for.
    pub sections: Vec<SectionInfo>,
    /// The packed files, ordered by path.
    pub files: Vec<FileInfo>,
    /// Everything that was found and left out, ordered by path.
    pub left_out: Vec<LeftOutInfo>,
    /// The secrets that were found, and what was done about them.
    pub secrets: SecretsInfo,
    /// Files that changed between counting and writing.
    pub changed: Vec<String>,
    /// Things that the user should know.
    pub warnings: Vec<String>,
}

/// What was written.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OutputInfo {
    /// The format.
    pub format: String,
    /// Its bytes.
    pub bytes: usize,
    /// The exact number of tokens of the whole output.
    pub tokens: usize,
    /// The most tokens that the result is taken to have: the upper end of the band
    /// where they are estimated, else the same as `tokens`.
    pub tokens_upper: usize,
    /// Whether the tokens are an estimate. Where a provider counted them, they are
    /// not, and the figures of single files still are.
    pub estimated: bool,
    /// The host of the provider that counted the tokens, where one was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counted_by: Option<String>,
    /// The vocabulary that tokens are counted with.
    pub vocabulary: String,
    /// The model that the output is for.
    pub model: String,
    /// How many tokens that model takes.
    pub window: usize,
}

/// A section of the pack.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SectionInfo {
    /// `log`, `diff`, `staged` or `since`.
    pub kind: String,
    /// What is listed or compared, in words.
    pub title: String,
    /// The name of the tree it is about, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repository: Option<String>,
    /// The bytes of its text.
    pub bytes: usize,
    /// The tokens of its text.
    pub tokens: usize,
}

/// Something that was left out.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LeftOutInfo {
    /// Its path; a folder stands for everything in it.
    pub path: String,
    /// Whether it is a folder.
    pub is_dir: bool,
    /// The reason's short name.
    pub reason: String,
    /// The reason in words, with the rule that decided.
    pub detail: String,
}

/// A pack as one text, with its report.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PackInfo {
    /// The pack.
    pub text: String,
    /// What it contains, and what was skipped.
    pub report: Report,
    /// Remarks beside the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeInfo>,
}
