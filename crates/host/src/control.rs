//! The context that a run passes to each of its passes: progress, cancellation, and the list of
//! unreadable files.

use std::ops::ControlFlow;

use crate::unread::Unread;
use crate::{Cancel, NoProgress, PackError, Progress};

/// Progress, cancellation and unreadable files of a pass.
#[derive(Clone, Copy)]
pub(crate) struct Control<'a> {
    pub(crate) progress: &'a dyn Progress,
    pub(crate) cancel: &'a Cancel,
    pub(crate) unread: &'a Unread,
}

impl<'a> Control<'a> {
    /// Creates the context of a pass that reports no progress.
    pub(crate) fn quiet(cancel: &'a Cancel, unread: &'a Unread) -> Self {
        Self {
            progress: &NoProgress,
            cancel,
            unread,
        }
    }

    /// Returns `Break` if the run is cancelled.
    pub(crate) fn flow(self) -> ControlFlow<()> {
        match self.cancel.is_cancelled() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    /// Checks for cancellation.
    ///
    /// # Errors
    /// If the caller cancels, because the result would be incomplete.
    pub(crate) fn check(self) -> Result<(), PackError> {
        match self.cancel.is_cancelled() {
            true => Err(PackError::Cancelled),
            false => Ok(()),
        }
    }
}
