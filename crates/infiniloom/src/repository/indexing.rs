//! The index that is built in the background, and its progress.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use loom_host::Cancel;

use crate::work_counter::WorkCounter;
use crate::{Error, Result};

/// Interval at which a waiting caller checks for cancellation.
const LOOKS: Duration = Duration::from_millis(20);

/// The progress of the index of a repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum IndexState {
    /// Nothing was indexed yet.
    Missing,
    /// The index is being built in the background.
    #[non_exhaustive]
    Building {
        /// Finished steps. A file counts one step when it is scanned for secrets, and another when
        /// it is indexed.
        done: usize,
        /// The known number of steps; 0 while files are listed.
        steps: usize,
    },
    /// Every file is indexed, or no cache exists for an index.
    Ready,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    #[default]
    Missing,
    Building,
    Ready,
}

/// The build of an index.
#[derive(Debug, Default)]
pub(super) struct Indexing {
    counter: Arc<WorkCounter>,
    phase: Mutex<Phase>,
    changed: Condvar,
    /// Whether the latest snapshot does not use the new index yet.
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

    /// Ends the build. Set `is_new` if the latest snapshot does not use the index yet.
    pub(super) fn end(&self, is_new: bool) {
        let mut phase = self.phase();
        self.has_news.fetch_or(is_new, Ordering::Relaxed);
        *phase = Phase::Ready;
        self.changed.notify_all();
    }

    /// Returns whether the index changed, so that a quiet watch does not prove the snapshot
    /// current.
    pub(super) fn take_news(&self) -> bool {
        self.has_news.swap(false, Ordering::Relaxed)
    }

    /// Waits until the index is built.
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
