//! Options and result of a scan: the files to read, and all other files with the reason for
//! skipping them.

use std::collections::BTreeSet;
use std::path::PathBuf;

use loom_base::{ContentHash, RepoPath, Stamp};

use crate::entry::Contents;
use crate::outcome::LeftOut;
use crate::rules::Filter;

/// Options of a scan.
#[derive(Clone, Debug)]
pub struct ScanOptions {
    /// The user's patterns; the last match decides.
    pub filters: Vec<Filter>,
    /// True if the built-in rules apply.
    pub default_ignore: bool,
    /// True if ignore files are read.
    pub ignore_files: bool,
    /// Output files and the cache directory, as absolute paths. They must not be read.
    pub outputs: Vec<PathBuf>,
    /// Threads that list large trees; at least one.
    pub threads: usize,
    /// True if the scan reads the stamps of files.
    pub stamps: bool,
    /// Extent of the walk beyond the paths that the user named.
    pub reach: Reach,
    /// True to fill [`Scan::credentials`].
    pub credentials: bool,
}

/// Extent of a walk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// The paths that the user named.
    #[default]
    Named,
    /// The whole git work tree or commit around each of them. Without a repository, the named
    /// directory.
    WorkTree,
}

impl Default for ScanOptions {
    fn default() -> Self {
        Self {
            filters: Vec::new(),
            default_ignore: true,
            ignore_files: true,
            outputs: Vec::new(),
            threads: 1,
            stamps: false,
            reach: Reach::Named,
            credentials: false,
        }
    }
}

/// A file to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundFile {
    /// Path for people; with several roots it starts with the name of the root.
    pub path: RepoPath,
    /// True if the user named the file or a pattern of the user includes it, so that no guess about
    /// its contents skips it.
    pub wanted: bool,
    /// Index of its root.
    pub(crate) root: usize,
    /// Path in that root.
    pub(crate) relative: RepoPath,
    /// Version of the contents when its directory was listed.
    pub(crate) contents: Contents,
    /// Path before [`FoundFile::show_as`] replaced it.
    pub(crate) actual: Option<RepoPath>,
}

impl FoundFile {
    /// Returns the stamp from listing the directory, if [`ScanOptions::stamps`] requested it and
    /// the file is a plain file on disk.
    pub fn stamp(&self) -> Option<Stamp> {
        self.contents.stamp
    }

    /// Returns the hash of its text, if the text is in memory.
    pub fn text_hash(&self) -> Option<ContentHash> {
        self.contents.text_hash
    }

    /// Shows the file under another path, because the real one contains a secret.
    pub fn show_as(&mut self, path: RepoPath) {
        let actual = std::mem::replace(&mut self.path, path);
        self.actual.get_or_insert(actual);
    }

    /// Returns the real path, even if the file is shown under another one.
    pub fn actual_path(&self) -> &RepoPath {
        self.actual.as_ref().unwrap_or(&self.path)
    }

    /// Returns true if both are the same file of the same source.
    pub fn is_same_file(&self, other: &Self) -> bool {
        (self.root, &self.relative) == (other.root, &other.relative)
    }

    /// Orders files of one source by root and path.
    pub fn order_in_source(&self, other: &Self) -> std::cmp::Ordering {
        (self.root, &self.relative).cmp(&(other.root, &other.relative))
    }

    /// Returns the file as if the walk had found it and the user had not named it.
    #[must_use]
    pub fn as_found(mut self) -> Self {
        self.wanted = false;
        self
    }
}

/// Result of a scan.
#[derive(Clone, Debug, Default)]
pub struct Scan {
    /// Files to read, sorted by path.
    pub files: Vec<FoundFile>,
    /// Skipped files and directories, sorted by path.
    pub left_out: Vec<LeftOut>,
    /// Messages about rules that could not be read, so that decisions may be wrong.
    pub warnings: BTreeSet<String>,
    /// Credential files that a rule of the repository or the user skips, outside directories that
    /// the built-in rules skip.
    pub credentials: Vec<FoundFile>,
    /// True if the scan looked for them.
    pub has_credentials: bool,
    /// Skipped directories that may contain credential files: root and path.
    pub(crate) ignored: Vec<(usize, RepoPath)>,
    /// Listed directories: root and path.
    pub(crate) folders: Vec<(usize, RepoPath)>,
    /// Git repositories in the roots: root and top.
    pub(crate) repositories: Vec<(usize, RepoPath)>,
}

impl Scan {
    /// Sorts by path. A file that one scope includes and another one skips is included.
    pub(crate) fn sort(&mut self) {
        let Self {
            files, left_out, ..
        } = self;
        files.sort_by(|a, b| a.path.cmp(&b.path).then(b.wanted.cmp(&a.wanted)));
        files.dedup_by(|a, b| a.path == b.path);
        left_out.sort_by(|a, b| a.path.cmp(&b.path));
        left_out.dedup_by(|a, b| a.path == b.path);
        left_out.retain(|left| find(files, &left.path).is_none());
    }

    /// Adds the result of another walk.
    pub(crate) fn append(&mut self, mut other: Self) {
        self.files.append(&mut other.files);
        self.left_out.append(&mut other.left_out);
        self.warnings.append(&mut other.warnings);
        self.folders.append(&mut other.folders);
        self.credentials.append(&mut other.credentials);
        self.ignored.append(&mut other.ignored);
        self.repositories.append(&mut other.repositories);
    }

    /// Returns true if `path`, which is not included, or an ancestor was skipped.
    pub(crate) fn leaves_out(&self, path: &RepoPath) -> bool {
        let mut at = Some(path.clone());
        while let Some(path) = at {
            let left_out = self.left_out.binary_search_by(|left| left.path.cmp(&path));
            if left_out.is_ok() {
                return true;
            }
            at = path.parent();
        }
        false
    }
}

fn find<'a>(files: &'a [FoundFile], path: &RepoPath) -> Option<&'a FoundFile> {
    let at = files.binary_search_by(|file| file.path.cmp(path)).ok()?;
    Some(&files[at])
}
