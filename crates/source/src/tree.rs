//! The source of a root: a directory on disk or a commit. Both have the same operations, so that
//! the same rules apply.

use std::path::Path;

use loom_base::RepoPath;

use crate::beneath::Beneath;
use crate::commit_tree::CommitTree;
use crate::entry::{Entry, EntryKind, Stamps};
use crate::outcome::Reason;
use crate::read::{self, Reading};
use crate::root::OpenError;
use crate::scan::FoundFile;

/// A tree of files.
#[derive(Debug)]
pub(crate) enum Tree {
    /// A directory on disk.
    Folder(Beneath),
    /// A commit in git's object store.
    Commit(CommitTree),
}

impl Tree {
    /// Opens the directory `path` on disk.
    pub(crate) fn open_folder(path: &Path) -> Result<Self, OpenError> {
        let beneath = Beneath::open(path).map_err(|error| OpenError::Unreadable {
            path: path.to_owned(),
            message: read::plain_message(&error),
        })?;
        Ok(Self::Folder(beneath))
    }

    /// Lists the entries of the directory `path`, sorted by name.
    pub(crate) fn list(&self, path: &RepoPath, stamps: Stamps) -> Result<Vec<Entry>, Reason> {
        let mut entries = match self {
            Self::Folder(beneath) => {
                beneath
                    .list(path, stamps)
                    .map_err(|error| Reason::Unreadable {
                        message: read::plain_message(&error),
                    })
            }
            Self::Commit(commit) => commit.list(path),
        }?;
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(entries)
    }

    /// Returns the kind of `path`, if it exists.
    pub(crate) fn kind(&self, path: &RepoPath) -> Option<EntryKind> {
        match self {
            Self::Folder(beneath) => beneath.kind(path).ok(),
            Self::Commit(commit) => commit.find(path).map(|(kind, _)| kind),
        }
    }

    /// Reads one file, at most `limit` bytes.
    pub(crate) fn read(&self, file: &FoundFile, limit: u64) -> Result<Reading, Reason> {
        match (self, file.object) {
            (Self::Folder(beneath), _) => read::read(beneath, &file.relative, limit),
            (Self::Commit(commit), Some(id)) => commit.read(id, limit),
            (Self::Commit(_), None) => Err(Reason::Vanished),
        }
    }

    /// Reads a small plain file of rules. Returns `None` if it is not one, or exceeds `limit`
    /// bytes.
    pub(crate) fn read_small(&self, path: &RepoPath, limit: u64) -> Option<Vec<u8>> {
        match self {
            Self::Folder(beneath) => read::read_small(beneath, path, limit),
            Self::Commit(commit) => match commit.find(path)? {
                (EntryKind::File, id) => Some(commit.read(id, limit).ok()?.bytes),
                _ => None,
            },
        }
    }

    /// Returns the size of the plain file `path`.
    pub(crate) fn size(&self, path: &RepoPath) -> Option<u64> {
        match self {
            Self::Folder(beneath) => {
                let meta = beneath.file(path).ok()?.metadata().ok()?;
                meta.is_file().then_some(meta.len())
            }
            Self::Commit(commit) => match commit.find(path)? {
                // Every non-empty file exceeds this limit, so only the size is read.
                (EntryKind::File, id) => match commit.read(id, 0) {
                    Ok(_) => Some(0),
                    Err(Reason::TooLarge { size, .. }) => Some(size),
                    Err(_) => None,
                },
                _ => None,
            },
        }
    }

    /// Returns the skip reason for the link `path`, with its target.
    pub(crate) fn link(&self, path: &RepoPath) -> Reason {
        let target = match self {
            Self::Folder(beneath) => beneath.link(path).map_err(|error| Reason::Unreadable {
                message: read::plain_message(&error),
            }),
            Self::Commit(commit) => commit.link(path),
        };
        match target {
            Ok(target) => Reason::Symlink {
                target: String::from_utf8_lossy(&target).into_owned(),
            },
            Err(reason) => reason,
        }
    }

    /// Returns the commit, if the root is one.
    pub(crate) fn commit(&self) -> Option<&CommitTree> {
        match self {
            Self::Folder(_) => None,
            Self::Commit(commit) => Some(commit),
        }
    }
}
