//! One run: the findings that belong to it alone. A packer has configuration and handles,
//! and many runs may share it at the same time.

use std::fmt;
use std::sync::{Arc, Mutex};

use loom_base::{ContentHash, RepoPath};
use loom_source::LeftOut;

use crate::control::Control;
use crate::secrets::Secrets;
use crate::unread::Unread;
use crate::{Cancel, FoundSecret, NoProgress, Progress};

/// The last file that was read for one of its parts.
#[derive(Debug, Default)]
pub(crate) struct SplitFileCache(pub(crate) Mutex<Option<(RepoPath, ContentHash, String)>>);

/// The findings of one run over a source.
#[derive(Default)]
pub struct Run {
    /// The secrets that it found, and their numbers.
    pub(crate) secrets: Secrets,
    /// The files that it could not read, and those that are too large.
    pub(crate) unread: Unread,
    /// The file whose parts it is writing.
    pub(crate) split_file: SplitFileCache,
    progress: Option<Arc<dyn Progress + Send>>,
}

impl Run {
    /// Begins a run.
    pub fn new() -> Self {
        Self::default()
    }

    /// Begins a run that counts what it reads together with another one.
    pub(crate) fn counting_with(other: &Unread) -> Self {
        Self {
            unread: Unread::counting_with(other),
            ..Self::default()
        }
    }

    /// Reports how far the run is.
    #[must_use]
    pub fn with_progress(mut self, progress: Arc<dyn Progress + Send>) -> Self {
        self.progress = Some(progress);
        self
    }

    /// What each pass of the run gets.
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

    /// The files and directories that could not be read so far and the files that are too
    /// large, ordered by path.
    pub fn unread(&self) -> Vec<LeftOut> {
        self.unread.all()
    }

    /// Warnings about limits that the run met and ignore files that it could not use.
    pub fn warnings(&self) -> Vec<String> {
        self.unread.warnings()
    }

    /// The secrets that were found so far, in the order of the output.
    pub fn found_secrets(&self) -> Vec<FoundSecret> {
        self.secrets.found()
    }
}

impl fmt::Debug for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Run")
            .field("unread", &self.unread)
            .finish_non_exhaustive()
    }
}
