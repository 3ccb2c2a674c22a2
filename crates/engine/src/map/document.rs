//! What a map shows, before it is written in one of the formats.

use loom_syntax::SymbolKind;

/// How important a file is, in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Among the first.
    High,
    /// In the upper half of what is shown.
    Medium,
    /// The rest.
    Low,
}

impl Level {
    /// The word.
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
    /// What the repository is called.
    pub name: String,
    /// Files of the repository.
    pub files: usize,
    /// Their lines.
    pub lines: usize,
    /// The tokens of their redacted text, if they were counted.
    pub tokens: Option<usize>,
    /// The languages, the one with the most lines first.
    pub languages: Vec<(&'static str, usize)>,
    /// What it is, by its own words.
    pub description: Option<String>,
    /// The symbols to know first.
    pub key_symbols: Vec<KeySymbol>,
    /// Files with their signatures, the most important first.
    pub signatures: Vec<FileEntry>,
    /// Files with names alone, by folder.
    pub others: Vec<(String, Vec<FileEntry>)>,
    /// Which files use which: both ends by their paths.
    pub edges: Vec<(String, String)>,
    /// Files that are not shown.
    pub left_out: usize,
    /// The one paragraph.
    pub summary: String,
}

impl MapDocument {
    /// Its files and lines, and the languages that most of it is written in.
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

/// A symbol to know first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeySymbol {
    /// Its name, with the type that it belongs to.
    pub name: String,
    /// What it is.
    pub kind: SymbolKind,
    /// Its file.
    pub path: String,
    /// The line of its name.
    pub line: u32,
}

/// A file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileEntry {
    /// Its path; below `others` its name alone.
    pub path: String,
    /// How important it is.
    pub level: Option<Level>,
    /// Signatures, in the order of the text.
    pub lines: Vec<Line>,
    /// Further symbols, by name.
    pub names: Vec<String>,
    /// How many symbols are not named.
    pub left_out: usize,
}

/// One signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// How far it stands inside of others.
    pub depth: usize,
    /// What it is.
    pub kind: SymbolKind,
    /// The name of the symbol.
    pub name: String,
    /// The line of the file.
    pub line: u32,
    /// The text.
    pub text: String,
}
