//! Files and folders that were to be read and could not be. Whoever reads files for an answer notes
//! them here, so that every command tells them in the same words.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use loom_base::RepoPath;
use loom_source::{FoundFile, LeftOut, Reason, Scan};

use crate::Packer;

/// What could not be read, by path.
#[derive(Debug, Default)]
pub(crate) struct Unread(Mutex<BTreeMap<RepoPath, LeftOut>>);

impl Packer {
    /// Notes why a file is passed over, where that is because it could not be read: who
    /// leaves a file out by a rule or because it is no text needs no warning.
    pub(crate) fn note_unread(&self, file: &FoundFile, reason: &Reason) {
        self.note(LeftOut {
            path: file.path.clone(),
            is_dir: false,
            reason: reason.clone(),
        });
    }

    /// Notes the folders that could not be listed.
    pub(crate) fn note_unread_folders(&self, scan: &Scan) {
        let folders = scan.left_out.iter().filter(|left| left.is_dir);
        for left in folders {
            self.note(left.clone());
        }
    }

    fn note(&self, left: LeftOut) {
        let is_unread = matches!(
            left.reason,
            Reason::Unreadable { .. } | Reason::Vanished | Reason::KeptChanging
        );
        if is_unread {
            let mut unread = self.unread.0.lock().unwrap_or_else(PoisonError::into_inner);
            unread.insert(left.path.clone(), left);
        }
    }

    /// What could not be read so far and is not part of what was answered, ordered by path.
    pub fn unread(&self) -> Vec<LeftOut> {
        let unread = self.unread.0.lock().unwrap_or_else(PoisonError::into_inner);
        unread.values().cloned().collect()
    }
}
