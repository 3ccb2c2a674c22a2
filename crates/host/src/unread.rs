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

#[cfg(test)]
mod tests {
    use loom_testkit::Sandbox;

    use super::*;
    use crate::{PackOptions, Packer};

    fn found(names: &[&str]) -> Vec<FoundFile> {
        let sandbox = Sandbox::new();
        for name in names {
            sandbox.write(name, "x".repeat(name.len() * 10));
        }
        let packer = Packer::open(&[sandbox.work()], PackOptions::default()).unwrap();
        let options = loom_source::ScanOptions {
            stamps: true,
            ..loom_source::ScanOptions::default()
        };
        packer.source.scan(&options).files
    }

    fn kinds(unread: &Unread) -> Vec<String> {
        let one = |left: &LeftOut| format!("{} {}", left.path, left.reason.kind());
        unread.all().iter().map(one).collect()
    }

    #[test]
    fn only_unreadable_changing_and_oversized_files_are_recorded() {
        let files = found(&["a"]);
        for (reason, is_recorded) in [
            (
                Reason::Unreadable {
                    message: "closed".to_owned(),
                },
                true,
            ),
            (Reason::Vanished, true),
            (Reason::KeptChanging, true),
            (Reason::TooLarge { size: 2, limit: 1 }, true),
            (Reason::Binary, false),
            (Reason::Minified, false),
            (Reason::LfsPointer, false),
            (Reason::EarlierPack, false),
            (Reason::OverBudget, false),
        ] {
            let unread = Unread::default();
            unread.note(&files[0], &reason);
            assert_eq!(unread.has(&files[0].path), is_recorded, "{reason}");
        }
    }

    #[test]
    fn files_are_listed_once_and_in_order() {
        let files = found(&["c", "a", "b"]);
        let unread = Unread::default();
        for file in files.iter().rev().chain(&files) {
            unread.note(file, &Reason::Vanished);
        }
        assert_eq!(kinds(&unread), ["a vanished", "b vanished", "c vanished"]);
    }

    #[test]
    fn stamps_tell_which_files_are_too_large() {
        let files = found(&["a", "long"]);
        let unread = Unread::default();
        unread.note_large(&files, 39);
        assert_eq!(kinds(&unread), ["long too-large"]);
        unread.note_large(&files, 40);
        assert_eq!(unread.all().len(), 1, "a file at the limit is read");
    }

    #[test]
    fn warnings_are_listed_once_and_in_order() {
        let unread = Unread::default();
        unread.warn(["b".to_owned(), "a".to_owned()]);
        unread.warn(["b".to_owned()]);
        assert_eq!(unread.warnings(), ["a", "b"]);
    }

    #[test]
    fn counters_are_shared_and_lists_are_not() {
        let first = Unread::default();
        let second = Unread::counting_with(&first);
        second.counts.count_read();
        first.counts.count_scan();
        second.warn(["a".to_owned()]);
        assert_eq!((first.counts.reads(), second.counts.scans()), (1, 1));
        assert!(first.warnings().is_empty());
    }
}
