//! The total of a source, for every command that reports one: the sum over the included files of
//! the tokens of their redacted text, without header or tree. It excludes everything that a pack
//! adds to its files.

use loom_source::Scan;

use crate::control::Control;
use crate::survey::ReadFiles;
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

impl Packer {
    /// Counts the included files. `overview.tokens` of the result is the total.
    ///
    /// # Errors
    /// If the caller cancels, or the required git history cannot be read.
    pub fn count(&self, cancel: &Cancel) -> Result<Survey, PackError> {
        self.with_options(self.options.clone().counting())
            .survey(&NoProgress, cancel)
    }

    /// Counts the files of `scan`, which began at the time `began`. Files in `read` are not read
    /// again.
    pub(crate) fn count_read(
        &self,
        scan: Scan,
        began: i64,
        read: ReadFiles,
        control: Control<'_>,
    ) -> Result<Survey, PackError> {
        self.with_options(self.options.clone().counting())
            .survey_read(scan, began, read, control)
    }

    /// Counts the included files without the cache, for a caller that must not fill it.
    pub(crate) fn count_without_cache(&self, cancel: &Cancel) -> Result<Survey, PackError> {
        let options = PackOptions {
            cache: None,
            ..self.options.clone().counting()
        };
        self.with_options(options).survey(&NoProgress, cancel)
    }
}
