//! Control of a run by its caller: cancellation, a deadline, and progress.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use loom_host::NoProgress;
use loom_wire::SendingInfo;

use crate::Error;
use crate::error::{ErrorKind, Result};
use crate::progress::{Progress, ProgressSender};

/// A request to cancel runs. Clones share the request.
#[derive(Clone, Debug, Default)]
pub struct Cancel {
    token: loom_host::Cancel,
}

impl Cancel {
    /// Creates a request that is not made yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Cancels every run that has this request.
    pub fn cancel(&self) {
        self.token.cancel();
    }

    /// Returns whether the request was made.
    pub fn is_cancelled(&self) -> bool {
        self.token.is_cancelled()
    }

    /// Returns a guard that cancels when it is dropped: a dropped future then ends its query.
    pub fn cancel_on_drop(&self) -> CancelGuard {
        CancelGuard {
            cancel: self.clone(),
        }
    }
}

/// A guard that cancels when it is dropped.
#[derive(Debug)]
#[must_use]
pub struct CancelGuard {
    cancel: Cancel,
}

impl Drop for CancelGuard {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

/// The control of one run by its caller. The default never cancels and reports nothing.
#[derive(Clone, Debug, Default)]
pub struct Control {
    cancel: Cancel,
    deadline: Option<Instant>,
    progress: Option<Arc<ProgressSender>>,
    sending: Option<Observer<SendingInfo>>,
    fetching: Option<Observer<FetchEvent>>,
    is_interactive: bool,
    ends_process: bool,
}

/// An event while a remote is fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FetchEvent {
    /// A message of git.
    #[non_exhaustive]
    Message {
        /// The remote, without credentials.
        url: String,
        /// The text of the message.
        text: String,
    },
    /// The directory of the copy. A killed program does not remove it.
    #[non_exhaustive]
    Directory {
        /// Its path.
        path: PathBuf,
    },
}

/// A callback of the caller.
struct Observer<T>(Arc<dyn Fn(&T) + Send + Sync>);

impl<T> Clone for Observer<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> fmt::Debug for Observer<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Observer")
    }
}

impl Control {
    /// Creates a control that never cancels and reports nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Cancels the run when `cancel` is requested.
    #[must_use]
    pub fn with_cancel(mut self, cancel: &Cancel) -> Self {
        self.cancel = cancel.clone();
        self
    }

    /// Cancels the run after `time`, counted from now.
    #[must_use]
    pub fn with_timeout(mut self, time: Duration) -> Self {
        let end = Instant::now().checked_add(time);
        self.deadline = [self.deadline, end].into_iter().flatten().min();
        self
    }

    /// Reports the progress of the run to `progress`.
    #[must_use]
    pub fn with_progress(mut self, progress: &Progress) -> Self {
        self.progress = Some(Arc::new(progress.sender()));
        self
    }

    /// Calls `observe` before the run sends text to a provider, on the thread that runs the
    /// query. If it cancels the run, nothing is sent.
    #[must_use]
    pub fn before_sending(
        mut self,
        observe: impl Fn(&SendingInfo) + Send + Sync + 'static,
    ) -> Self {
        self.sending = Some(Observer(Arc::new(observe)));
        self
    }

    /// Calls `observe` with the reports of git while a remote is fetched.
    #[must_use]
    pub fn while_fetching(mut self, observe: impl Fn(&FetchEvent) + Send + Sync + 'static) -> Self {
        self.fetching = Some(Observer(Arc::new(observe)));
        self
    }

    /// Lets git ask for a password on the terminal of the program while it fetches a remote.
    #[must_use]
    pub fn interactive(mut self, is_interactive: bool) -> Self {
        self.is_interactive = is_interactive;
        self
    }

    /// Declares that the process ends after the run. The run then skips freeing its memory, which
    /// takes time.
    #[must_use]
    pub fn before_exit(mut self) -> Self {
        self.ends_process = true;
        self
    }

    pub(crate) fn is_interactive(&self) -> bool {
        self.is_interactive
    }

    pub(crate) fn ends_process(&self) -> bool {
        self.ends_process
    }

    pub(crate) fn report_fetch(&self, event: &FetchEvent) {
        if let Some(Observer(observe)) = &self.fetching {
            observe(event);
        }
    }

    /// Reports text that is about to be sent.
    ///
    /// # Errors
    /// If the caller cancels the run.
    pub(crate) fn announce(&self, sending: &SendingInfo) -> Result<()> {
        if let Some(Observer(observe)) = &self.sending {
            observe(sending);
        }
        self.check()
    }

    pub(crate) fn token(&self) -> loom_host::Cancel {
        match self.deadline {
            Some(deadline) => {
                let left = deadline.saturating_duration_since(Instant::now());
                self.cancel.token.within(left)
            }
            None => self.cancel.token.clone(),
        }
    }

    pub(crate) fn progress(&self) -> Arc<dyn loom_host::Progress + Send> {
        match &self.progress {
            Some(sender) => Arc::<ProgressSender>::clone(sender),
            None => Arc::new(NoProgress),
        }
    }

    /// Returns an error if the run is cancelled.
    pub(crate) fn check(&self) -> Result<()> {
        match self.token().is_cancelled() {
            true => Err(self.explained(Error::cancelled())),
            false => Ok(()),
        }
    }

    /// Runs `work`. A panic becomes an error, so that the next call works.
    pub(crate) fn run<T>(&self, work: impl FnOnce() -> Result<T>) -> Result<T> {
        self.check()?;
        // Runs recover from poisoned locks, so their shared state stays usable after a panic.
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
        let result = caught.unwrap_or_else(|panic| Err(Error::panicked(&*panic)));
        result.map_err(|error| self.explained(error))
    }

    /// Explains whether a cancelled run exceeded its deadline or was cancelled by its caller.
    fn explained(&self, error: Error) -> Error {
        let is_late = self.deadline.is_some_and(|end| Instant::now() >= end);
        match error.kind() == ErrorKind::Cancelled && is_late && !self.cancel.is_cancelled() {
            true => error.of_deadline(),
            false => error,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dropped_guard_cancels() {
        let cancel = Cancel::new();
        let control = Control::new().with_cancel(&cancel);
        let guard = cancel.cancel_on_drop();
        assert!(control.check().is_ok());
        drop(guard);
        let error = control.check().unwrap_err();
        assert_eq!(
            (error.kind(), error.code()),
            (ErrorKind::Cancelled, "cancelled")
        );
    }

    #[test]
    fn deadline_has_its_own_code() {
        let control = Control::new().with_timeout(Duration::ZERO);
        let error = control.run(|| Ok(())).unwrap_err();
        assert_eq!(
            (error.kind(), error.code()),
            (ErrorKind::Cancelled, "deadline")
        );
        let longer = Control::new().with_timeout(Duration::from_secs(3600));
        assert!(longer.run(|| Ok(())).is_ok());
    }

    #[test]
    fn panic_becomes_an_error_that_quotes_it() {
        let error = Control::new()
            .run(|| -> Result<()> { panic!("a defect in the test") })
            .unwrap_err();
        assert_eq!((error.kind(), error.code()), (ErrorKind::Internal, "panic"));
        assert!(error.to_string().contains("a defect in the test"));
    }
}
