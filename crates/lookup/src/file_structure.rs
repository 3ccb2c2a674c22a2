//! The structure of a whole file, and the options for extracting it.

use loom_base::{ContentHash, RepoPath};
use loom_syntax::{Language, Limits, Structure};

/// A file with its structure.
#[derive(Clone, Debug)]
pub struct FileStructure {
    /// Its path.
    pub path: RepoPath,
    /// Its language, if known.
    pub language: Option<Language>,
    /// Its structure; empty if the language is unknown.
    pub structure: Structure,
    /// Hash of its contents.
    pub hash: ContentHash,
    /// Number of lines.
    pub lines: usize,
}

/// Options that select the files to parse and limit each parse.
#[derive(Clone, Debug, Default)]
pub struct StructureOptions {
    /// Languages to parse; empty for all.
    pub languages: Vec<Language>,
    /// The limits for each file.
    pub limits: Limits,
    /// Redact secrets in signatures and documentation, for output that goes to programs.
    pub redacts: bool,
}

impl StructureOptions {
    /// Returns true if a file in this language is parsed.
    pub fn wants(&self, language: Option<Language>) -> bool {
        self.languages.is_empty() || language.is_some_and(|one| self.languages.contains(&one))
    }
}
