//! The map of a repository.

use schemars::JsonSchema;
use serde::Serialize;

use crate::NoticeInfo;

/// Output of `infiniloom map --format json`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
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
#[derive(Clone, Debug, Serialize, JsonSchema)]
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
#[derive(Clone, Debug, Serialize, JsonSchema)]
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
#[derive(Clone, Debug, Serialize, JsonSchema)]
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
#[derive(Clone, Debug, Serialize, JsonSchema)]
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
#[derive(Clone, Debug, Serialize, JsonSchema)]
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
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MapEdge {
    /// The file with the reference.
    pub from: String,
    /// The file with the definition.
    pub to: String,
}
