//! Why what git knows cannot be told.

use std::path::PathBuf;

use crate::objects::ObjectsError;

/// History that cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HistoryError {
    /// There is no git repository.
    #[error("{} is not a git repository", path.display())]
    NoRepository {
        /// The folder.
        path: PathBuf,
    },
    /// A revision or an object cannot be read.
    #[error(transparent)]
    Objects(#[from] ObjectsError),
    /// The repository cannot be used.
    #[error("cannot read the git repository in {}: {message}", path.display())]
    Unusable {
        /// The folder.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// A commit is packed, which has neither an index nor a working tree.
    #[error("a commit has no working tree to compare")]
    NoWorkTree,
    /// Two lines of history never meet.
    #[error("{revision} and HEAD have no commit in common{}", if *is_shallow { " in this shallow clone" } else { "" })]
    NothingInCommon {
        /// As the user wrote it.
        revision: String,
        /// Whether the history was cut.
        is_shallow: bool,
    },
}

impl HistoryError {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Objects(error) => error.hint(),
            Self::NothingInCommon {
                is_shallow: true, ..
            } => Some("`git fetch --unshallow` brings the rest of the history".to_owned()),
            _ => None,
        }
    }
}
