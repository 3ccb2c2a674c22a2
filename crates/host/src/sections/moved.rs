//! A change of a file that may have been renamed.

use loom_base::RepoPath;
use loom_source::Change;

/// A change with the path before it, which differs for a rename.
pub(super) struct Moved {
    pub(super) from: RepoPath,
    pub(super) change: Change,
}
