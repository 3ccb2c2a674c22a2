//! The ignore files that hold in one folder: its own and those above it.

use std::sync::Arc;

use loom_base::RepoPath;

use super::Rule;
use super::ignore_file::{IgnoreFile, ListKind, Says};

/// The ignore files of a folder on top of those of the folders above.
#[derive(Debug, Default)]
pub(crate) struct Level {
    above: Option<Arc<Level>>,
    files: Vec<IgnoreFile>,
    /// A repository of its own starts here: git's files above do not hold.
    is_git_top: bool,
}

impl Level {
    /// The level of the top of a git repository or of a plain tree. `files` holds
    /// the strongest of a family last.
    pub(crate) fn top(above: Option<Arc<Level>>, files: Vec<IgnoreFile>) -> Arc<Self> {
        Arc::new(Self {
            above,
            files,
            is_git_top: true,
        })
    }

    /// The level of a folder with the ignore files `files` of its own.
    pub(crate) fn below(above: &Arc<Self>, files: Vec<IgnoreFile>) -> Arc<Self> {
        if files.is_empty() {
            return Arc::clone(above);
        }
        Arc::new(Self {
            above: Some(Arc::clone(above)),
            files,
            is_git_top: false,
        })
    }

    /// What the files of one family say, the closest folder first.
    pub(crate) fn says(
        &self,
        kind: ListKind,
        path: &RepoPath,
        is_dir: bool,
    ) -> Option<(Says, Rule)> {
        let mut level = Some(self);
        while let Some(here) = level {
            let mut own = here.files.iter().rev().filter(|file| file.kind == kind);
            if let Some(hit) = own.find_map(|file| file.says(path, is_dir)) {
                return Some(hit);
            }
            let stop = here.is_git_top && kind == ListKind::Git;
            level = here.above.as_deref().filter(|_| !stop);
        }
        None
    }
}
