//! One run: its findings and its progress. A packer has only configuration and handles, and several
//! runs may share it at the same time.

use std::fmt;
use std::sync::{Arc, Mutex};

use loom_base::{ContentHash, RepoPath};
use loom_source::LeftOut;

use crate::cache::now;
use crate::control::Control;
use crate::secrets::Secrets;
use crate::unread::Unread;
use crate::{Cancel, FoundSecret, NoProgress, Progress};

/// The text of the last file that was read for one of its parts.
#[derive(Debug, Default)]
pub(crate) struct SplitFileCache(pub(crate) Mutex<Option<(RepoPath, ContentHash, String)>>);

/// Findings of one run over a source.
pub struct Run {
    /// Time before the run lists files, in nanoseconds since 1970.
    pub(crate) began: i64,
    /// Secrets that it found, with their numbers.
    pub(crate) secrets: Secrets,
    /// Unreadable and oversized files.
    pub(crate) unread: Unread,
    /// Text of the file whose parts it is writing.
    pub(crate) split_file: SplitFileCache,
    progress: Option<Arc<dyn Progress + Send>>,
}

impl Run {
    /// Creates a run.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a run that shares its read counters with another one.
    pub(crate) fn counting_with(other: &Unread) -> Self {
        Self {
            unread: Unread::counting_with(other),
            ..Self::default()
        }
    }

    /// Sets the receiver of progress.
    #[must_use]
    pub fn with_progress(mut self, progress: Arc<dyn Progress + Send>) -> Self {
        self.progress = Some(progress);
        self
    }

    /// Returns the context for the passes of the run.
    pub(crate) fn control<'a>(&'a self, cancel: &'a Cancel) -> Control<'a> {
        Control {
            progress: self.progress(),
            cancel,
            unread: &self.unread,
        }
    }

    pub(crate) fn progress(&self) -> &dyn Progress {
        match &self.progress {
            Some(progress) => &**progress,
            None => &NoProgress,
        }
    }

    /// Returns the unreadable files and directories so far, and the oversized files, ordered by
    /// path.
    pub fn unread(&self) -> Vec<LeftOut> {
        self.unread.all()
    }

    /// Returns warnings about exceeded limits and unusable ignore files.
    pub fn warnings(&self) -> Vec<String> {
        self.unread.warnings()
    }

    /// Returns the secrets found so far, in the order of the output.
    pub fn found_secrets(&self) -> Vec<FoundSecret> {
        self.secrets.found()
    }
}

impl Default for Run {
    fn default() -> Self {
        Self {
            began: now(),
            secrets: Secrets::default(),
            unread: Unread::default(),
            split_file: SplitFileCache::default(),
            progress: None,
        }
    }
}

impl fmt::Debug for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Run")
            .field("unread", &self.unread)
            .finish_non_exhaustive()
    }
}
