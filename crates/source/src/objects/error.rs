//! Problems with a repository, a revision or an object, and advice for the user.

use std::path::PathBuf;

use gix::ObjectId;

/// Reasons why objects cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ObjectsError {
    /// The directory is not a git repository.
    #[error("not a git repository: {}", path.display())]
    NoRepository {
        /// The directory.
        path: PathBuf,
    },
    /// The repository cannot be opened.
    #[error("cannot open the git repository in {}: {message}", path.display())]
    Unusable {
        /// The directory.
        path: PathBuf,
        /// The cause.
        message: String,
    },
    /// The revision does not exist.
    #[error("no revision {revision} in the repository{}", if *is_shallow { ", a shallow clone" } else { "" })]
    Unknown {
        /// Revision as the user wrote it.
        revision: String,
        /// Advice: similar names, some branches, or the command that fetches it.
        hint: String,
        /// True if the clone is shallow, so that the commit may exist elsewhere.
        is_shallow: bool,
    },
    /// The repository has no commits.
    #[error("no revision {revision}: the repository has no commit yet")]
    NoCommits {
        /// Revision as the user wrote it.
        revision: String,
    },
    /// Several objects share this prefix of a hash.
    #[error("ambiguous revision {revision}: {}", candidates.join(", "))]
    Ambiguous {
        /// Revision as the user wrote it.
        revision: String,
        /// The objects.
        candidates: Vec<String>,
    },
    /// The revision is a range or an exclusion.
    #[error("the revision {revision} names several commits; expected one")]
    SeveralCommits {
        /// Revision as the user wrote it.
        revision: String,
    },
    /// The object is not a commit.
    #[error("the revision {revision} is a {found}, expected a commit")]
    NotACommit {
        /// Revision as the user wrote it.
        revision: String,
        /// Kind of the object.
        found: String,
    },
    /// The object is not in the repository.
    #[error("the object {id} is not in the repository{}", absence.words())]
    Missing {
        /// Its hash.
        id: ObjectId,
        /// The reason.
        absence: Absence,
    },
    /// The object is malformed.
    #[error("the object {id} cannot be read: {message}")]
    Broken {
        /// Its hash.
        id: ObjectId,
        /// The problem.
        message: String,
    },
}

/// Reason why an object is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absence {
    /// The clone is shallow.
    Shallow,
    /// The clone is partial and fetches contents on demand.
    Partial,
    /// Unknown; the object should exist.
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
    /// Returns advice for the user.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Unknown { hint, .. } => Some(hint.clone()),
            Self::Ambiguous { .. } => Some("pass more digits of the hash".to_owned()),
            Self::Missing { absence, .. } => match absence {
                Absence::Shallow => Some(UNSHALLOW.to_owned()),
                Absence::Partial => {
                    Some("run `git fetch --refetch --no-filter` to fetch all objects".to_owned())
                }
                Absence::Unknown => Some("run `git fsck` to list missing objects".to_owned()),
            },
            Self::Broken { .. } => Some("run `git fsck` to list damaged objects".to_owned()),
            _ => None,
        }
    }
}

/// Advice for a shallow clone.
pub(crate) const UNSHALLOW: &str = "run `git fetch --unshallow` to fetch the rest of the history, \
                                    or `git fetch --deepen=100` for 100 more commits";

/// Joins names as a choice: `a`, `b` or `c`. Returns `None` if there are none.
pub(crate) fn alternatives(names: &[String]) -> Option<String> {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let (last, others) = quoted.split_last()?;
    Some(match others {
        [] => last.clone(),
        others => format!("{} or {last}", others.join(", ")),
    })
}

pub(super) fn missing(repository: &gix::Repository, id: ObjectId) -> ObjectsError {
    let absence = Absence::of(repository);
    ObjectsError::Missing { id, absence }
}

pub(super) fn broken(id: ObjectId, error: &gix::Error) -> ObjectsError {
    let message = cause(error);
    ObjectsError::Broken { id, message }
}

/// Returns the message of the root cause.
pub(super) fn cause(error: &gix::Error) -> String {
    error.probable_cause().to_string()
}
