//! The secrets of one state of the files, of each file and of all.

use std::collections::HashMap;
use std::sync::Arc;

use loom_base::{ContentHash, RepoPath};
use loom_secrets::Copies;

/// The secrets of one state of the files.
#[derive(Debug, Default)]
pub(super) struct SnapshotSecrets {
    /// The secrets of each file that has any, by its path and version.
    pub(super) of_files: HashMap<(RepoPath, ContentHash), Arc<Copies>>,
    /// The versions of files that the index does not know, by their numbers.
    pub(super) versions: HashMap<usize, ContentHash>,
    /// All of them, with those of files that are not searched.
    pub(super) copies: Copies,
}

/// One file that was looked through.
pub(super) struct Learned {
    pub(super) number: usize,
    pub(super) hash: ContentHash,
    /// Its secrets, if it has any.
    pub(super) copies: Option<Arc<Copies>>,
}

impl SnapshotSecrets {
    /// Adds a file that was looked through, and its secrets if it has any.
    pub(super) fn add(&mut self, path: &RepoPath, learned: Learned) {
        let Learned {
            number,
            hash,
            copies,
        } = learned;
        self.versions.insert(number, hash);
        if let Some(copies) = copies {
            self.copies.extend(&copies);
            self.of_files.insert((path.clone(), hash), copies);
        }
    }
}
