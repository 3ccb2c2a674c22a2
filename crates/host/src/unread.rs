//! Files and directories that were to be read and could not be, and limits that a run met.
//! Every command reports them in the same words.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use loom_base::RepoPath;
use loom_source::{FoundFile, LeftOut, Reason, Scan};

use crate::read_counts::ReadCounts;

/// Files that could not be read, warnings about the rest, and how many were read.
#[derive(Debug, Default)]
pub(crate) struct Unread {
    noted: Mutex<Noted>,
    pub(crate) counts: Arc<ReadCounts>,
}

#[derive(Debug, Default)]
struct Noted {
    files: BTreeMap<RepoPath, LeftOut>,
    warnings: BTreeSet<String>,
}

impl Unread {
    /// An empty list that counts reads together with another one.
    pub(crate) fn counting_with(other: &Self) -> Self {
        Self {
            counts: Arc::clone(&other.counts),
            ..Self::default()
        }
    }

    /// Notes why a file is skipped, if it could not be read. A file that a rule skips or
    /// that is no text needs no warning.
    pub(crate) fn note(&self, file: &FoundFile, reason: &Reason) {
        self.add(LeftOut {
            path: file.path.clone(),
            is_dir: false,
            reason: reason.clone(),
        });
    }

    /// Notes the directories that could not be listed, and ignore files that do not hold.
    pub(crate) fn note_directories(&self, scan: &Scan) {
        self.warn(scan.warnings.iter().cloned());
        let directories = scan.left_out.iter().filter(|left| left.is_dir);
        directories.for_each(|left| self.add(left.clone()));
    }

    fn add(&self, left: LeftOut) {
        let is_unread = matches!(
            left.reason,
            Reason::Unreadable { .. } | Reason::Vanished | Reason::KeptChanging
        );
        if is_unread {
            self.lock().files.insert(left.path.clone(), left);
        }
    }

    /// Notes warnings, each once.
    pub(crate) fn warn(&self, warnings: impl IntoIterator<Item = String>) {
        self.lock().warnings.extend(warnings);
    }

    /// All warnings, in order.
    pub(crate) fn warnings(&self) -> Vec<String> {
        self.lock().warnings.iter().cloned().collect()
    }

    fn lock(&self) -> MutexGuard<'_, Noted> {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All of them, ordered by path.
    pub(crate) fn all(&self) -> Vec<LeftOut> {
        self.lock().files.values().cloned().collect()
    }
}
