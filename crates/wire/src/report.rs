//! The report of a run, for programs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{FileInfo, NoticeInfo, SecretInfo, SecretsInfo, Statistics, TreeInfo};

/// The value of `generator` in a report.
pub const REPORT_GENERATOR: &str = "infiniloom report";

/// The report of one `pack`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    /// [`REPORT_GENERATOR`]. It comes first, so that the start of a file identifies a report.
    pub generator: String,
    /// The version of this shape.
    pub format_version: u32,
    /// The name of the repository.
    pub name: String,
    /// Facts about the output.
    pub output: OutputInfo,
    /// Statistics of the packed files.
    pub statistics: Statistics,
    /// Changes and history from git, if they were requested.
    pub sections: Vec<SectionInfo>,
    /// The packed files, ordered by path.
    pub files: Vec<FileInfo>,
    /// All skipped files and directories, ordered by path.
    pub left_out: Vec<LeftOutInfo>,
    /// The secrets, and the mode of handling them.
    pub secrets: SecretsInfo,
    /// Files that changed between counting and writing.
    pub changed: Vec<String>,
    /// Warnings for the user.
    pub warnings: Vec<String>,
}

/// Facts about the output.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OutputInfo {
    /// The format.
    pub format: String,
    /// Size in bytes.
    pub bytes: usize,
    /// The exact number of tokens of the whole output.
    pub tokens: usize,
    /// The upper end of the range if the tokens are estimated, else the same as `tokens`.
    pub tokens_upper: usize,
    /// Whether the tokens are an estimate. False if a provider counted the output, even if the
    /// numbers of single files are estimates.
    pub estimated: bool,
    /// The host of the provider that counted the tokens, if one was used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counted_by: Option<String>,
    /// The vocabulary that counts the tokens.
    pub vocabulary: String,
    /// The model that the output is for.
    pub model: String,
    /// Size of that model's context window in tokens.
    pub window: usize,
}

/// A section of the pack.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SectionInfo {
    /// `log`, `diff`, `staged` or `since`.
    pub kind: String,
    /// Description of the list or comparison.
    pub title: String,
    /// Name of the root, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repository: Option<String>,
    /// The bytes of its text.
    pub bytes: usize,
    /// The tokens of its text.
    pub tokens: usize,
}

/// A skipped file or directory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LeftOutInfo {
    /// Path; the path of a directory includes its contents.
    pub path: String,
    /// Whether it is a directory.
    pub is_dir: bool,
    /// Short name of the reason.
    pub reason: String,
    /// The reason in words, with the rule that decided.
    pub detail: String,
}

/// A pack as one text, with its report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PackInfo {
    /// The pack.
    pub text: String,
    /// The report of the pack: its contents and the skipped files.
    pub report: Report,
    /// Warnings and notes about the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeInfo>,
}

/// A pack that is decided and not written: its files, and what is skipped. It has no JSON.
#[derive(Clone, Debug, PartialEq)]
pub struct PackPlanInfo {
    /// Name of the repository.
    pub name: String,
    /// Statistics of the files.
    pub statistics: Statistics,
    /// Whether tokens are estimated.
    pub estimated: bool,
    /// Directories and files with their tokens.
    pub tree: TreeInfo,
    /// The files, ordered by path.
    pub files: Vec<FileInfo>,
    /// Skipped files and directories, ordered by path.
    pub left_out: Vec<LeftOutInfo>,
    /// The secrets that were found.
    pub secrets: Vec<SecretInfo>,
}
