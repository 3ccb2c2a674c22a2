//! What a user says a map is for.

use std::path::Path;

use loom_base::RepoPath;
use loom_engine::map::SymbolGraph;

use super::{Focus, MapRepository};
use crate::Packer;

/// What a focus names that is not there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unknown {
    /// Paths.
    pub paths: Vec<RepoPath>,
    /// Names.
    pub names: Vec<String>,
}

impl Packer {
    /// A path that was typed in the folder `from`, as the map shows it; `None` where it
    /// is none inside.
    pub fn focus_path(&self, typed: &str, from: &Path) -> Option<RepoPath> {
        match typed.trim() {
            "" => None,
            typed => self.source.named(Path::new(typed), from),
        }
    }
}

impl MapRepository {
    /// What of a focus is not in the map.
    pub fn unknown(&self, focus: &Focus) -> Unknown {
        let SymbolGraph { files, .. } = &self.linked;
        let is_absent = |path: &&RepoPath| !files.iter().any(|file| file.path.starts_with(path));
        let paths = focus.files.iter().filter(is_absent).cloned();
        let is_unknown = |name: &&String| !focus.knows(&self.linked, name);
        let names = focus.mentions.iter().filter(is_unknown).cloned();
        Unknown {
            paths: paths.collect(),
            names: names.collect(),
        }
    }
}
