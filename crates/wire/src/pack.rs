//! The parts of a packed repository.

use schemars::JsonSchema;
use serde::Serialize;

/// What the files amount to.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Statistics {
    /// How many files there are.
    pub files: usize,
    /// Their lines.
    pub lines: usize,
    /// The bytes of their decoded text.
    pub bytes: usize,
    /// The tokens of their contents, without headings.
    pub tokens: usize,
    /// The vocabulary that tokens are counted with.
    pub vocabulary: String,
    /// The share of each language, the largest first.
    pub languages: Vec<LanguageInfo>,
    /// How many files and folders were left out, by reason.
    pub left_out: Vec<LeftOutCount>,
    /// The commits that the files come from, where they do not come from folders.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub revisions: Vec<RevisionInfo>,
}

/// A commit that files come from.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RevisionInfo {
    /// What the paths of its files start with, where there are several trees.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tree: Option<String>,
    /// The branch, tag or hash that the user named.
    pub name: String,
    /// The full hash of the commit.
    pub commit: String,
}

/// The share of one language.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LanguageInfo {
    /// Its name, `Other` for files of no known language.
    pub name: String,
    /// How many files there are.
    pub files: usize,
    /// Their lines.
    pub lines: usize,
    /// Their tokens.
    pub tokens: usize,
}

/// How much was left out for one reason.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LeftOutCount {
    /// The reason's short name.
    pub reason: String,
    /// How many files and folders.
    pub count: usize,
}

/// What is known about one packed file.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FileInfo {
    /// Its path in the repository. Names that are not plain text are quoted as git
    /// quotes them.
    pub path: String,
    /// The identifier of its language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Its lines.
    pub lines: usize,
    /// The tokens of its contents.
    pub tokens: usize,
    /// What happened to it on the way: another encoding, left-out parts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// How it was made shorter, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compression: Option<CompressionInfo>,
}

/// How a file was made shorter.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CompressionInfo {
    /// The level (`minimal`, `balanced`, `aggressive`, `extreme`), or the name of a
    /// transform. `none` is a file of which nothing could be left out.
    pub form: String,
    /// The level that was asked for, where a gentler one was taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<String>,
    /// Why a gentler level was taken, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The tokens that it had before.
    pub tokens_before: usize,
    /// The lines that it had before.
    pub lines_before: usize,
    /// What was left out, in order; white space is not listed. Only a report has it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub elided: Vec<ElidedInfo>,
}

/// A part of a file that was left out.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ElidedInfo {
    /// `licence`, `body`, `literal`, `comment`, `statements`, `prose`, `source`, `parts` or
    /// `rest`.
    pub what: String,
    /// Its first line in the file.
    pub first_line: usize,
    /// Its last line.
    pub last_line: usize,
}

/// A packed file with its contents.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PackFile<'a> {
    /// What is known about it.
    #[serde(flatten)]
    pub info: FileInfo,
    /// Its text.
    pub content: &'a str,
}

/// What git says about changes or history, in a pack.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SectionText<'a> {
    /// `log`, `diff`, `staged` or `since`.
    pub kind: &'a str,
    /// What is listed or compared, in words.
    pub title: &'a str,
    /// The name of the tree it is about, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repository: Option<&'a str>,
    /// The log, or a diff in git's unified format.
    pub text: &'a str,
}
