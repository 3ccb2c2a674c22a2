//! Reads commits, trees and blobs from git's object store. The working tree is
//! not looked at, and nothing that the repository's configuration names is run:
//! no filter, no hook, no textconv. What to do with a tree is decided elsewhere.

mod error;
mod names;
mod plain;
mod revision;

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use gix::ObjectId;
use gix::objs::Kind;
use gix::objs::tree::EntryKind;
use gix::open::permissions::Config;
use gix::open::{Options, Permissions};

pub use error::{Absence, ObjectsError};
pub(crate) use names::nearest;

use crate::git_files::GitFiles;
use error::{broken, cause};

pub(crate) use plain::check as check_files;

/// No object that is needed on the way may be larger: not the file, and not what
/// the file is stored as a difference to. A repository can claim any size.
const LARGEST: &str = "1g";

/// For the bases that packed objects are differences to, per thread. It holds those
/// of one part of a tree, which the walk order reads together.
const BASES: &str = "32m";

/// The objects of one repository, for any number of threads.
pub struct Objects {
    repository: gix::ThreadSafeRepository,
    /// Handles that no thread uses now, with their warm caches.
    idle: Mutex<Vec<gix::Repository>>,
    /// Where the working tree has its top; a bare repository has none.
    work_tree: Option<PathBuf>,
}

/// A commit and the tree that it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Commit {
    /// The hash of the commit.
    pub id: ObjectId,
    /// The hash of its tree.
    pub tree: ObjectId,
}

/// One entry of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeEntry {
    /// Its name, which a hostile repository may choose at will.
    pub name: Vec<u8>,
    /// What it is.
    pub kind: TreeEntryKind,
    /// Its hash; for a submodule that of a commit of another repository.
    pub id: ObjectId,
}

/// What an entry of a tree is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeEntryKind {
    /// A file, executable or not.
    File,
    /// A folder.
    Folder,
    /// A symbolic link; its blob is the target.
    Link,
    /// A submodule.
    Submodule,
}

/// What a blob is, when it is not too large.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Blob {
    /// Its contents.
    Bytes(Vec<u8>),
    /// More bytes than the limit; it was not read.
    TooLarge(u64),
}

impl Objects {
    /// Opens the repository whose working tree has its top at `folder`, or the bare
    /// one at `folder`.
    ///
    /// # Errors
    /// When there is no repository, or one with pipes, devices or foreign parts in
    /// the place of git's files.
    pub fn open(folder: &Path) -> Result<Self, ObjectsError> {
        let path = || folder.to_owned();
        let (files, is_bare) = match (GitFiles::of(folder), GitFiles::bare(folder)) {
            (Some(files), _) => (files, false),
            (None, Some(files)) => (files, true),
            (None, None) => return Err(ObjectsError::NoRepository { path: path() }),
        };
        if let Err(message) = plain::check(&files) {
            let path = path();
            return Err(ObjectsError::Unusable { path, message });
        }
        let repository = options().open_path_as_is(is_bare).open(folder);
        let repository = repository.map_err(|error| ObjectsError::Unusable {
            path: path(),
            message: cause(&error),
        })?;
        Ok(Self {
            repository,
            idle: Mutex::default(),
            work_tree: (!is_bare).then(path),
        })
    }

    /// The top of the working tree; a bare repository has none.
    pub fn work_tree(&self) -> Option<&Path> {
        self.work_tree.as_deref()
    }

    /// The commit that `revision` names, in git's own words: a branch, a tag, a
    /// hash or the start of one, `HEAD~3`, `origin/main`, `v1.0^{}`.
    ///
    /// # Errors
    /// When there is none, or several, or it is not a commit.
    pub fn resolve(&self, revision: &str) -> Result<Commit, ObjectsError> {
        revision::resolve(&self.handle(), revision)
    }

    /// The branch that `HEAD` points to, by its short name.
    pub fn head_branch(&self) -> Option<String> {
        let name = self.handle().head_name().ok().flatten()?;
        Some(name.shorten().to_string())
    }

    /// The commit with the hash `id`.
    ///
    /// # Errors
    /// When it is missing or broken.
    pub fn commit(&self, id: ObjectId) -> Result<Commit, ObjectsError> {
        let repository = self.handle();
        let object = find(&repository, id)?;
        let commit = object.try_into_commit().map_err(|error| broken(id, &error));
        let tree = commit?.tree_id().map_err(|error| broken(id, &error))?;
        Ok(Commit {
            id,
            tree: tree.detach(),
        })
    }

    /// The entries of the tree `id`, in the order in which git keeps them.
    ///
    /// # Errors
    /// When it is missing or broken.
    pub fn entries(&self, id: ObjectId) -> Result<Vec<TreeEntry>, ObjectsError> {
        let repository = self.handle();
        let object = find(&repository, id)?;
        let tree = object.try_into_tree().map_err(|error| broken(id, &error))?;
        let entries = tree.iter().map(|entry| {
            let entry = entry.map_err(|error| broken(id, &error))?;
            Ok(TreeEntry {
                name: entry.filename().to_vec(),
                kind: kind_of(entry.kind()),
                id: entry.object_id(),
            })
        });
        entries.collect()
    }

    /// The contents of the blob `id`, unless they are larger than `limit`.
    ///
    /// # Errors
    /// When it is missing or broken.
    pub fn blob(&self, id: ObjectId, limit: u64) -> Result<Blob, ObjectsError> {
        let repository = self.handle();
        let header = repository.try_find_header(id);
        let header = header.map_err(|error| broken(id, &error))?;
        let header = header.ok_or_else(|| error::missing(&repository, id))?;
        if header.kind() != Kind::Blob {
            return Err(ObjectsError::Broken {
                id,
                message: format!("a {} where a file belongs", header.kind()),
            });
        }
        if header.size() > limit {
            return Ok(Blob::TooLarge(header.size()));
        }
        let mut object = find(&repository, id)?;
        Ok(Blob::Bytes(std::mem::take(&mut object.data)))
    }

    /// A handle for this thread, given back when it is dropped.
    pub(crate) fn handle(&self) -> Handle<'_> {
        let idle = self.idle().pop();
        let repository = idle.unwrap_or_else(|| self.repository.to_thread_local());
        Handle {
            objects: self,
            repository: Some(repository),
        }
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<gix::Repository>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Objects {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let path = self.repository.refs.git_dir();
        f.debug_tuple("Objects").field(&path).finish()
    }
}

/// A repository that one thread uses.
pub(crate) struct Handle<'a> {
    objects: &'a Objects,
    repository: Option<gix::Repository>,
}

impl Deref for Handle<'_> {
    type Target = gix::Repository;

    #[expect(clippy::expect_used, reason = "it is taken only when dropped")]
    fn deref(&self) -> &gix::Repository {
        self.repository.as_ref().expect("present until dropped")
    }
}

impl Drop for Handle<'_> {
    fn drop(&mut self) {
        self.objects.idle().extend(self.repository.take());
    }
}

/// Only the repository's own configuration is read, which says how objects are
/// stored; what of it would use much memory or lead elsewhere is overridden.
fn options() -> Options {
    let permissions = Permissions {
        config: Config::isolated(),
        ..Permissions::isolated()
    };
    Options::isolated()
        .permissions(permissions)
        .config_overrides([
            format!("gitoxide.objects.allocLimit={LARGEST}"),
            "gitoxide.objects.cacheLimit=0".to_owned(),
            format!("core.deltaBaseCacheLimit={BASES}"),
            "gitoxide.core.shallowFile=shallow".to_owned(),
        ])
}

pub(crate) fn find(
    repository: &gix::Repository,
    id: ObjectId,
) -> Result<gix::Object<'_>, ObjectsError> {
    let object = repository.try_find_object(id);
    let object = object.map_err(|error| broken(id, &error))?;
    object.ok_or_else(|| error::missing(repository, id))
}

fn kind_of(kind: EntryKind) -> TreeEntryKind {
    match kind {
        EntryKind::Blob | EntryKind::BlobExecutable => TreeEntryKind::File,
        EntryKind::Tree => TreeEntryKind::Folder,
        EntryKind::Link => TreeEntryKind::Link,
        EntryKind::Commit => TreeEntryKind::Submodule,
    }
}
