//! The index that is made in the background, and how far it is.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use loom_host::{Cancel, Progress, Stage};

use crate::{Error, Result};

/// How often a caller that waits looks whether it was cancelled.
const LOOKS: Duration = Duration::from_millis(20);

/// How far the index of a repository is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum IndexState {
    /// Nothing was indexed yet.
    Missing,
    /// It is being made in the background.
    #[non_exhaustive]
    Building {
        /// Files that are done.
        done: usize,
        /// All files; 0 while they are listed.
        files: usize,
    },
    /// Every file is indexed, or there is no cache that could have an index.
    Ready,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    #[default]
    Missing,
    Building,
    Ready,
}

/// The making of an index.
#[derive(Debug, Default)]
pub(super) struct Indexing {
    files: AtomicUsize,
    done: AtomicUsize,
    phase: Mutex<Phase>,
    changed: Condvar,
    /// Whether the index has files that the latest snapshot does not know to be there.
    has_news: AtomicBool,
}

impl Progress for Indexing {
    fn begin(&self, _stage: Stage, files: Option<usize>) {
        self.files.store(files.unwrap_or(0), Ordering::Relaxed);
        self.done.store(0, Ordering::Relaxed);
    }

    fn advance(&self, files: usize) {
        self.done.fetch_add(files, Ordering::Relaxed);
    }
}

impl Indexing {
    pub(super) fn state(&self) -> IndexState {
        match *self.phase() {
            Phase::Missing => IndexState::Missing,
            Phase::Building => IndexState::Building {
                done: self.done.load(Ordering::Relaxed),
                files: self.files.load(Ordering::Relaxed),
            },
            Phase::Ready => IndexState::Ready,
        }
    }

    pub(super) fn begin_building(&self) {
        *self.phase() = Phase::Building;
    }

    /// Ends the making. `is_new` if the latest snapshot does not know the index yet.
    pub(super) fn end(&self, is_new: bool) {
        let mut phase = self.phase();
        self.has_news.fetch_or(is_new, Ordering::Relaxed);
        *phase = Phase::Ready;
        self.changed.notify_all();
    }

    /// Returns whether the index has news, so that a quiet watch does not say enough.
    pub(super) fn take_news(&self) -> bool {
        self.has_news.swap(false, Ordering::Relaxed)
    }

    /// Waits until the index is there.
    pub(super) fn wait(&self, cancel: &Cancel) -> Result<()> {
        let mut phase = self.phase();
        while *phase != Phase::Ready {
            if cancel.is_cancelled() {
                return Err(Error::cancelled());
            }
            let waited = self.changed.wait_timeout(phase, LOOKS);
            phase = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        Ok(())
    }

    fn phase(&self) -> MutexGuard<'_, Phase> {
        self.phase.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
