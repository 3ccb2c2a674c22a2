//! The index that is made in the background, and how far it is.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use loom_host::Cancel;

use crate::work_counter::WorkCounter;
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
        /// Steps that are done. A file is one step when it is read for its secrets, and another
        /// one when it is indexed.
        done: usize,
        /// All steps, as far as they are known; 0 while files are listed.
        steps: usize,
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
    counter: Arc<WorkCounter>,
    phase: Mutex<Phase>,
    changed: Condvar,
    /// Whether the index has files that the latest snapshot does not know to be there.
    has_news: AtomicBool,
}

impl Indexing {
    /// Reports the steps of a counter.
    pub(super) fn new(counter: Arc<WorkCounter>) -> Self {
        Self {
            counter,
            ..Self::default()
        }
    }

    pub(super) fn counter(&self) -> &WorkCounter {
        &self.counter
    }

    pub(super) fn state(&self) -> IndexState {
        match *self.phase() {
            Phase::Missing => IndexState::Missing,
            Phase::Building => IndexState::Building {
                done: self.counter.done(),
                steps: self.counter.total(),
            },
            Phase::Ready => IndexState::Ready,
        }
    }

    pub(super) fn begin_building(&self) {
        self.counter.restart();
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
