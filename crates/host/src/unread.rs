//! Files and directories that were to be read and could not be. Every command reports
//! them in the same words.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use loom_base::RepoPath;
use loom_source::{FoundFile, LeftOut, Reason, Scan};

/// What could not be read, by path.
#[derive(Debug, Default)]
pub(crate) struct Unread(Mutex<BTreeMap<RepoPath, LeftOut>>);

impl Unread {
    /// Notes why a file is skipped, if it could not be read. A file that a rule skips or
    /// that is no text needs no warning.
    pub(crate) fn note(&self, file: &FoundFile, reason: &Reason) {
        self.add(LeftOut {
            path: file.path.clone(),
            is_dir: false,
            reason: reason.clone(),
        });
    }

    /// Notes the directories that could not be listed.
    pub(crate) fn note_directories(&self, scan: &Scan) {
        let directories = scan.left_out.iter().filter(|left| left.is_dir);
        directories.for_each(|left| self.add(left.clone()));
    }

    fn add(&self, left: LeftOut) {
        let is_unread = matches!(
            left.reason,
            Reason::Unreadable { .. } | Reason::Vanished | Reason::KeptChanging
        );
        if is_unread {
            let mut unread = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            unread.insert(left.path.clone(), left);
        }
    }

    /// All of them, ordered by path.
    pub(crate) fn all(&self) -> Vec<LeftOut> {
        let unread = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        unread.values().cloned().collect()
    }
}
