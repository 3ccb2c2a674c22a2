//! The map of a repository.

use schemars::JsonSchema;
use serde::Serialize;

use crate::NoticeInfo;

/// The answer of `infiniloom map --format json`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MapInfo {
    /// The version of this shape.
    pub format_version: u32,
    /// What the repository is called.
    pub name: String,
    /// The tokens of this text.
    pub tokens: usize,
    /// Numbers.
    pub stats: MapStats,
    /// What the repository says about itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Numbers, key symbols and hot files in three lines.
    pub summary: String,
    /// The symbols to know first.
    pub key_symbols: Vec<MapSymbolInfo>,
    /// Files, those with signatures first, each part by importance.
    pub files: Vec<MapFileInfo>,
    /// Which files use which, the strongest first.
    pub edges: Vec<MapEdge>,
    /// How many files are not shown.
    pub files_not_shown: usize,
}

/// A map in the format that was asked for.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MapTextInfo {
    /// The version of this shape.
    pub format_version: u32,
    /// The name of the repository.
    pub name: String,
    /// The tokens of `text`; 0 for a page, which has no budget.
    pub tokens: usize,
    /// Numbers, key symbols and hot files in three lines.
    pub summary: String,
    /// The symbols to know first.
    pub key_symbols: Vec<MapSymbolInfo>,
    /// The map.
    pub text: String,
    /// Remarks beside the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeInfo>,
}

/// Numbers of a repository.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MapStats {
    /// Its files.
    pub files: usize,
    /// Their lines.
    pub lines: usize,
    /// The tokens of the redacted text of all included files: the total that `tokens` and
    /// `index` report.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<usize>,
    /// How many languages they are in.
    pub languages: usize,
}

/// A symbol to know first.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MapSymbolInfo {
    /// Its name, after the type that it belongs to.
    pub name: String,
    /// What it is.
    pub kind: String,
    /// Its file.
    pub path: String,
    /// The line of its name.
    pub line: usize,
}

/// A file of a map.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MapFileInfo {
    /// Its path.
    pub path: String,
    /// `high`, `medium` or `low`.
    pub importance: String,
    /// How its symbols are declared, in the order of the text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub signatures: Vec<MapLine>,
    /// Further symbols, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// How many symbols are not shown.
    pub not_shown: usize,
}

/// A signature.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MapLine {
    /// What it is.
    pub kind: String,
    /// The name.
    pub name: String,
    /// The line of the name.
    pub line: usize,
    /// How it is declared.
    pub signature: String,
}

/// A file that uses another.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MapEdge {
    /// The file that uses.
    pub from: String,
    /// The file that is used.
    pub to: String,
}
