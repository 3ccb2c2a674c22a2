//! What git tracks and the working tree does not have: deleted files, folders
//! outside a sparse checkout, submodules that are not checked out.

use loom_base::RepoPath;

use crate::git::{Git, Tracked};
use crate::native;
use crate::outcome::{LeftOut, Reason};
use crate::walk::Walk;

impl Walk<'_> {
    /// What git tracks and the working tree does not have.
    pub(crate) fn report_missing(&mut self) {
        let mut missing = Vec::new();
        for repository in &self.repositories {
            for entry in repository.git.iter().flat_map(Git::entries) {
                let path = repository.top.join(&entry.path);
                let shown = self.root.prefix.join(&path);
                if self.root.covers(&path)
                    && !self.scan.accounts_for(&shown)
                    && self.is_absent(&path, entry.tracked)
                {
                    missing.push(LeftOut {
                        path: shown,
                        is_dir: entry.tracked == Tracked::Folder,
                        reason: match (entry.skipped, entry.tracked) {
                            (true, _) | (_, Tracked::Folder) => Reason::SparseCheckout,
                            (false, Tracked::Submodule) => Reason::SubmoduleMissing,
                            (false, Tracked::File) => Reason::Deleted,
                        },
                    });
                }
            }
        }
        self.scan.left_out.append(&mut missing);
        self.scan.sort();
    }

    /// Whether the working tree has nothing for a tracked path: no file, or an
    /// empty folder where a submodule belongs.
    fn is_absent(&self, path: &RepoPath, tracked: Tracked) -> bool {
        let full = native::below(&self.root.dir, path);
        match tracked {
            Tracked::File | Tracked::Folder => full.symlink_metadata().is_err(),
            Tracked::Submodule => !full.join(".git").exists(),
        }
    }
}
