//! The files that are looked through. The caller reads them, parses within its memory, and
//! decides on threads and time.

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
    /// Its language, if it is known.
    pub language: Option<Language>,
    /// The secrets in it.
    pub findings: Vec<Finding>,
    /// Whether they are hidden.
    pub hides: bool,
}

/// A file that was parsed for its structure alone.
#[derive(Clone, Debug)]
pub struct ParsedFile {
    /// Its path.
    pub path: RepoPath,
    /// Its language.
    pub language: Language,
    /// Its structure.
    pub structure: Structure,
}

/// The files of one state, by number, in the order of paths.
pub trait CodeFiles: Sync {
    /// Returns how many files there are.
    fn count(&self) -> usize;

    /// Returns the path of a file.
    fn path(&self, number: usize) -> &RepoPath;

    /// Returns the number of the file at a path.
    fn number_of(&self, path: &RepoPath) -> Option<usize>;

    /// Returns the number of the file at a path as a user typed it.
    fn number_typed(&self, typed: &str) -> Option<usize>;

    /// Returns the numbers of the files that may use a name, in order.
    fn naming(&self, name: &str) -> Vec<usize>;

    /// Returns the numbers of the files that may define a name, in order.
    fn defining(&self, name: &str) -> Vec<usize>;

    /// Reads a file. Returns `None` if it has no text.
    fn code(&self, number: usize) -> Option<Code>;

    /// Returns the limits of each parse.
    fn limits(&self) -> Limits;

    /// Extracts the structure of a text when there is memory for its parse.
    fn extract(&self, language: Language, text: &str, limits: &Limits) -> Structure;

    /// Runs `work`, which parses a text of so many bytes, when there is memory for it.
    fn parsing<T>(&self, bytes: usize, work: impl FnOnce() -> T) -> T;

    /// Reads some files for their structure alone, and hands out those that are code.
    fn structures(&self, numbers: &[usize], each: impl FnMut(ParsedFile));

    /// Returns the resolver of imports, with the paths and manifests of all files.
    fn resolver(&self) -> Resolver;

    /// Calls `work` for each number below `count`, on as many threads as there are, and
    /// `take` with the results, in order, on this thread.
    fn in_order<R: Send>(
        &self,
        count: usize,
        work: impl Fn(usize) -> R + Sync,
        take: impl FnMut(R),
    );

    /// Whether there is no time to read further files. Files that were read are still linked.
    fn is_reading_over(&self) -> bool;

    /// Whether nobody waits for the answer any more.
    fn is_stopped(&self) -> bool;

    /// Whether the time for the answer has an end.
    fn has_deadline(&self) -> bool;
}
