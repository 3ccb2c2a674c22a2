//! The source of a root: a directory on disk, a commit, or texts in memory. All have the same
//! operations, so that the same rules apply.

use std::path::Path;
use std::sync::Arc;

use gix::ObjectId;
use loom_base::RepoPath;

use crate::beneath::Beneath;
use crate::commit_tree::CommitTree;
use crate::entry::{Contents, Entry, EntryKind, Stamps};
use crate::outcome::Reason;
use crate::read::{self, Reading};
use crate::root::OpenError;
use crate::scan::FoundFile;
use crate::text_files::{Found, TextFiles};

/// A tree of files.
#[derive(Debug)]
pub(crate) enum Tree {
    /// A directory on disk.
    Folder(Beneath),
    /// A commit in git's object store.
    Commit(CommitTree),
    /// Texts in memory.
    Texts(TextFiles),
    /// Another tree with edits over its files.
    Edited {
        /// The tree, which has no edits itself.
        base: Arc<Tree>,
        edits: TextFiles,
    },
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

    /// Returns the tree with other edits.
    pub(crate) fn edited(this: &Arc<Self>, edits: TextFiles) -> Arc<Self> {
        let base = match &**this {
            Self::Edited { base, .. } => base,
            _ => this,
        };
        match edits.is_empty() {
            true => Arc::clone(base),
            false => Arc::new(Self::Edited {
                base: Arc::clone(base),
                edits,
            }),
        }
    }

    /// Returns the tree without edits.
    pub(crate) fn base(&self) -> &Self {
        match self {
            Self::Edited { base, .. } => base,
            _ => self,
        }
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
            Self::Texts(texts) => texts.list(path, None).ok_or(Reason::Vanished),
            Self::Edited { base, edits } => {
                let below = base.list(path, stamps);
                let reason = below.as_ref().err().cloned();
                let listed = edits.list(path, below.ok());
                listed.ok_or_else(|| reason.unwrap_or(Reason::Vanished))
            }
        }?;
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(entries)
    }

    /// Returns the kind of `path`, if it exists.
    pub(crate) fn kind(&self, path: &RepoPath) -> Option<EntryKind> {
        match self {
            Self::Folder(beneath) => beneath.kind(path).ok(),
            Self::Commit(commit) => commit.find(path).map(|(kind, _)| kind),
            Self::Texts(texts) | Self::Edited { edits: texts, .. } => match texts.find(path) {
                Found::File(_) => Some(EntryKind::File),
                Found::Directory => Some(EntryKind::Folder),
                Found::Removed => None,
                Found::Unknown => self.below_edits()?.kind(path),
            },
        }
    }

    /// Reads one file, at most `limit` bytes.
    pub(crate) fn read(&self, file: &FoundFile, limit: u64) -> Result<Reading, Reason> {
        match (self, file.contents.object) {
            (Self::Folder(beneath), _) => read::read(beneath, &file.relative, limit),
            (Self::Commit(commit), Some(id)) => commit.read(id, limit),
            (Self::Commit(_), None) => Err(Reason::Vanished),
            (Self::Texts(texts) | Self::Edited { edits: texts, .. }, _) => {
                match (texts.find(&file.relative), self.below_edits()) {
                    (Found::File(text), _) => text.read(limit),
                    (Found::Unknown, Some(base)) => base.read(file, limit),
                    _ => Err(Reason::Vanished),
                }
            }
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
            Self::Texts(texts) | Self::Edited { edits: texts, .. } => match texts.find(path) {
                Found::File(text) => Some(text.read(limit).ok()?.bytes),
                Found::Unknown => self.below_edits()?.read_small(path, limit),
                Found::Directory | Found::Removed => None,
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
                // A limit that every file exceeds, so that nothing is read but the size.
                (EntryKind::File, id) => match commit.read(id, 0) {
                    Ok(_) => Some(0),
                    Err(Reason::TooLarge { size, .. }) => Some(size),
                    Err(_) => None,
                },
                _ => None,
            },
            Self::Texts(texts) | Self::Edited { edits: texts, .. } => match texts.find(path) {
                Found::File(text) => Some(text.size()),
                Found::Unknown => self.below_edits()?.size(path),
                Found::Directory | Found::Removed => None,
            },
        }
    }

    /// Returns the skip reason for the link `path`, with its target.
    pub(crate) fn link(&self, path: &RepoPath) -> Reason {
        let target = match self.base() {
            Self::Folder(beneath) => beneath.link(path).map_err(|error| Reason::Unreadable {
                message: read::plain_message(&error),
            }),
            Self::Commit(commit) => commit.link(path),
            Self::Texts(_) | Self::Edited { .. } => Err(Reason::Vanished),
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
        match self.base() {
            Self::Commit(commit) => Some(commit),
            _ => None,
        }
    }

    /// Returns the directory on disk that `path` is read from; `None` for a path that an edit decides.
    pub(crate) fn folder_of(&self, path: &RepoPath) -> Option<&Beneath> {
        match self {
            Self::Folder(beneath) => Some(beneath),
            Self::Edited { base, edits } => match (&**base, edits.find(path)) {
                (Self::Folder(beneath), Found::Unknown) => Some(beneath),
                _ => None,
            },
            Self::Commit(_) | Self::Texts(_) => None,
        }
    }

    /// Returns the version of the file `path`, which was named; a commit keeps it in `object`.
    pub(crate) fn contents(&self, path: &RepoPath, object: Option<ObjectId>) -> Contents {
        match self {
            Self::Texts(texts) | Self::Edited { edits: texts, .. } => match texts.find(path) {
                Found::File(text) => text.contents(),
                _ => Contents {
                    object,
                    ..Contents::default()
                },
            },
            _ => Contents {
                object,
                ..Contents::default()
            },
        }
    }

    /// Returns the tree below the edits.
    fn below_edits(&self) -> Option<&Self> {
        match self {
            Self::Edited { base, .. } => Some(base),
            _ => None,
        }
    }
}
