//! The tree of a commit, read directory by directory.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use gix::ObjectId;
use loom_base::{ContentHash, RepoPath};

use crate::entry::{Contents, Entry, EntryKind};
use crate::objects::{Blob, Commit, Objects, ObjectsError, TreeEntry, TreeEntryKind};
use crate::outcome::Reason;
use crate::read::Reading;

/// No operating system accepts a longer path.
const LONGEST_TARGET: u64 = 4096;

/// The files of one commit.
#[derive(Debug)]
pub(crate) struct CommitTree {
    objects: Arc<Objects>,
    pub(crate) commit: Commit,
    /// Revision as the user named it.
    pub(crate) revision: String,
    /// Cache of the directories read so far.
    folders: Mutex<HashMap<RepoPath, ObjectId>>,
}

impl CommitTree {
    pub(crate) fn new(objects: Arc<Objects>, commit: Commit, revision: &str) -> Self {
        Self {
            objects,
            commit,
            revision: revision.to_owned(),
            folders: Mutex::default(),
        }
    }

    /// Returns the object store of the commit.
    pub(crate) fn objects(&self) -> &Objects {
        &self.objects
    }

    /// Returns a shared handle to the object store.
    pub(crate) fn shared_objects(&self) -> Arc<Objects> {
        Arc::clone(&self.objects)
    }

    pub(crate) fn list(&self, path: &RepoPath) -> Result<Vec<Entry>, Reason> {
        let id = self.folder(path).ok_or(Reason::Vanished)?;
        let entries = self
            .objects
            .entries(id)
            .map_err(|error| unreadable(&error))?;
        self.remember(path, &entries);
        Ok(entries.into_iter().map(entry).collect())
    }

    /// Returns the kind and object of `path`.
    pub(crate) fn find(&self, path: &RepoPath) -> Option<(EntryKind, ObjectId)> {
        let Some(above) = path.parent() else {
            return Some((EntryKind::Folder, self.commit.tree));
        };
        let entries = self.objects.entries(self.folder(&above)?).ok()?;
        let name = path.file_name();
        let found = entries.iter().find(|entry| entry.name == name)?;
        Some((kind_of(found.kind), found.id))
    }

    pub(crate) fn read(&self, id: ObjectId, limit: u64) -> Result<Reading, Reason> {
        match self.objects.blob(id, limit) {
            Ok(Blob::Bytes(bytes)) => {
                let hash = ContentHash::from_bytes(*blake3::hash(&bytes).as_bytes());
                Ok(Reading {
                    bytes,
                    hash,
                    stamp: None,
                })
            }
            Ok(Blob::TooLarge(size)) => Err(Reason::TooLarge { size, limit }),
            Err(error) => Err(unreadable(&error)),
        }
    }

    pub(crate) fn link(&self, path: &RepoPath) -> Result<Vec<u8>, Reason> {
        let (_, id) = self.find(path).ok_or(Reason::Vanished)?;
        Ok(self.read(id, LONGEST_TARGET)?.bytes)
    }

    /// Returns the tree object of the directory `path`.
    fn folder(&self, path: &RepoPath) -> Option<ObjectId> {
        let known = self.folders().get(path).copied();
        if known.is_some() {
            return known;
        }
        match self.find(path)? {
            (EntryKind::Folder, id) => Some(id),
            _ => None,
        }
    }

    fn remember(&self, path: &RepoPath, entries: &[TreeEntry]) {
        let folders = entries.iter().filter_map(|entry| {
            let is_folder = entry.kind == TreeEntryKind::Folder;
            let path = path.child(&entry.name).ok().filter(|_| is_folder)?;
            Some((path, entry.id))
        });
        self.folders().extend(folders);
    }

    fn folders(&self) -> std::sync::MutexGuard<'_, HashMap<RepoPath, ObjectId>> {
        self.folders.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn entry(entry: TreeEntry) -> Entry {
    Entry {
        kind: kind_of(entry.kind),
        contents: Contents {
            object: Some(entry.id),
            ..Contents::default()
        },
        name: entry.name,
    }
}

fn kind_of(kind: TreeEntryKind) -> EntryKind {
    match kind {
        TreeEntryKind::File => EntryKind::File,
        TreeEntryKind::Folder => EntryKind::Folder,
        TreeEntryKind::Link => EntryKind::Link,
        TreeEntryKind::Submodule => EntryKind::Submodule,
    }
}

fn unreadable(error: &ObjectsError) -> Reason {
    Reason::Unreadable {
        message: error.to_string(),
    }
}
