//! Reads commits, trees and blobs from git's object store. It neither reads the working tree nor
//! runs a program of the repository's configuration: no filter, hook or textconv. The caller
//! interprets the trees.

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
pub(crate) use error::{UNSHALLOW, alternatives};
pub(crate) use names::nearest;

use crate::git_files::GitFiles;
use error::{broken, cause};

pub(crate) use plain::check as check_files;

/// Maximum size of every object in a delta chain, including the result. A repository can claim any
/// size.
const LARGEST: &str = "1g";

/// Cache per thread for the bases of packed deltas. It fits those of one part of a tree, which the
/// walk reads together.
const BASES: &str = "32m";

/// The objects of one repository, shared by any number of threads.
pub struct Objects {
    repository: gix::ThreadSafeRepository,
    /// Idle handles with their warm caches.
    idle: Mutex<Vec<gix::Repository>>,
    /// Top of the working tree; `None` for a bare repository.
    work_tree: Option<PathBuf>,
}

/// A commit and its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Commit {
    /// Hash of the commit.
    pub id: ObjectId,
    /// Hash of its tree.
    pub tree: ObjectId,
}

/// One entry of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeEntry {
    /// The name; a hostile repository may choose any bytes.
    pub name: Vec<u8>,
    /// The kind.
    pub kind: TreeEntryKind,
    /// Its hash; for a submodule, the commit in the other repository.
    pub id: ObjectId,
}

/// Kind of a tree entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeEntryKind {
    /// A file, executable or not.
    File,
    /// A directory.
    Folder,
    /// A symbolic link; its blob is the target.
    Link,
    /// A submodule.
    Submodule,
}

/// Contents of a blob, or its size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Blob {
    /// Its contents.
    Bytes(Vec<u8>),
    /// Size of a blob above the limit, which was not read.
    TooLarge(u64),
}

impl Objects {
    /// Opens the repository whose working tree is the directory, or the bare repository in it.
    ///
    /// # Errors
    /// If the directory has no repository, or git's files in it are pipes, devices or links to
    /// other places.
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

    /// Returns the top of the working tree; `None` for a bare repository.
    pub fn work_tree(&self) -> Option<&Path> {
        self.work_tree.as_deref()
    }

    /// Resolves a revision in git's syntax to a commit: a branch, a tag, a hash or its prefix,
    /// `HEAD~3`, `origin/main`, `v1.0^{}`.
    ///
    /// # Errors
    /// If it does not exist, is ambiguous, or is not a commit.
    pub fn resolve(&self, revision: &str) -> Result<Commit, ObjectsError> {
        revision::resolve(&self.handle(), revision)
    }

    /// Returns the short name of the branch that `HEAD` points to.
    pub fn head_branch(&self) -> Option<String> {
        let name = self.handle().head_name().ok().flatten()?;
        Some(name.shorten().to_string())
    }

    /// Returns the commit with the hash `id`.
    ///
    /// # Errors
    /// If it is missing or malformed.
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

    /// Returns the entries of the tree `id`, in git's order.
    ///
    /// # Errors
    /// If it is missing or malformed.
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

    /// Reads the blob `id`, unless it exceeds `limit`.
    ///
    /// # Errors
    /// If it is missing or malformed.
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

    /// Returns a handle for this thread; dropping it returns it to the pool.
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

/// A repository handle that one thread uses.
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

/// Returns options that read only the repository's own configuration, which defines the object
/// format. Overrides settings that would use much memory or lead elsewhere.
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
