//! The contents of a map, before formatting.

use loom_syntax::SymbolKind;

/// Importance of a file, as a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Among the first files.
    High,
    /// In the upper half of the shown files.
    Medium,
    /// All others.
    Low,
}

impl Level {
    /// Returns the word.
    pub fn name(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::Medium => "medium",
            Self::Low => "low",
        }
    }
}

/// A map.
#[derive(Clone, Debug, Default)]
pub struct MapDocument {
    /// Name of the repository.
    pub name: String,
    /// Number of files in the repository.
    pub files: usize,
    /// Number of lines.
    pub lines: usize,
    /// Tokens of the redacted texts, if counted.
    pub tokens: Option<usize>,
    /// The languages, the one with the most lines first.
    pub languages: Vec<(&'static str, usize)>,
    /// Description from the repository.
    pub description: Option<String>,
    /// Key symbols.
    pub key_symbols: Vec<KeySymbol>,
    /// Files with signatures, the most important first.
    pub signatures: Vec<FileEntry>,
    /// Files with names only, by directory.
    pub others: Vec<(String, Vec<FileEntry>)>,
    /// References between files, as pairs of paths.
    pub edges: Vec<(String, String)>,
    /// Number of files that are not shown.
    pub left_out: usize,
    /// Summary paragraph.
    pub summary: String,
}

impl MapDocument {
    /// Returns its files and lines, and the main languages.
    pub(super) fn numbers(&self) -> String {
        let names: Vec<&str> = self
            .languages
            .iter()
            .take(4)
            .map(|(name, _)| *name)
            .collect();
        let comma = if names.is_empty() { "" } else { ", " };
        format!(
            "{} files, {} lines{comma}{}",
            self.files,
            self.lines,
            names.join(", ")
        )
    }
}

/// A key symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeySymbol {
    /// Name with its type.
    pub name: String,
    /// Kind of the symbol.
    pub kind: SymbolKind,
    /// Path of its file.
    pub path: String,
    /// Line of its name.
    pub line: u32,
}

/// A file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileEntry {
    /// Path; in `others` only the name.
    pub path: String,
    /// Importance.
    pub level: Option<Level>,
    /// Signatures, in the order of the text.
    pub lines: Vec<Line>,
    /// Names of further symbols.
    pub names: Vec<String>,
    /// Number of symbols without a name here.
    pub left_out: usize,
}

/// One signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Nesting depth.
    pub depth: usize,
    /// Kind of the symbol.
    pub kind: SymbolKind,
    /// The name of the symbol.
    pub name: String,
    /// Line in the file.
    pub line: u32,
    /// Text of the signature.
    pub text: String,
}
