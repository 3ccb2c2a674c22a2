//! The progress of the work ahead of queries: one counter over all stages, which never falls.

use std::sync::atomic::{AtomicUsize, Ordering};

use loom_host::{Progress, Stage};

/// Counter of the steps of the work ahead. A cold start reads each file for its secrets, and then
/// for the index.
#[derive(Debug, Default)]
pub(crate) struct WorkCounter {
    done: AtomicUsize,
    total: AtomicUsize,
}

impl WorkCounter {
    /// Restarts the counter at zero.
    pub(crate) fn restart(&self) {
        self.total.store(0, Ordering::Relaxed);
        self.done.store(0, Ordering::Relaxed);
    }

    /// Returns the number of finished steps.
    pub(crate) fn done(&self) -> usize {
        self.done.load(Ordering::Relaxed)
    }

    /// Returns the known number of steps; 0 while files are listed.
    pub(crate) fn total(&self) -> usize {
        let total = self.total.load(Ordering::Relaxed);
        if total == 0 {
            return 0;
        }
        total.max(self.done())
    }
}

impl Progress for WorkCounter {
    fn begin(&self, stage: Stage, files: Option<usize>) {
        let Some(files) = files else {
            return;
        };
        // The index follows.
        let steps = if stage == Stage::Secrets {
            2 * files
        } else {
            files
        };
        self.total.store(self.done() + steps, Ordering::Relaxed);
    }

    fn advance(&self, files: usize) {
        self.done.fetch_add(files, Ordering::Relaxed);
    }
}

/// Progress that reports to a caller and to the counter of the work ahead.
pub(crate) struct WithCounter<'a> {
    pub(crate) caller: &'a dyn Progress,
    pub(crate) counter: &'a WorkCounter,
}

impl Progress for WithCounter<'_> {
    fn begin(&self, stage: Stage, files: Option<usize>) {
        self.caller.begin(stage, files);
        self.counter.begin(stage, files);
    }

    fn advance(&self, files: usize) {
        self.caller.advance(files);
        self.counter.advance(files);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counter_grows_over_both_stages_up_to_its_total() {
        let counter = WorkCounter::default();
        counter.begin(Stage::Scan, None);
        assert_eq!((counter.done(), counter.total()), (0, 0));
        let mut steps = Vec::new();
        for stage in [Stage::Secrets, Stage::Index] {
            counter.begin(stage, Some(3));
            for _ in 0..3 {
                counter.advance(1);
                steps.push((counter.done(), counter.total()));
            }
        }
        assert_eq!(steps, [(1, 6), (2, 6), (3, 6), (4, 6), (5, 6), (6, 6)]);
        // Steps beyond the announced number raise the total, too.
        counter.advance(1);
        assert_eq!((counter.done(), counter.total()), (7, 7));
        counter.restart();
        assert_eq!((counter.done(), counter.total()), (0, 0));
    }
}
