//! Changes in a git repository: files of the working tree or the index that differ from an earlier
//! state, and the last commits. The caller formats the changes.
//!
//! It runs no filter, textconv or file system monitor. A file that git would pass through a program
//! is reported by name and not compared.

mod cleaned;
mod commits;
mod compare;
mod error;
mod range;
mod staged;
mod trees;
mod work_tree;

use std::path::PathBuf;
use std::sync::Arc;

use gix::ObjectId;
use gix::index::entry::Mode;
use gix::objs::tree::EntryKind;
use loom_base::RepoPath;

pub use commits::LogEntry;
pub use compare::Comparison;
pub use error::HistoryError;

use crate::beneath::Beneath;
use crate::commit_tree::CommitTree;
use crate::native;
use crate::objects::{Commit, Objects, ObjectsError};
use crate::outcome::Reason;
use crate::root::Root;
use crate::scan::{FoundFile, Scan};
use crate::source::Source;
use crate::tree::Tree;

/// A file that differs between two states of a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Path in the repository.
    pub path: RepoPath,
    /// Old version; `None` for a new file.
    pub old: Option<Version>,
    /// New version; `None` for a deleted file.
    pub new: Option<Version>,
    /// True if a merge left a conflict.
    pub is_unmerged: bool,
}

/// A file in one state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version {
    /// Kind of the file.
    pub kind: VersionKind,
    /// Hash of the contents, if known.
    pub id: Option<ObjectId>,
    place: ContentLocation,
}

/// Kinds of files in git.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VersionKind {
    /// A plain file.
    Plain,
    /// An executable file.
    Executable,
    /// A symbolic link.
    Link,
    /// A submodule.
    Submodule,
}

/// Location of the contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ContentLocation {
    Objects,
    WorkTree,
}

impl Version {
    fn in_objects(kind: VersionKind, id: ObjectId) -> Self {
        Self {
            kind,
            id: Some(id),
            place: ContentLocation::Objects,
        }
    }

    fn in_work_tree(kind: VersionKind, id: Option<ObjectId>) -> Self {
        Self {
            kind,
            id,
            place: ContentLocation::WorkTree,
        }
    }

    fn is_same(&self, other: &Self) -> bool {
        self.kind == other.kind && self.id.is_some() && self.id == other.id
    }
}

impl VersionKind {
    fn of_index(mode: Mode) -> Option<Self> {
        match mode {
            Mode::FILE => Some(Self::Plain),
            Mode::FILE_EXECUTABLE => Some(Self::Executable),
            Mode::SYMLINK => Some(Self::Link),
            Mode::COMMIT => Some(Self::Submodule),
            _ => None,
        }
    }

    fn of_tree(kind: EntryKind) -> Option<Self> {
        match kind {
            EntryKind::Blob => Some(Self::Plain),
            EntryKind::BlobExecutable => Some(Self::Executable),
            EntryKind::Link => Some(Self::Link),
            EntryKind::Commit => Some(Self::Submodule),
            EntryKind::Tree => None,
        }
    }
}

/// A repository that a scan found.
#[derive(Debug)]
pub struct History {
    /// Index of its root, and its top.
    root: usize,
    top: RepoPath,
    /// Tops of the repositories inside it.
    inner: Vec<RepoPath>,
    name: RepoPath,
    /// Paths in the root that the user named.
    scopes: Vec<RepoPath>,
    dir: PathBuf,
    objects: Arc<Objects>,
    packed: Packed,
}

/// The packed state of a repository.
#[derive(Debug)]
enum Packed {
    WorkTree(Beneath),
    Commit(Commit),
}

impl Source {
    /// Returns the git repositories that `scan` found, grouped by root, the outer ones first.
    ///
    /// # Errors
    /// If a root contains no repository, or one cannot be read.
    pub fn histories(&self, scan: &Scan) -> Result<Vec<History>, HistoryError> {
        let mut histories = Vec::new();
        for (number, (root, tree)) in self.trees().iter().enumerate() {
            let of_tree = scan.repositories.iter().filter(|(at, _)| *at == number);
            let tops: Vec<_> = of_tree.map(|(_, top)| top.clone()).collect();
            match tree.base() {
                Tree::Commit(tree) => histories.push(History::of_commit(number, root, tree)),
                _ if tops.is_empty() => {
                    let path = match tree.base() {
                        Tree::Texts(_) => root.label.clone(),
                        _ => root.dir.clone(),
                    };
                    return Err(HistoryError::NoRepository { path });
                }
                _ => {
                    for top in &tops {
                        histories.push(History::of_folder(number, root, top, &tops)?);
                    }
                }
            }
        }
        Ok(histories)
    }
}

impl History {
    fn of_folder(
        number: usize,
        root: &Root,
        top: &RepoPath,
        tops: &[RepoPath],
    ) -> Result<Self, HistoryError> {
        let dir = native::below(&root.dir, top);
        let beneath = Beneath::open(&dir);
        let beneath = beneath.map_err(|_| HistoryError::NoRepository { path: dir.clone() })?;
        let inner = tops.iter().filter(|other| is_below(other, top));
        Ok(Self {
            root: number,
            top: top.clone(),
            inner: inner.cloned().collect(),
            name: root.prefix.join(top),
            scopes: scopes(root),
            objects: Arc::new(Objects::open(&dir)?),
            packed: Packed::WorkTree(beneath),
            dir,
        })
    }

    fn of_commit(number: usize, root: &Root, tree: &CommitTree) -> Self {
        Self {
            root: number,
            top: RepoPath::root(),
            inner: Vec::new(),
            name: root.prefix.clone(),
            scopes: scopes(root),
            dir: root.dir.clone(),
            objects: tree.shared_objects(),
            packed: Packed::Commit(tree.commit),
        }
    }
}

fn scopes(root: &Root) -> Vec<RepoPath> {
    root.scopes.iter().map(|scope| scope.path.clone()).collect()
}

fn is_below(path: &RepoPath, top: &RepoPath) -> bool {
    path != top && relative_to(path, top).is_some()
}

/// Returns `path` relative to the directory `top`.
pub(crate) fn relative_to(path: &RepoPath, top: &RepoPath) -> Option<RepoPath> {
    if top.is_root() {
        return Some(path.clone());
    }
    let rest = path.as_bytes().strip_prefix(top.as_bytes())?;
    RepoPath::new(rest.strip_prefix(b"/")?).ok()
}

impl History {
    /// Returns the top of the repository for people: the root of the pack, or the name of a root
    /// and a directory in it.
    pub fn name(&self) -> &RepoPath {
        &self.name
    }

    /// Returns the packed commit; `None` if the working tree is packed.
    pub fn packed_commit(&self) -> Option<Commit> {
        match &self.packed {
            Packed::WorkTree(_) => None,
            Packed::Commit(commit) => Some(*commit),
        }
    }

    fn beneath(&self) -> Option<&Beneath> {
        match &self.packed {
            Packed::WorkTree(beneath) => Some(beneath),
            Packed::Commit(_) => None,
        }
    }

    /// Returns true if the repository is inside the root that the user named.
    pub fn is_inner(&self) -> bool {
        !self.top.is_root()
    }

    /// Returns a path of the repository as shown to people.
    pub fn shown(&self, path: &RepoPath) -> RepoPath {
        self.name.join(path)
    }

    /// Returns the path in the repository of a file in the scan, if the file belongs to it.
    pub fn owns(&self, file: &FoundFile) -> Option<RepoPath> {
        let is_inner = |top: &RepoPath| relative_to(&file.relative, top).is_some();
        if file.root != self.root || self.inner.iter().any(is_inner) {
            return None;
        }
        relative_to(&file.relative, &self.top)
    }

    /// Returns true if the user named `path` of the repository or an ancestor.
    pub fn is_asked_for(&self, path: &RepoPath) -> bool {
        let path = self.top.join(path);
        let covers = |scope: &RepoPath| *scope == path || relative_to(&path, scope).is_some();
        self.scopes.iter().any(covers)
    }

    /// Returns the location of `path` on disk.
    pub fn on_disk(&self, path: &RepoPath) -> PathBuf {
        native::below(&self.dir, path)
    }

    /// Returns the packed commit or the last one; `None` for a repository without commits.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn head(&self) -> Result<Option<Commit>, HistoryError> {
        if let Some(commit) = self.packed_commit() {
            return Ok(Some(commit));
        }
        match self.objects.resolve("HEAD") {
            Ok(commit) => Ok(Some(commit)),
            Err(ObjectsError::NoCommits { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Returns the merge base of `HEAD` and `revision`.
    ///
    /// # Errors
    /// If the revision does not exist, or the two have no common ancestor.
    pub fn left(&self, revision: &str) -> Result<Commit, HistoryError> {
        let other = self.objects.resolve(revision)?;
        let Some(head) = self.head()? else {
            return Ok(other);
        };
        let repository = self.objects.handle();
        let base = repository.merge_base(other.id, head.id);
        let base = base.map_err(|error| HistoryError::Unusable {
            path: self.dir.clone(),
            message: error.probable_cause().to_string(),
        })?;
        match base.map(gix::Id::detach) {
            Some(id) => Ok(self.objects.commit(id)?),
            None => Err(HistoryError::NothingInCommon {
                revision: revision.to_owned(),
                is_shallow: repository.is_shallow().unwrap_or(false),
            }),
        }
    }

    /// Returns the commit `revision`.
    ///
    /// # Errors
    /// If it does not exist.
    pub fn commit(&self, revision: &str) -> Result<Commit, HistoryError> {
        Ok(self.objects.resolve(revision)?)
    }

    /// Reads a version from git; `None` if only the working tree has it, if it is missing, or if it
    /// exceeds `limit`.
    pub fn stored(&self, version: &Version, limit: u64) -> Option<Vec<u8>> {
        self.read_stored(version, limit).ok()
    }

    /// Reads a version from git.
    ///
    /// # Errors
    /// If git does not have the version, or it exceeds `limit`.
    pub fn read_stored(&self, version: &Version, limit: u64) -> Result<Vec<u8>, Reason> {
        let id = version
            .id
            .filter(|_| version.place == ContentLocation::Objects);
        let id = id.ok_or(Reason::Absent)?;
        match self.objects.blob(id, limit) {
            Ok(crate::objects::Blob::Bytes(bytes)) => Ok(bytes),
            Ok(crate::objects::Blob::TooLarge(size)) => Err(Reason::TooLarge { size, limit }),
            Err(error) => Err(Reason::Unreadable {
                message: error.to_string(),
            }),
        }
    }
}
