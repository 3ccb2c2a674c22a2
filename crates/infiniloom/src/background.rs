//! Builds an expensive value in the background, one thread at a time, for every snapshot of a
//! repository. A caller that stops waiting does not stop the build.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use loom_host::Cancel;

use crate::{Error, ErrorKind, Result};

/// Interval at which a waiting caller checks for cancellation.
const LOOKS: Duration = Duration::from_millis(20);

/// A value is dropped if no query used it for this long.
const KEPT: Duration = Duration::from_secs(15 * 60);

/// The latest value, and the build in progress.
#[derive(Debug)]
pub(crate) struct Background<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

#[derive(Debug)]
struct State<T> {
    built: Option<Built<T>>,
    building: Option<Building>,
    /// The last version whose build failed.
    failed: Option<(u64, Arc<Error>)>,
    waiting: usize,
    /// Whether a build continues after its last caller stopped waiting.
    is_warm: bool,
}

#[derive(Debug)]
struct Built<T> {
    version: u64,
    value: Arc<T>,
    used: Instant,
    /// Dropping this ends the thread that drops unused values.
    _keeper: Sender<()>,
}

#[derive(Debug)]
struct Building {
    version: u64,
    cancel: Cancel,
}

impl<T> State<T> {
    /// Returns the value of this version, or of a later one.
    fn current(&mut self, version: u64) -> Option<Arc<T>> {
        let built = self.built.as_mut();
        let built = built.filter(|built| built.version >= version)?;
        built.used = Instant::now();
        Some(Arc::clone(&built.value))
    }

    fn failed(&self, version: u64) -> Option<Error> {
        let failed = self.failed.as_ref();
        let failed = failed.filter(|(failed, _)| *failed >= version);
        failed.map(|(_, error)| Error::shared(error))
    }

    /// Cancels the build if no caller waits for it and it is not kept warm.
    fn stop_unwanted(&self) {
        if let Some(building) = self.building.as_ref()
            && self.waiting == 0
            && !self.is_warm
        {
            building.cancel.cancel();
        }
    }
}

impl<T: Send + Sync + 'static> Background<T> {
    pub(crate) fn new() -> Arc<Self> {
        let state = State {
            built: None,
            building: None,
            failed: None,
            waiting: 0,
            is_warm: false,
        };
        Arc::new(Self {
            state: Mutex::new(state),
            changed: Condvar::new(),
        })
    }

    /// Decides whether a build continues after its last caller stopped waiting.
    pub(crate) fn set_warm(&self, is_warm: bool) {
        let mut state = self.lock();
        state.is_warm = is_warm;
        state.stop_unwanted();
    }

    pub(crate) fn is_warm(&self) -> bool {
        self.lock().is_warm
    }

    /// Returns whether the value of this version, or of a later one, is built.
    pub(crate) fn has(&self, version: u64) -> bool {
        let state = self.lock();
        let built = state.built.as_ref();
        built.is_some_and(|built| built.version >= version)
    }

    /// Returns the value of this version, or of a later one, if it is built. The call does not
    /// count as a use, so the value may still be dropped as unused.
    pub(crate) fn peek(&self, version: u64) -> Option<Arc<T>> {
        let state = self.lock();
        let built = state.built.as_ref();
        let built = built.filter(|built| built.version >= version)?;
        Some(Arc::clone(&built.value))
    }

    /// Returns the value of `version`, or of a later one, and builds it if it is missing. Versions
    /// grow. A build for an earlier version ends before this one begins. If the value is kept warm
    /// and its build failed, returns the error at once and retries in the background.
    pub(crate) fn get(
        self: &Arc<Self>,
        version: u64,
        cancel: &Cancel,
        build: impl FnOnce(&Cancel) -> Result<T> + Send + 'static,
    ) -> Result<Arc<T>> {
        let mut build = Some(build);
        let mut state = self.lock();
        state.waiting += 1;
        let got = loop {
            if let Some(value) = state.current(version) {
                break Ok(value);
            }
            let failed = state.failed(version);
            if state.building.is_none() {
                let Some(build) = build.take() else {
                    // This call began the build, and the build failed.
                    break Err(failed.unwrap_or_else(|| Error::panicked(&"a layer")));
                };
                let is_told = state.is_warm && failed.is_some();
                self.start(&mut state, version, build);
                if !is_told {
                    continue;
                }
            }
            if let Some(error) = failed {
                break Err(error);
            }
            if cancel.is_cancelled() {
                break Err(Error::cancelled());
            }
            let waited = self.changed.wait_timeout(state, LOOKS);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        };
        state.waiting -= 1;
        state.stop_unwanted();
        got
    }

    fn start(
        self: &Arc<Self>,
        state: &mut State<T>,
        version: u64,
        build: impl FnOnce(&Cancel) -> Result<T> + Send + 'static,
    ) {
        let cancel = Cancel::new();
        if !state.is_warm {
            state.failed = None;
        }
        state.building = Some(Building {
            version,
            cancel: cancel.clone(),
        });
        let (keeper, gone) = channel();
        let work = Work {
            background: Arc::clone(self),
        };
        let weak = Arc::downgrade(self);
        std::thread::spawn(move || {
            let built = catch_unwind(AssertUnwindSafe(|| build(&cancel)));
            work.end(
                built.unwrap_or_else(|panic| Err(Error::panicked(&*panic))),
                keeper,
            );
            drop_unused(&weak, &gone);
        });
    }

    /// Drops the value if no query used it until `now`. Otherwise returns the remaining time.
    fn drop_unused(&self, now: Instant) -> Option<Duration> {
        let mut state = self.lock();
        let used = state.built.as_ref()?.used;
        let left = KEPT.saturating_sub(now.saturating_duration_since(used));
        if left.is_zero() {
            state.built = None;
            return None;
        }
        Some(left)
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits until the value is unused, or another one takes its place.
fn drop_unused<T: Send + Sync + 'static>(background: &Weak<Background<T>>, gone: &Receiver<()>) {
    let mut left = KEPT;
    while gone.recv_timeout(left) == Err(RecvTimeoutError::Timeout) {
        let background = background.upgrade();
        match background.and_then(|background| background.drop_unused(Instant::now())) {
            Some(more) => left = more,
            None => return,
        }
    }
}

/// A build in progress. Dropping it lets the next build begin.
struct Work<T> {
    background: Arc<Background<T>>,
}

impl<T: Send + Sync + 'static> Work<T> {
    fn end(self, built: Result<T>, keeper: Sender<()>) {
        let mut state = self.background.lock();
        let Some(version) = state.building.as_ref().map(|building| building.version) else {
            return;
        };
        match built {
            Ok(value) => {
                state.failed = None;
                state.built = Some(Built {
                    version,
                    value: Arc::new(value),
                    used: Instant::now(),
                    _keeper: keeper,
                });
            }
            Err(error) if error.kind() == ErrorKind::Cancelled => {}
            Err(error) => state.failed = Some((version, Arc::new(error))),
        }
    }
}

impl<T> Drop for Work<T> {
    fn drop(&mut self) {
        let state = self.background.state.lock();
        state.unwrap_or_else(PoisonError::into_inner).building = None;
        self.background.changed.notify_all();
    }
}

#[cfg(test)]
mod tests;
