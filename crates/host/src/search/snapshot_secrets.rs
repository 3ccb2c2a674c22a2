//! The secrets of one snapshot, for each file and in total.

use std::collections::HashMap;
use std::sync::Arc;

use loom_base::{ContentHash, RepoPath};
use loom_secrets::Copies;

/// The secrets of one snapshot.
#[derive(Debug, Default)]
pub(super) struct SnapshotSecrets {
    /// Secrets of each file that has some, by path and version.
    pub(super) of_files: HashMap<(RepoPath, ContentHash), Arc<Copies>>,
    /// Scanned versions of the files, by file number.
    pub(super) versions: HashMap<usize, ContentHash>,
    /// All secrets, including those of files that are not searched.
    pub(super) copies: Copies,
}

/// A scanned file.
pub(super) struct Learned {
    pub(super) number: usize,
    pub(super) hash: ContentHash,
    /// Its secrets, if it has some.
    pub(super) copies: Option<Arc<Copies>>,
}

impl SnapshotSecrets {
    /// Adds a scanned file with its secrets.
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
