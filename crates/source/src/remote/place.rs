//! The location in a repository that a URL names.

/// Location in a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RepoLocation {
    /// The whole default branch.
    Whole,
    /// A branch or tag and a path; only the repository can decide at which `/` the name ends.
    Named(Vec<String>),
    /// A commit and a path in it.
    Commit(String, Vec<String>),
}
