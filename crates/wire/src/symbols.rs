//! Definitions, references and imports of files.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::NoticeInfo;

/// Output of `infiniloom symbols` and `infiniloom outline`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SymbolsInfo {
    /// The version of this shape.
    pub format_version: u32,
    /// The files with any result, ordered by path.
    pub files: Vec<FileSymbols>,
    /// Warnings and notes about the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeInfo>,
}

/// A diagram of the symbols or imports of files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DiagramInfo {
    /// The version of this shape.
    pub format_version: u32,
    /// The diagram in Mermaid.
    pub text: String,
    /// Warnings and notes about the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeInfo>,
}

/// The symbols of one file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FileSymbols {
    /// Path of the file.
    pub path: String,
    /// Language of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// How it was parsed: `grammar`, `lines` (by the first words of lines), `nothing`.
    pub read_by: String,
    /// Missing information, with reasons.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<FindingInfo>,
    /// Symbols that it defines, ordered by start.
    pub symbols: Vec<SymbolInfo>,
    /// Imports, if they were requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub imports: Option<Vec<ImportInfo>>,
    /// References, if they were requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub references: Option<Vec<ReferenceInfo>>,
    /// The files that it tests, if they were requested.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<SubjectInfo>,
    /// Number of symbols that the query does not show. Version 1 of the JSON has no such field.
    #[serde(skip)]
    #[schemars(skip)]
    pub hidden: usize,
    /// Last line of the last symbol, shown or not. Version 1 of the JSON has no such field.
    #[serde(skip)]
    #[schemars(skip)]
    pub last_line: usize,
}

/// The reason why information is missing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FindingInfo {
    /// Kind of the reason, such as `broken` or `generated`.
    pub kind: String,
    /// The line that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
}

/// A symbol that a file defines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SymbolInfo {
    /// Name of the symbol.
    pub name: String,
    /// Kind of the symbol, such as `function` or `class`.
    pub kind: String,
    /// Name with the names of the enclosing symbols.
    pub qualified_name: String,
    /// The declaration in one line.
    pub signature: String,
    /// The documentation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doc: Option<String>,
    /// Visibility: `public`, `internal`, `protected`, `private`.
    pub visibility: String,
    /// The first line of the definition, without documentation and attributes.
    pub start_line: usize,
    /// Last line of the definition.
    pub end_line: usize,
    /// Line of the name.
    pub line: usize,
    /// The first byte of the definition in the decoded text.
    pub start_byte: usize,
    /// The byte after the last one.
    pub end_byte: usize,
    /// The qualified name of the enclosing symbol.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// The cyclomatic complexity of a function.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub complexity: Option<u32>,
    /// Whether it is a test.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub test: bool,
    /// The tested symbols and files, if they were requested.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<SubjectInfo>,
    /// Number of shown symbols that enclose it. Version 1 of the JSON has no such field.
    #[serde(skip)]
    #[schemars(skip)]
    pub depth: usize,
    /// Language of the symbol, if it is embedded in another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}

/// A symbol or file that a test tests.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SubjectInfo {
    /// Path of the file.
    pub path: String,
    /// Qualified name; missing for a whole file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The evidence: `name` (the test is named after it), `call`, `type` (the test uses it),
    /// `helper` (a function of the test file uses it).
    pub by: Vec<String>,
}

/// An import.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ImportInfo {
    /// Kind of import: `import`, `export`, `file`, `system`, `module`, `dynamic`.
    pub kind: String,
    /// The imported module, as written.
    pub module: String,
    /// The imported names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// Line of the import.
    pub line: usize,
    /// The files of the repository that it refers to.
    pub files: Vec<String>,
    /// Why it refers to no file, such as `outside` or `missing`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unresolved: Option<String>,
}

/// A reference to a name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReferenceInfo {
    /// Kind of reference: `call`, `type`, `inherit`, `implement`.
    pub kind: String,
    /// The name as written.
    pub name: String,
    /// The qualifier before the name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub qualifier: Option<String>,
    /// Line of the reference.
    pub line: usize,
    /// The qualified name of the symbol that contains the reference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
}
