//! The map of a repository.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::NoticeInfo;

/// Output of `infiniloom map --format json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MapInfo {
    /// The version of this shape.
    pub format_version: u32,
    /// Name of the repository.
    pub name: String,
    /// The tokens of the map as this JSON text.
    pub tokens: usize,
    /// Statistics of the repository.
    pub stats: MapStats,
    /// The description that the repository gives of itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Statistics, key symbols and hot files in three lines.
    pub summary: String,
    /// The most important symbols.
    pub key_symbols: Vec<MapSymbolInfo>,
    /// Files: those with signatures first, then the others, each group by importance.
    pub files: Vec<MapFileInfo>,
    /// References between files, strongest first.
    pub edges: Vec<MapEdge>,
    /// Number of files that are not shown.
    pub files_not_shown: usize,
}

/// A map in the requested format.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MapTextInfo {
    /// The version of this shape.
    pub format_version: u32,
    /// The name of the repository.
    pub name: String,
    /// The tokens of `text`; 0 for HTML, which has no budget.
    pub tokens: usize,
    /// Statistics, key symbols and hot files in three lines.
    pub summary: String,
    /// The most important symbols.
    pub key_symbols: Vec<MapSymbolInfo>,
    /// The map.
    pub text: String,
    /// Warnings and notes about the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeInfo>,
}

/// Statistics of a repository.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MapStats {
    /// Number of files.
    pub files: usize,
    /// Number of lines.
    pub lines: usize,
    /// The tokens of the redacted text of all included files: the total that `tokens` and
    /// `index` report.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<usize>,
    /// Number of languages.
    pub languages: usize,
}

/// An important symbol.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MapSymbolInfo {
    /// Its name, qualified by its type.
    pub name: String,
    /// Its kind, such as `function` or `class`.
    pub kind: String,
    /// Path of the file.
    pub path: String,
    /// Line of the name.
    pub line: usize,
}

/// A file of a map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MapFileInfo {
    /// Path of the file.
    pub path: String,
    /// `high`, `medium` or `low`.
    pub importance: String,
    /// Signatures of its symbols, in the order of the text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub signatures: Vec<MapLine>,
    /// Further symbols, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// Number of symbols that are not shown.
    pub not_shown: usize,
}

/// The signature of a symbol.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MapLine {
    /// Kind of the symbol.
    pub kind: String,
    /// Name of the symbol.
    pub name: String,
    /// Line of the name.
    pub line: usize,
    /// Signature of the symbol.
    pub signature: String,
}

/// A file that refers to another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MapEdge {
    /// The file with the reference.
    pub from: String,
    /// The file with the definition.
    pub to: String,
}

/// The parts of a map that fit into its budget, for a program that draws it itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MapDocumentInfo {
    /// The version of this shape.
    pub format_version: u32,
    /// Name of the repository.
    pub name: String,
    /// Number of files.
    pub files: usize,
    /// Number of lines.
    pub lines: usize,
    /// Number of files that have no place on a map: their language is not known.
    pub files_without_symbols: usize,
    /// Names of the languages, the one with the most lines first.
    pub languages: Vec<String>,
    /// The description that the repository gives of itself.
    pub description: Option<String>,
    /// The most important symbols.
    pub key_symbols: Vec<MapSymbolInfo>,
    /// Files with signatures, the most important first.
    pub signatures: Vec<MapEntry>,
    /// Files with names only, by directory.
    pub others: Vec<MapDirectory>,
    /// References between files, strongest first.
    pub edges: Vec<MapEdge>,
    /// Number of files that are not shown.
    pub files_not_shown: usize,
    /// Warnings and notes about the result.
    pub notices: Vec<NoticeInfo>,
}

/// The files of a directory that a map shows with names only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MapDirectory {
    /// Path of the directory.
    pub path: String,
    /// Its files; their paths start in the directory.
    pub files: Vec<MapEntry>,
}

/// A file of a map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MapEntry {
    /// Path of the file.
    pub path: String,
    /// Its signatures, in the order of the text.
    pub lines: Vec<MapEntryLine>,
    /// Names of further symbols.
    pub names: Vec<String>,
    /// Number of symbols that are not shown.
    pub not_shown: usize,
}

/// A signature of a file of a map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MapEntryLine {
    /// Nesting depth.
    pub depth: usize,
    /// Line in the file.
    pub line: usize,
    /// The signature.
    pub text: String,
}
