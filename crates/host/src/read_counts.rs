//! Counters for the expensive steps of reading in a run.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Number of files that were read, scanned for secrets and parsed.
#[derive(Debug, Default)]
pub(crate) struct ReadCounts {
    reads: AtomicUsize,
    scans: AtomicUsize,
    parses: AtomicUsize,
}

impl ReadCounts {
    /// Counts a file whose bytes were read.
    pub(crate) fn count_read(&self) {
        self.reads.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a text that was scanned for secrets.
    pub(crate) fn count_scan(&self) {
        self.scans.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a text whose structure was extracted.
    pub(crate) fn count_parse(&self) {
        self.parses.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns the number of files read.
    #[cfg(test)]
    pub(crate) fn reads(&self) -> usize {
        self.reads.load(Ordering::Relaxed)
    }

    /// Returns the number of texts scanned for secrets.
    #[cfg(test)]
    pub(crate) fn scans(&self) -> usize {
        self.scans.load(Ordering::Relaxed)
    }

    /// Returns the number of extracted structures.
    #[cfg(test)]
    pub(crate) fn parses(&self) -> usize {
        self.parses.load(Ordering::Relaxed)
    }
}
