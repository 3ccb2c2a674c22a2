//! What a scan is asked and what it answers: the files to read, and everything
//! else with the one reason for which it is left out.

use std::collections::BTreeSet;
use std::path::PathBuf;

use gix::ObjectId;
use loom_base::{RepoPath, Stamp};

use crate::outcome::LeftOut;
use crate::rules::Filter;

/// What is taken from a tree.
#[derive(Clone, Debug)]
pub struct ScanOptions {
    /// The user's patterns, the last match deciding.
    pub filters: Vec<Filter>,
    /// Whether the built-in defaults hold.
    pub default_ignore: bool,
    /// Whether ignore files are read.
    pub ignore_files: bool,
    /// Files that are being written and must not be read, and the folder of what is
    /// remembered, as absolute paths.
    pub outputs: Vec<PathBuf>,
    /// On how many threads large trees are listed; at least one.
    pub threads: usize,
    /// Whether the stamps of files are taken on the way.
    pub stamps: bool,
    /// How far the walk goes beyond the paths that the user named.
    pub reach: Reach,
    /// Whether [`Scan::credentials`] is filled.
    pub credentials: bool,
}

/// How far a walk goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// The paths that the user named.
    #[default]
    Named,
    /// The whole git work tree or commit around each of them. A directory without a
    /// repository is walked as it was named.
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
    /// Its path as people see it; with several trees it starts with the tree's name.
    pub path: RepoPath,
    /// Whether the user named it, or one of the user's patterns took it, so that no
    /// guess about its contents leaves it out.
    pub wanted: bool,
    /// Which tree it lies in.
    pub(crate) root: usize,
    /// Its path in that tree.
    pub(crate) relative: RepoPath,
    /// Where a commit keeps it.
    pub(crate) object: Option<ObjectId>,
    /// Its stamp when its folder was listed, where those were asked for.
    pub(crate) stamp: Option<Stamp>,
    /// Its path before [`FoundFile::show_as`] gave it another one.
    pub(crate) actual: Option<RepoPath>,
}

impl FoundFile {
    /// Its stamp when its folder was listed, where [`ScanOptions::stamps`] asked for it
    /// and it is a plain file of a folder on disk.
    pub fn stamp(&self) -> Option<Stamp> {
        self.stamp
    }

    /// Shows the file under another path, because the real one contains a secret.
    pub fn show_as(&mut self, path: RepoPath) {
        let actual = std::mem::replace(&mut self.path, path);
        self.actual.get_or_insert(actual);
    }

    /// The path as it is, also if the file is shown under another one.
    pub fn actual_path(&self) -> &RepoPath {
        self.actual.as_ref().unwrap_or(&self.path)
    }

    /// Says whether both are the same file of the same source.
    pub fn is_same_file(&self, other: &Self) -> bool {
        (self.root, &self.relative) == (other.root, &other.relative)
    }

    /// Orders files of one source by the tree and the path in it.
    pub fn order_in_source(&self, other: &Self) -> std::cmp::Ordering {
        (self.root, &self.relative).cmp(&(other.root, &other.relative))
    }

    /// The same file, as if it had been found and not named.
    #[must_use]
    pub fn as_found(mut self) -> Self {
        self.wanted = false;
        self
    }
}

/// Everything that the trees hold.
#[derive(Debug, Default)]
pub struct Scan {
    /// The files to read, ordered by path.
    pub files: Vec<FoundFile>,
    /// What was left out, ordered by path.
    pub left_out: Vec<LeftOut>,
    /// Rules that could not be read, in words, so that the rest may be wrong.
    pub warnings: BTreeSet<String>,
    /// Files that people keep credentials in and that a rule of the repository or of the
    /// user skips, outside directories that the built-in rules skip.
    pub credentials: Vec<FoundFile>,
    /// Whether they were looked for.
    pub has_credentials: bool,
    /// Directories that such a rule skips: in which tree, and where.
    pub(crate) ignored: Vec<(usize, RepoPath)>,
    /// The folders that were looked into: in which tree, and where.
    pub(crate) folders: Vec<(usize, RepoPath)>,
    /// The git repositories that were met: in which tree, and where their top is.
    pub(crate) repositories: Vec<(usize, RepoPath)>,
}

impl Scan {
    /// Orders by path; what was both taken and left out, because several parts of a
    /// tree were named, is taken.
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

    /// Adds what another walk found.
    pub(crate) fn append(&mut self, mut other: Self) {
        self.files.append(&mut other.files);
        self.left_out.append(&mut other.left_out);
        self.warnings.append(&mut other.warnings);
        self.folders.append(&mut other.folders);
        self.credentials.append(&mut other.credentials);
        self.ignored.append(&mut other.ignored);
        self.repositories.append(&mut other.repositories);
    }

    /// Whether `path`, which was not taken, or a folder above it, was left out.
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
