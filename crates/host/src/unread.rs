//! Files and directories that were to be read and could not be or are too large, and limits
//! that a run met.
//! Every command reports them in the same words.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use loom_base::RepoPath;
use loom_source::{FoundFile, LeftOut, Reason, Scan};

use crate::read_counts::ReadCounts;

/// Files that were not read, warnings about the rest, and how many were read.
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

    /// Notes why a file is skipped, if it could not be read or is too large. A file
    /// that a rule skips or
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

    /// Notes the files that are too large by their stamps: a run that knows so much about
    /// them does not open them.
    pub(crate) fn note_large(&self, files: &[FoundFile], limit: u64) {
        for file in files {
            if let Some(size) = file
                .stamp()
                .map(|stamp| stamp.size)
                .filter(|size| *size > limit)
            {
                self.note(file, &Reason::TooLarge { size, limit });
            }
        }
    }

    fn add(&self, left: LeftOut) {
        let is_unread = matches!(
            left.reason,
            Reason::Unreadable { .. }
                | Reason::Vanished
                | Reason::KeptChanging
                | Reason::TooLarge { .. }
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

    /// Whether a file was not read.
    pub(crate) fn has(&self, path: &RepoPath) -> bool {
        self.lock().files.contains_key(path)
    }

    fn lock(&self) -> MutexGuard<'_, Noted> {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All of them, ordered by path.
    pub(crate) fn all(&self) -> Vec<LeftOut> {
        self.lock().files.values().cloned().collect()
    }
}
