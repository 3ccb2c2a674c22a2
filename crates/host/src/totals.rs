//! The total of a source, for every command that reports one: the sum over the included files of
//! the tokens of their redacted text, without header or tree. It excludes everything that a pack
//! adds to its files.

use loom_source::Scan;

use crate::survey::ReadFiles;
use crate::surveyor::Surveyor;
use crate::unread::Unread;
use crate::{Cancel, NoProgress, PackError, PackOptions, Packer, SecretsMode, Survey};

impl PackOptions {
    /// Returns options for counting the files. A secret never aborts a count: it is redacted, even
    /// in mode `fail`. Texts are not kept, because the count reads each file only once.
    pub fn counting(mut self) -> Self {
        if self.secrets.mode == SecretsMode::Fail {
            self.secrets.mode = SecretsMode::Redact;
        }
        self.keeps_text = false;
        self
    }
}

/// Counts the included files of a packer.
#[derive(Clone, Copy, Debug)]
pub struct FileCounter<'a> {
    packer: &'a Packer,
    cancel: &'a Cancel,
}

impl<'a> FileCounter<'a> {
    /// Creates a counter that `cancel` ends.
    pub fn new(packer: &'a Packer, cancel: &'a Cancel) -> Self {
        Self { packer, cancel }
    }

    /// Counts the included files. `overview.tokens` of the result is the total.
    ///
    /// # Errors
    /// If the caller cancels, or the required git history cannot be read.
    pub fn count(self) -> Result<Survey, PackError> {
        Surveyor::new(&self.counting(), &NoProgress, self.cancel).survey()
    }

    /// Counts the files of `scan`, which began at the time `began`. Files in `read` are not read
    /// again. The run shares its read counters with `unread`.
    pub(crate) fn count_read(
        self,
        scan: Scan,
        began: i64,
        read: ReadFiles,
        unread: &Unread,
    ) -> Result<Survey, PackError> {
        Surveyor::new(&self.counting(), &NoProgress, self.cancel)
            .survey_read(scan, began, read, unread)
    }

    /// Counts the included files without the cache, for a caller that must not fill it.
    pub(crate) fn count_without_cache(self) -> Result<Survey, PackError> {
        let packer = self.packer.with_options(PackOptions {
            cache: None,
            ..self.packer.options.clone().counting()
        });
        Surveyor::new(&packer, &NoProgress, self.cancel).survey()
    }

    /// Returns a packer for the same source that only counts.
    fn counting(self) -> Packer {
        self.packer
            .with_options(self.packer.options.clone().counting())
    }
}
