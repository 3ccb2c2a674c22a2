//! The ignore files that apply to one directory: its own and those of its ancestors.

use std::sync::Arc;

use loom_base::RepoPath;

use super::Rule;
use super::ignore_file::{IgnoreFile, ListKind, PatternDecision};

/// The ignore files of a directory, linked to those of its parent.
#[derive(Debug, Default)]
pub(crate) struct Level {
    above: Option<Arc<Level>>,
    files: Vec<IgnoreFile>,
    /// True if a nested repository starts here: git's files above do not apply.
    is_git_top: bool,
}

impl Level {
    /// Creates the level of the top of a git repository or plain tree. In `files`, the strongest of
    /// a family comes last.
    pub(crate) fn top(above: Option<Arc<Level>>, files: Vec<IgnoreFile>) -> Arc<Self> {
        Arc::new(Self {
            above,
            files,
            is_git_top: true,
        })
    }

    /// Creates the level of a directory with its own ignore files `files`.
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

    /// Returns the decision of one family; the closest directory takes precedence.
    pub(crate) fn decide(
        &self,
        kind: ListKind,
        path: &RepoPath,
        is_dir: bool,
    ) -> Option<(PatternDecision, Rule)> {
        let mut level = Some(self);
        while let Some(here) = level {
            let mut own = here.files.iter().rev().filter(|file| file.kind == kind);
            if let Some(hit) = own.find_map(|file| file.decide(path, is_dir)) {
                return Some(hit);
            }
            let stop = here.is_git_top && kind == ListKind::Git;
            level = here.above.as_deref().filter(|_| !stop);
        }
        None
    }
}
