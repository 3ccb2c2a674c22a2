//! The progress of runs, which the caller pulls: worker threads only count.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// A part of a run that takes time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Stage {
    /// Lists files.
    Scan,
    /// Scans for secrets, before any text is shown.
    Secrets,
    /// Reads and counts.
    Count,
    /// Reads and parses.
    Parse,
    /// Builds the cache and the search index.
    Index,
    /// Compresses files until they fit.
    Compress,
    /// Writes.
    Write,
}

impl Stage {
    /// Returns the name for people, such as `counting`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scan => "scanning",
            Self::Secrets => "looking for secrets",
            Self::Count => "counting",
            Self::Parse => "reading",
            Self::Index => "indexing",
            Self::Compress => "compressing",
            Self::Write => "writing",
        }
    }

    fn from_host(stage: loom_host::Stage) -> Self {
        match stage {
            loom_host::Stage::Scan => Self::Scan,
            loom_host::Stage::Secrets => Self::Secrets,
            loom_host::Stage::Count => Self::Count,
            loom_host::Stage::Parse => Self::Parse,
            loom_host::Stage::Index => Self::Index,
            loom_host::Stage::Compress => Self::Compress,
            _ => Self::Write,
        }
    }
}

/// The progress of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProgressEvent {
    /// The part of the run.
    pub stage: Stage,
    /// The files of this part that are done.
    pub done: usize,
    /// All files of this part, if their number is known.
    pub total: Option<usize>,
}

impl fmt::Display for ProgressEvent {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.stage.name();
        match self.total {
            Some(total) => write!(formatter, "{name} {}/{total} files", self.done),
            None => formatter.write_str(name),
        }
    }
}

/// The progress of the runs that have it in their [`Control`](crate::Control).
#[derive(Clone, Debug, Default)]
pub struct Progress {
    shared: Arc<Shared>,
}

impl Progress {
    /// Creates the progress of runs that have not begun.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the latest progress; `None` before a run begins.
    pub fn latest(&self) -> Option<ProgressEvent> {
        self.shared.event(&self.shared.lock())
    }

    /// Returns events until the last [`Control`](crate::Control) with this progress is dropped. The
    /// iterator waits for the next event. Events between two calls are merged.
    pub fn events(&self) -> ProgressEvents {
        ProgressEvents {
            shared: Arc::clone(&self.shared),
            last: None,
        }
    }

    pub(crate) fn sender(&self) -> ProgressSender {
        self.shared.lock().senders += 1;
        ProgressSender {
            shared: Arc::clone(&self.shared),
        }
    }
}

/// Events of runs: see [`Progress::events`].
#[derive(Debug)]
pub struct ProgressEvents {
    shared: Arc<Shared>,
    last: Option<ProgressEvent>,
}

impl Iterator for ProgressEvents {
    type Item = ProgressEvent;

    fn next(&mut self) -> Option<ProgressEvent> {
        let mut state = self.shared.lock();
        loop {
            let now = self.shared.event(&state);
            if now.is_some() && now != self.last {
                self.last = now;
                return now;
            }
            if state.senders == 0 {
                return None;
            }
            self.shared.waiting.fetch_add(1, Ordering::SeqCst);
            // No event is lost between the check above and this wait: a thread that counts sees the
            // waiting thread, and takes the lock to wake it.
            if self.shared.event(&state) == now {
                let changed = self.shared.changed.wait(state);
                state = changed.unwrap_or_else(PoisonError::into_inner);
            }
            self.shared.waiting.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    done: AtomicUsize,
    /// Threads that wait for an event.
    waiting: AtomicUsize,
}

#[derive(Debug, Default)]
struct State {
    stage: Option<(Stage, Option<usize>)>,
    /// Controls that may still report something.
    senders: usize,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn event(&self, state: &State) -> Option<ProgressEvent> {
        let (stage, total) = state.stage?;
        Some(ProgressEvent {
            stage,
            done: self.done.load(Ordering::SeqCst),
            total,
        })
    }
}

/// The reporter of progress. The events end when the last one is dropped.
#[derive(Debug)]
pub(crate) struct ProgressSender {
    shared: Arc<Shared>,
}

impl loom_host::Progress for ProgressSender {
    fn begin(&self, stage: loom_host::Stage, files: Option<usize>) {
        let mut state = self.shared.lock();
        state.stage = Some((Stage::from_host(stage), files));
        self.shared.done.store(0, Ordering::SeqCst);
        self.shared.changed.notify_all();
    }

    fn advance(&self, files: usize) {
        self.shared.done.fetch_add(files, Ordering::SeqCst);
        if self.shared.waiting.load(Ordering::SeqCst) > 0 {
            drop(self.shared.lock());
            self.shared.changed.notify_all();
        }
    }
}

impl Drop for ProgressSender {
    fn drop(&mut self) {
        self.shared.lock().senders -= 1;
        self.shared.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use loom_host::Progress as _;

    use super::*;

    #[test]
    fn events_merge_and_end_with_the_last_sender() {
        let progress = Progress::new();
        assert_eq!(progress.latest(), None);
        assert_eq!(progress.events().next(), None);
        let sender = progress.sender();
        sender.begin(loom_host::Stage::Count, Some(3));
        sender.advance(1);
        sender.advance(1);
        let mut events = progress.events();
        assert_eq!(events.next().unwrap().to_string(), "counting 2/3 files");
        sender.advance(1);
        drop(sender);
        assert_eq!(events.next().unwrap().done, 3);
        assert_eq!(events.next(), None);
    }

    #[test]
    fn waiting_thread_sees_every_stage_change() {
        let progress = Progress::new();
        let sender = progress.sender();
        let events = progress.events();
        let reader = std::thread::spawn(move || events.map(|event| event.done).max());
        sender.begin(loom_host::Stage::Scan, None);
        sender.begin(loom_host::Stage::Write, Some(500));
        for _ in 0..500 {
            sender.advance(1);
        }
        drop(sender);
        assert_eq!(reader.join().unwrap(), Some(500));
    }
}
