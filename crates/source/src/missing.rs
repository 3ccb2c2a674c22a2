//! Tracked files that the working tree lacks: deleted files, directories outside a sparse checkout,
//! submodules that are not checked out.

use std::collections::HashSet;

use loom_base::RepoPath;

use crate::folder::Repository;
use crate::git::{Git, IndexEntry, Tracked};
use crate::outcome::{LeftOut, Reason};
use crate::walk::Walk;

impl Walk<'_> {
    /// Reports tracked files that the working tree lacks.
    pub(crate) fn report_missing(&mut self) {
        let mut missing = Vec::new();
        let files = self.scan.files.iter();
        let taken: HashSet<&[u8]> = files.map(|file| file.relative.as_bytes()).collect();
        let is_taken = |path: &[u8]| taken.contains(path);
        for repository in &self.repositories {
            let left = |git: &Git| git.entries_but(&repository.top, is_taken);
            for entry in repository.git().map(left).unwrap_or_default() {
                let path = repository.top.join(&entry.path);
                let shown = self.root.prefix.join(&path);
                if self.root.covers(&path)
                    && !self.scan.leaves_out(&shown)
                    && self.is_absent(&path, entry.tracked)
                {
                    missing.push(LeftOut {
                        path: shown,
                        is_dir: entry.tracked == Tracked::Folder,
                        reason: reason_of(&entry),
                    });
                }
            }
        }
        self.scan.left_out.append(&mut missing);
        self.scan.sort();
    }

    /// Returns the reason why the working tree has nothing at `path`, which `repository` tracks.
    pub(crate) fn absence(&self, repository: &Repository, path: &RepoPath) -> Option<Reason> {
        let entry = repository.git()?.entry(&repository.relative(path)?)?;
        let is_absent = self.is_absent(path, entry.tracked);
        is_absent.then(|| reason_of(&entry))
    }

    /// Returns true if the working tree lacks a tracked path: the file is missing, or an empty
    /// directory replaces a submodule.
    fn is_absent(&self, path: &RepoPath, tracked: Tracked) -> bool {
        let tree = self.folders.tree;
        match tracked {
            Tracked::File | Tracked::Folder => tree.kind(path).is_none(),
            Tracked::Submodule => {
                let git = path.child(b".git").ok();
                git.and_then(|git| tree.kind(&git)).is_none()
            }
        }
    }
}

fn reason_of(entry: &IndexEntry) -> Reason {
    match (entry.skipped, entry.tracked) {
        (true, _) | (_, Tracked::Folder) => Reason::SparseCheckout,
        (false, Tracked::Submodule) => Reason::SubmoduleMissing,
        (false, Tracked::File) => Reason::Deleted,
    }
}
