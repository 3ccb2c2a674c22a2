//! Reasons why git's history cannot be read.

use std::path::PathBuf;

use crate::objects::{ObjectsError, UNSHALLOW};

/// Reasons why git's history cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HistoryError {
    /// The directory is not in a git repository.
    #[error("{} is not a git repository", path.display())]
    NoRepository {
        /// The directory.
        path: PathBuf,
    },
    /// A revision or an object cannot be read.
    #[error(transparent)]
    Objects(#[from] ObjectsError),
    /// The repository cannot be used.
    #[error("cannot read the git repository in {}: {message}", path.display())]
    Unusable {
        /// The directory.
        path: PathBuf,
        /// The cause.
        message: String,
    },
    /// A packed commit has neither an index nor a working tree.
    #[error("a commit has no working tree to compare")]
    NoWorkTree,
    /// Two histories have no common ancestor.
    #[error("{revision} and HEAD have no commit in common{}", if *is_shallow { " in this shallow clone" } else { "" })]
    NothingInCommon {
        /// Revision as the user wrote it.
        revision: String,
        /// True if the clone is shallow.
        is_shallow: bool,
    },
}

impl HistoryError {
    /// Returns advice for the user.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Objects(error) => error.hint(),
            Self::NothingInCommon {
                is_shallow: true, ..
            } => Some(UNSHALLOW.to_owned()),
            _ => None,
        }
    }
}
