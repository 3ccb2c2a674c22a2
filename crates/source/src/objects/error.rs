//! What can be wrong with a repository, a revision or an object, and what a
//! person can do about it.

use std::path::PathBuf;

use gix::ObjectId;

/// Objects that cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ObjectsError {
    /// There is no git repository.
    #[error("not a git repository: {}", path.display())]
    NoRepository {
        /// The folder.
        path: PathBuf,
    },
    /// The repository cannot be opened.
    #[error("cannot open the git repository in {}: {message}", path.display())]
    Unusable {
        /// The folder.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// There is no such revision.
    #[error("no revision {revision} in the repository{}", if *is_shallow { ", a shallow clone" } else { "" })]
    Unknown {
        /// As the user wrote it.
        revision: String,
        /// Branches and tags with a similar name, the nearest first.
        near: Vec<String>,
        /// Whether the history was cut, so that the commit may exist elsewhere.
        is_shallow: bool,
    },
    /// There is no commit at all.
    #[error("no revision {revision}: the repository has no commit yet")]
    NoCommits {
        /// As the user wrote it.
        revision: String,
    },
    /// The start of a hash that several objects share.
    #[error("the revision {revision} stands for several objects: {}", candidates.join(", "))]
    Ambiguous {
        /// As the user wrote it.
        revision: String,
        /// The objects.
        candidates: Vec<String>,
    },
    /// A range, or the absence of a commit.
    #[error("the revision {revision} stands for several commits, expected one")]
    SeveralCommits {
        /// As the user wrote it.
        revision: String,
    },
    /// It is something else.
    #[error("the revision {revision} is a {found}, expected a commit")]
    NotACommit {
        /// As the user wrote it.
        revision: String,
        /// What it is.
        found: String,
    },
    /// The object is not in the repository.
    #[error("the object {id} is not in the repository{}", absence.words())]
    Missing {
        /// Its hash.
        id: ObjectId,
        /// Why not.
        absence: Absence,
    },
    /// The object is not what it should be.
    #[error("the object {id} cannot be read: {message}")]
    Broken {
        /// Its hash.
        id: ObjectId,
        /// What is wrong.
        message: String,
    },
}

/// Why an object may not be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absence {
    /// The history was cut.
    Shallow,
    /// Contents are fetched when they are needed.
    Partial,
    /// It should be there.
    Unknown,
}

impl Absence {
    fn of(repository: &gix::Repository) -> Self {
        let config = repository.config_snapshot();
        let is_partial = config.string("extensions.partialClone").is_some()
            || config
                .plumbing()
                .sections_by_name("remote")
                .is_some_and(|mut remotes| {
                    remotes.any(|remote| remote.value("promisor").is_some())
                });
        match (is_partial, repository.is_shallow().unwrap_or(false)) {
            (true, _) => Self::Partial,
            (false, true) => Self::Shallow,
            (false, false) => Self::Unknown,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Shallow => ", a shallow clone",
            Self::Partial => ", a partial clone",
            Self::Unknown => "",
        }
    }
}

impl ObjectsError {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Unknown { near, .. } if !near.is_empty() => {
                Some(format!("there is {}", near.join(", ")))
            }
            Self::Unknown {
                is_shallow: true, ..
            } => Some(UNSHALLOW.to_owned()),
            Self::Unknown { .. } => {
                Some("`git branch --all` and `git tag` list what there is".to_owned())
            }
            Self::Ambiguous { .. } => Some("give more digits of the hash".to_owned()),
            Self::Missing { absence, .. } => match absence {
                Absence::Shallow => Some(UNSHALLOW.to_owned()),
                Absence::Partial => {
                    Some("`git fetch --refetch --no-filter` brings everything".to_owned())
                }
                Absence::Unknown => Some("`git fsck` says what is missing".to_owned()),
            },
            Self::Broken { .. } => Some("`git fsck` says what is broken".to_owned()),
            _ => None,
        }
    }
}

const UNSHALLOW: &str = "`git fetch --unshallow` brings the rest of the history";

pub(super) fn missing(repository: &gix::Repository, id: ObjectId) -> ObjectsError {
    let absence = Absence::of(repository);
    ObjectsError::Missing { id, absence }
}

pub(super) fn broken(id: ObjectId, error: &gix::Error) -> ObjectsError {
    let message = cause(error);
    ObjectsError::Broken { id, message }
}

/// The words of what went wrong first.
pub(super) fn cause(error: &gix::Error) -> String {
    error.probable_cause().to_string()
}
