//! A change of a file, which may have another name than before.

use loom_base::RepoPath;
use loom_source::Change;

/// A change, under two names where it is a rename.
pub(super) struct Moved {
    pub(super) from: RepoPath,
    pub(super) change: Change,
}
