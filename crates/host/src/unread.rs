//! Files that were to be read and could not be. Whoever reads files for an answer notes
//! them here, so that every command tells them in the same words.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use loom_base::RepoPath;
use loom_source::{FoundFile, LeftOut, Reason};

use crate::Packer;

/// What could not be read, by path.
#[derive(Debug, Default)]
pub(crate) struct Unread(Mutex<BTreeMap<RepoPath, Reason>>);

impl Packer {
    /// Notes why a file is passed over, where that is because it could not be read: who
    /// leaves a file out by a rule or because it is no text needs no warning.
    pub(crate) fn note_unread(&self, file: &FoundFile, reason: &Reason) {
        let is_unread = matches!(
            reason,
            Reason::Unreadable { .. } | Reason::Vanished | Reason::KeptChanging
        );
        if is_unread {
            let mut unread = self.unread.0.lock().unwrap_or_else(PoisonError::into_inner);
            unread.insert(file.path.clone(), reason.clone());
        }
    }

    /// The files that could not be read so far and are not part of what was answered,
    /// ordered by path.
    pub fn unread(&self) -> Vec<LeftOut> {
        let unread = self.unread.0.lock().unwrap_or_else(PoisonError::into_inner);
        let left_out = unread.iter().map(|(path, reason)| LeftOut {
            path: path.clone(),
            is_dir: false,
            reason: reason.clone(),
        });
        left_out.collect()
    }
}
