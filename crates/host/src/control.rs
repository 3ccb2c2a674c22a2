//! What one run hands to each of its passes: its progress, its cancellation, and the list
//! of files that it could not read.

use std::ops::ControlFlow;

use crate::unread::Unread;
use crate::{Cancel, NoProgress, PackError, Progress};

/// How a pass reports and ends.
#[derive(Clone, Copy)]
pub(crate) struct Control<'a> {
    pub(crate) progress: &'a dyn Progress,
    pub(crate) cancel: &'a Cancel,
    pub(crate) unread: &'a Unread,
}

impl<'a> Control<'a> {
    /// A pass that reports no progress.
    pub(crate) fn quiet(cancel: &'a Cancel, unread: &'a Unread) -> Self {
        Self {
            progress: &NoProgress,
            cancel,
            unread,
        }
    }

    /// Ends a loop over files when the run is cancelled.
    pub(crate) fn flow(self) -> ControlFlow<()> {
        match self.cancel.is_cancelled() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    /// # Errors
    /// When the run is cancelled: what was gathered is not complete.
    pub(crate) fn check(self) -> Result<(), PackError> {
        match self.cancel.is_cancelled() {
            true => Err(PackError::Cancelled),
            false => Ok(()),
        }
    }
}
