//! The first pass: finds, reads and counts all files and keeps their metadata. It also keeps texts
//! up to a limit, so that the files of a small repository are read only once.

mod pass;
mod texts;

use std::sync::{Arc, Mutex};

use loom_secrets::Copies;
use loom_source::{FoundFile, Scan};

use self::pass::{Elsewhere, SurveyRun};
use crate::cache::{CacheSession, Remember};
use crate::shown_secrets::{refuse_secrets, shown_secrets};
use crate::survey::ReadFiles;
use crate::unread::Unread;
use crate::{Cancel, PackError, Packer, Progress, Run, Stage, Survey};

/// Maximum number of files that are read without looking them up in the cache.
const FEW: usize = 64;

/// Surveys the files of a packer.
#[derive(Clone, Copy)]
pub(crate) struct Surveyor<'a> {
    packer: &'a Packer,
    progress: &'a dyn Progress,
    cancel: &'a Cancel,
}

impl<'a> Surveyor<'a> {
    pub(crate) fn new(packer: &'a Packer, progress: &'a dyn Progress, cancel: &'a Cancel) -> Self {
        Self {
            packer,
            progress,
            cancel,
        }
    }

    /// Finds, reads and counts all files.
    ///
    /// # Errors
    /// If the caller cancels, git data is not available, or mode `fail` finds secrets. Problems with
    /// single files are part of the result.
    pub(crate) fn survey(self) -> Result<Survey, PackError> {
        let mut survey = self.survey_unchecked()?;
        survey.secrets = shown_secrets(self.packer, &survey);
        refuse_secrets(self.packer, survey)
    }

    /// Like [`Surveyor::survey`], but refuses no secrets.
    pub(crate) fn survey_unchecked(self) -> Result<Survey, PackError> {
        self.survey_keeping(self.packer.options.kept_text())
    }

    /// Surveys the files and keeps at most `bytes` bytes of text.
    fn survey_keeping(self, bytes: usize) -> Result<Survey, PackError> {
        self.progress.begin(Stage::Scan, None);
        let survey = SurveyRun::new(self.packer, bytes);
        let unread = &survey.run.unread;
        let (scan, memory) = self.packer.scan_remembering(unread, Remember::Facts);
        let recall = |scan: &Scan| self.packer.recall_from(&scan.files, memory);
        survey.of(scan, recall, self.progress, self.cancel)
    }

    /// Surveys the files of a scan that began at the time `began`. Files in `read` are not read
    /// again. The run shares its read counters with `unread`.
    pub(crate) fn survey_read(
        self,
        scan: Scan,
        began: i64,
        read: ReadFiles,
        unread: &Unread,
    ) -> Result<Survey, PackError> {
        let mut survey = SurveyRun::new(self.packer, self.packer.options.memory().kept());
        survey.read = Mutex::new(read);
        survey.run = Arc::new(Run::counting_with(unread));
        let recall = |scan: &Scan| self.packer.recall_since(&scan.files, began);
        let survey = survey.of(scan, recall, self.progress, self.cancel)?;
        refuse_secrets(self.packer, survey)
    }

    /// Surveys files of a snapshot whose secrets are known, without listing directories.
    ///
    /// # Errors
    /// As [`Surveyor::survey`].
    pub(crate) fn survey_listed(
        self,
        files: Vec<FoundFile>,
        secrets: &Copies,
    ) -> Result<Survey, PackError> {
        let mut survey = SurveyRun::new(self.packer, self.packer.options.kept_text());
        survey.elsewhere = Elsewhere::Known;
        survey.run.secrets.know(secrets);
        let mut scan = Scan::default();
        scan.files = files;
        let recall = |scan: &Scan| match scan.files.len() {
            // Reading them is faster than looking up the cache entries of all files.
            0..=FEW => CacheSession::nothing(),
            _ => self.packer.recall(&scan.files),
        };
        let survey = survey.of(scan, recall, self.progress, self.cancel)?;
        refuse_secrets(self.packer, survey)
    }
}

#[cfg(test)]
mod tests {
    use loom_testkit::Sandbox;

    use super::*;
    use crate::{NoProgress, PackOptions, PackRun};

    /// Only files without kept text are read again, so that only they show their changes.
    #[test]
    fn no_more_text_is_kept_than_there_is_room_for() {
        let sandbox = Sandbox::new();
        let names: Vec<_> = (0..10).map(|at| format!("{at}.txt")).collect();
        for name in &names {
            sandbox.write(name, "x".repeat(100));
        }
        let packer = Packer::open(&[sandbox.work()], PackOptions::default()).unwrap();
        let cancel = Cancel::new();
        let survey = Surveyor::new(&packer, &NoProgress, &cancel)
            .survey_keeping(350)
            .unwrap();
        let kept = survey.files.iter().filter(|file| file.kept.is_some());
        assert_eq!(kept.count(), 3);
        for name in &names {
            sandbox.write(name, "other");
        }
        let mut out = Vec::new();
        let written = PackRun::new(&packer, &NoProgress, &cancel).write(&survey, &mut out);
        assert_eq!(written.unwrap().changed.len(), 7);
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text.matches(&"x".repeat(100)).count(), 3);
    }
}
