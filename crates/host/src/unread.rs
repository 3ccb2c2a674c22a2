//! Paths that a run could not read or that are too large, and limits that it exceeded. Every
//! command reports them in the same words.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use loom_base::RepoPath;
use loom_source::{FoundFile, LeftOut, Reason, Scan};

use crate::read_counts::ReadCounts;

/// Unread paths, warnings, and counters of the files read.
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
    /// Returns an empty list that shares its counters with another one.
    pub(crate) fn counting_with(other: &Self) -> Self {
        Self {
            counts: Arc::clone(&other.counts),
            ..Self::default()
        }
    }

    /// Records why a file is skipped, if it is unreadable or too large. Files that a rule skips and
    /// files that are not text need no warning.
    pub(crate) fn note(&self, file: &FoundFile, reason: &Reason) {
        self.add(LeftOut {
            path: file.path.clone(),
            is_dir: false,
            reason: reason.clone(),
        });
    }

    /// Records unreadable directories and unusable ignore files.
    pub(crate) fn note_directories(&self, scan: &Scan) {
        self.warn(scan.warnings.iter().cloned());
        let directories = scan.left_out.iter().filter(|left| left.is_dir);
        directories.for_each(|left| self.add(left.clone()));
    }

    /// Records files whose stamps exceed the size limit: the run does not open a file whose size is
    /// in the cache.
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

    /// Records warnings, each once.
    pub(crate) fn warn(&self, warnings: impl IntoIterator<Item = String>) {
        self.lock().warnings.extend(warnings);
    }

    /// Returns all warnings in order.
    pub(crate) fn warnings(&self) -> Vec<String> {
        self.lock().warnings.iter().cloned().collect()
    }

    /// Returns true if a file was not read.
    pub(crate) fn has(&self, path: &RepoPath) -> bool {
        self.lock().files.contains_key(path)
    }

    fn lock(&self) -> MutexGuard<'_, Noted> {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns all unread paths, ordered by path.
    pub(crate) fn all(&self) -> Vec<LeftOut> {
        self.lock().files.values().cloned().collect()
    }
}
