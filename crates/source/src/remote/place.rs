//! The place in a repository that an address points to.

/// Where in a repository an address points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// To all of it, at the branch that the host shows first.
    Whole,
    /// To a branch or tag and a path, which only the repository can tell apart.
    Named(Vec<String>),
    /// To a commit and a path in it.
    Commit(String, Vec<String>),
}
