//! What files define, use and import.

use schemars::JsonSchema;
use serde::Serialize;

use crate::NoticeInfo;

/// The answer of `infiniloom symbols` and `infiniloom outline`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SymbolsInfo {
    /// The version of this shape.
    pub format_version: u32,
    /// The files that have something to show, ordered by path.
    pub files: Vec<FileSymbols>,
    /// Remarks beside the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeInfo>,
}

/// What one file holds.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FileSymbols {
    /// Its path.
    pub path: String,
    /// Its language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// How it was read: `grammar`, `lines` (by the first words of lines), `nothing`.
    pub read_by: String,
    /// What could not be had, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<FindingInfo>,
    /// What it defines, ordered by where definitions start.
    pub symbols: Vec<SymbolInfo>,
    /// What it imports, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub imports: Option<Vec<ImportInfo>>,
    /// What it uses, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub references: Option<Vec<ReferenceInfo>>,
    /// The files that it tests, where that was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<SubjectInfo>,
}

/// Why something is missing.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FindingInfo {
    /// What it is, such as `broken` or `generated`.
    pub kind: String,
    /// The line it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
}

/// Something that a file defines.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SymbolInfo {
    /// Its name.
    pub name: String,
    /// What it is, such as `function` or `class`.
    pub kind: String,
    /// Its name with the names around it.
    pub qualified_name: String,
    /// How it is declared, in one line.
    pub signature: String,
    /// What its documentation says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doc: Option<String>,
    /// Who may use it: `public`, `internal`, `protected`, `private`.
    pub visibility: String,
    /// The first line of the definition, without documentation and attributes.
    pub start_line: usize,
    /// Its last line.
    pub end_line: usize,
    /// The line of its name.
    pub line: usize,
    /// The first byte of the definition in the decoded text.
    pub start_byte: usize,
    /// The byte after the last one.
    pub end_byte: usize,
    /// The qualified name of the symbol around it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// The cyclomatic complexity of a function.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub complexity: Option<u32>,
    /// Whether it is a test.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub test: bool,
    /// What it tests, where that was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<SubjectInfo>,
    /// Its language, where it stands inside another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}

/// What a test tests.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SubjectInfo {
    /// Its file.
    pub path: String,
    /// Its qualified name; none where it is a whole file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The evidence: `name` (the test is named after it), `call`, `type` (the test uses
    /// it), `helper` (a function beside the test uses it).
    pub by: Vec<String>,
}

/// An import.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ImportInfo {
    /// How it is written: `import`, `export`, `file`, `system`, `module`, `dynamic`.
    pub kind: String,
    /// What is imported from, as written.
    pub module: String,
    /// The names that are taken from it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// Its line.
    pub line: usize,
    /// The files of the repository that it means.
    pub files: Vec<String>,
    /// Why there is none, such as `outside` or `missing`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unresolved: Option<String>,
}

/// A use of a name.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ReferenceInfo {
    /// How it is used: `call`, `type`, `inherit`, `implement`.
    pub kind: String,
    /// The name as written.
    pub name: String,
    /// What stands before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub qualifier: Option<String>,
    /// Its line.
    pub line: usize,
    /// The qualified name of the symbol that uses it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
}
