//! The parts of a packed repository.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Statistics of the packed files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Statistics {
    /// Number of files.
    pub files: usize,
    /// Number of lines.
    pub lines: usize,
    /// Size of the decoded text in bytes.
    pub bytes: usize,
    /// The tokens of the contents, without headings.
    pub tokens: usize,
    /// The vocabulary that counts the tokens.
    pub vocabulary: String,
    /// The share of each language, largest first.
    pub languages: Vec<LanguageInfo>,
    /// Number of skipped files and directories, by reason.
    pub left_out: Vec<LeftOutCount>,
    /// The commits that the files come from, if they do not come from directories.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub revisions: Vec<RevisionInfo>,
}

/// A commit that contains packed files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RevisionInfo {
    /// Prefix of the paths of its files, if there are several roots.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tree: Option<String>,
    /// The branch, tag or hash from the user.
    pub name: String,
    /// The full hash of the commit.
    pub commit: String,
}

/// The share of one language.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LanguageInfo {
    /// Name of the language; `Other` for files of an unknown language.
    pub name: String,
    /// Number of files.
    pub files: usize,
    /// Number of lines.
    pub lines: usize,
    /// Number of tokens.
    pub tokens: usize,
}

/// Number of skipped files and directories for one reason.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LeftOutCount {
    /// Short name of the reason.
    pub reason: String,
    /// Number of files and directories.
    pub count: usize,
    /// Number of directories among them. A skipped directory counts once, without its files.
    #[serde(default)]
    pub directories: usize,
}

/// Facts about a packed file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FileInfo {
    /// Path in the repository. Names that are not plain text are quoted as git quotes them.
    pub path: String,
    /// Identifier of the language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Number of lines.
    pub lines: usize,
    /// The tokens of the contents.
    pub tokens: usize,
    /// Changes to the text: a converted encoding, elided parts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The compression, if it was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compression: Option<CompressionInfo>,
}

/// The compression of a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CompressionInfo {
    /// The level (`minimal`, `balanced`, `aggressive`, `extreme`), or the name of a transform.
    /// `none` means that nothing could be elided.
    pub form: String,
    /// The requested level, if a weaker one was used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<String>,
    /// Why a weaker level was used, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Number of tokens before compression.
    pub tokens_before: usize,
    /// Number of lines before compression.
    pub lines_before: usize,
    /// Elided parts, in order, without white space. Only a report contains them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub elided: Vec<ElidedInfo>,
}

/// A part of a file that was elided.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ElidedInfo {
    /// `licence`, `body`, `literal`, `comment`, `statements`, `prose`, `source`, `parts` or
    /// `rest`.
    pub what: String,
    /// First line in the file.
    pub first_line: usize,
    /// Last line in the file.
    pub last_line: usize,
}

/// A packed file with its contents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PackFile<'a> {
    /// Facts about the file.
    #[serde(flatten)]
    pub info: FileInfo,
    /// Text of the file.
    pub content: Cow<'a, str>,
}

/// Changes or history from git, in a pack.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SectionText<'a> {
    /// `log`, `diff`, `staged` or `since`.
    pub kind: Cow<'a, str>,
    /// Description of the list or comparison.
    pub title: Cow<'a, str>,
    /// Name of the root, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repository: Option<Cow<'a, str>>,
    /// The log, or a diff in git's unified format.
    pub text: Cow<'a, str>,
}
