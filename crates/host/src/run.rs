//! One run: the findings that belong to it alone. A packer has configuration and handles,
//! and many runs may share it at the same time.

use loom_source::LeftOut;

use crate::FoundSecret;
use crate::divided::Divided;
use crate::secrets::Secrets;
use crate::unread::Unread;

/// The findings of one run over a source.
#[derive(Debug, Default)]
pub struct Run {
    /// The secrets that it found, and their numbers.
    pub(crate) secrets: Secrets,
    /// The files that it could not read.
    pub(crate) unread: Unread,
    /// The file whose parts it is writing.
    pub(crate) divided: Divided,
}

impl Run {
    /// Begins a run.
    pub fn new() -> Self {
        Self::default()
    }

    /// The files and directories that could not be read so far, ordered by path.
    pub fn unread(&self) -> Vec<LeftOut> {
        self.unread.all()
    }

    /// The secrets that were found so far, in the order of the output.
    pub fn found_secrets(&self) -> Vec<FoundSecret> {
        self.secrets.found()
    }
}
