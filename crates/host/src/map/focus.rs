//! Checks the focus of a map.

use std::path::Path;

use loom_base::RepoPath;
use loom_engine::map::SymbolGraph;
use loom_source::Source;

use super::{Focus, MapRepository};

/// Paths and names of a focus that do not exist.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unknown {
    /// Unknown paths.
    pub paths: Vec<RepoPath>,
    /// Unknown names.
    pub names: Vec<String>,
}

/// Returns a path that the user typed in the directory `from` in the form of the map; `None` if it
/// is outside the source.
pub fn focus_path(source: &Source, typed: &str, from: &Path) -> Option<RepoPath> {
    match typed.trim() {
        "" => None,
        typed => source.named(Path::new(typed), from),
    }
}

impl MapRepository {
    /// Returns the paths and names of a focus that are not in the map.
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
