//! The files that lookup works on, as traits and types that the caller provides. The caller reads
//! the files, bounds the memory of parses, and decides on threads and time.

use loom_base::RepoPath;
use loom_program::Resolver;
use loom_secrets::Finding;
use loom_syntax::{Language, Limits, Structure};

/// The text of a file, with its secrets.
#[derive(Clone, Debug)]
pub struct Code {
    /// Its path.
    pub path: RepoPath,
    /// Its text, with secrets.
    pub text: String,
    /// Its language, if known.
    pub language: Option<Language>,
    /// The secrets in it.
    pub findings: Vec<Finding>,
    /// True if the secrets are hidden.
    pub hides: bool,
}

/// A file that was parsed for its structure only.
#[derive(Clone, Debug)]
pub struct ParsedFile {
    /// Its path.
    pub path: RepoPath,
    /// Its language.
    pub language: Language,
    /// Its structure.
    pub structure: Structure,
}

/// The files of one snapshot, numbered in the order of their paths.
pub trait CodeFiles: Sync {
    /// Returns the number of files.
    fn count(&self) -> usize;

    /// Returns the path of a file.
    fn path(&self, number: usize) -> &RepoPath;

    /// Returns the number of the file at a path.
    fn number_of(&self, path: &RepoPath) -> Option<usize>;

    /// Returns the number of the file at a path that a user typed.
    fn number_typed(&self, typed: &str) -> Option<usize>;

    /// Returns the numbers of the files that may contain a name, in ascending order.
    fn naming(&self, name: &str) -> Vec<usize>;

    /// Returns the numbers of the files that may define a name, in ascending order.
    fn defining(&self, name: &str) -> Vec<usize>;

    /// Reads a file. Returns `None` if it has no text.
    fn code(&self, number: usize) -> Option<Code>;

    /// Returns the limits that apply to each parse.
    fn limits(&self) -> Limits;

    /// Extracts the structure of a text. Waits until there is memory for its parse.
    fn extract(&self, language: Language, text: &str, limits: &Limits) -> Structure;

    /// Runs `work`, which parses a text of `bytes` bytes, once there is memory for it.
    fn parsing<T>(&self, bytes: usize, work: impl FnOnce() -> T) -> T;

    /// Calls `each` with the structure of every listed file that is code.
    fn structures(&self, numbers: &[usize], each: impl FnMut(ParsedFile));

    /// Returns the resolver of imports, with the paths and manifests of all files.
    fn resolver(&self) -> Resolver;

    /// Calls `work` for each number below `count`, on the available threads, and `take` with the
    /// results in order, on this thread.
    fn in_order<R: Send>(
        &self,
        count: usize,
        work: impl Fn(usize) -> R + Sync,
        take: impl FnMut(R),
    );

    /// Returns true if the time to read files is over. Files that were read before are still
    /// linked.
    fn is_reading_over(&self) -> bool;

    /// Returns true if the answer is cancelled or its time is over.
    fn is_stopped(&self) -> bool;

    /// Returns true if the answer has a deadline.
    fn has_deadline(&self) -> bool;
}
