//! The structure of a whole file, and how it is asked for.

use loom_base::{ContentHash, RepoPath};
use loom_syntax::{Language, Limits, Structure};

/// A file with what it holds.
#[derive(Clone, Debug)]
pub struct FileStructure {
    /// Its path.
    pub path: RepoPath,
    /// Its language, where it is known.
    pub language: Option<Language>,
    /// What it holds; nothing where the language is not known.
    pub structure: Structure,
    /// The version of its contents.
    pub hash: ContentHash,
    /// Its lines.
    pub lines: usize,
}

/// Which files are parsed, and how far.
#[derive(Clone, Debug, Default)]
pub struct StructureOptions {
    /// Only files in these languages; all of them when empty.
    pub languages: Vec<Language>,
    /// The bounds for each file.
    pub limits: Limits,
    /// Whether secrets are taken out of signatures and documentation: for what is
    /// handed to programs.
    pub redacts: bool,
}

impl StructureOptions {
    /// Whether a file in a language is parsed.
    pub fn wants(&self, language: Option<Language>) -> bool {
        self.languages.is_empty() || language.is_some_and(|one| self.languages.contains(&one))
    }
}
