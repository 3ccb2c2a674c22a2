//! The first pass: finds, reads and counts all files and keeps their metadata. It also keeps texts
//! up to a limit, so that the files of a small repository are read only once.

mod pass;
mod read_files;
mod room;
mod shown;
mod texts;

use std::ops::Range;
use std::sync::{Arc, Mutex};

use loom_engine::fit::{RenderedFile, Weight};
use loom_engine::{FileMeta, Form, Overview};
use loom_secrets::{Copies, Finding, Replaced};
use loom_source::{FoundFile, LeftOut, Scan};

use self::pass::{Elsewhere, SurveyRun, shares};
pub(crate) use self::read_files::{ReadFile, ReadFiles};
pub(crate) use self::room::Room;
use crate::cache::{CacheSession, Remember};
use crate::control::Control;
use crate::{Cancel, FoundSecret, NoProgress, PackError, Packer, Progress, Run, Stage};

/// Maximum number of files that are read without looking them up in the cache.
const FEW: usize = 64;

/// Files and totals of a repository, collected before anything is written.
#[derive(Debug)]
pub struct Survey {
    /// Totals, languages and tree.
    pub overview: Overview,
    /// All skipped paths, ordered by path.
    pub left_out: Vec<LeftOut>,
    /// Warnings about unreadable rules, without which the selection may be wrong.
    pub warnings: Vec<String>,
    /// Number of files that were skipped because they did not change. The list of skipped paths
    /// does not contain them.
    pub unchanged: usize,
    /// Secrets found by the survey, in the order of the output.
    pub secrets: Vec<FoundSecret>,
    /// Number of findings of the run when the survey ended. Later ones are of changed files.
    pub(crate) recorded: usize,
    pub(crate) files: Vec<Surveyed>,
    /// The run, which continues while the pack is written.
    pub(crate) run: Arc<Run>,
}

/// A file to pack.
#[derive(Debug)]
pub(crate) struct Surveyed {
    pub(crate) found: FoundFile,
    pub(crate) meta: FileMeta,
    pub(crate) kept: Option<String>,
    /// Secrets in the text, until they are redacted.
    pub(crate) findings: Vec<Finding>,
    /// Redacted spans with their placeholders.
    pub(crate) replaced: Arc<[Replaced]>,
    /// The form in which it is packed.
    pub(crate) form: Form,
    /// Byte range of the text in this part of the output, if the file is split.
    pub(crate) slice: Option<Range<usize>>,
    /// Maximum size, if the output has to fit into a limit.
    pub(crate) ceiling: Option<Ceiling>,
    /// The run that surveyed it, for reading it again.
    pub(crate) run: Arc<Run>,
    /// True if its text was available when the redaction was planned.
    pub(crate) is_planned: bool,
}

/// Planned size of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ceiling {
    bytes: usize,
    tokens: usize,
}

impl Ceiling {
    pub(crate) fn of(weight: &Weight) -> Self {
        Self {
            bytes: weight.bytes,
            tokens: weight.tally.upper(),
        }
    }
}

impl Surveyed {
    /// Describes a file from the cache, without its text.
    fn recalled(run: &Arc<Run>, found: FoundFile, meta: FileMeta) -> Self {
        Self {
            run: Arc::clone(run),
            is_planned: true,
            found,
            meta,
            kept: None,
            findings: Vec::new(),
            replaced: Arc::default(),
            form: Form::Whole,
            slice: None,
            ceiling: None,
        }
    }

    /// Returns true if a rendered piece is within the planned size of the file.
    pub(crate) fn has_room_for(&self, piece: &RenderedFile<'_>) -> bool {
        self.ceiling.is_none_or(|ceiling| {
            piece.bytes() <= ceiling.bytes && piece.tally.upper() <= ceiling.tokens
        })
    }

    pub(crate) fn without_text(&self) -> Self {
        Self {
            found: self.found.clone(),
            meta: self.meta.clone(),
            kept: None,
            findings: Vec::new(),
            replaced: Arc::clone(&self.replaced),
            form: self.form,
            slice: self.slice.clone(),
            ceiling: None,
            run: Arc::clone(&self.run),
            is_planned: self.is_planned,
        }
    }
}

impl Survey {
    /// Returns the files to pack, ordered by path.
    pub fn files(&self) -> impl ExactSizeIterator<Item = &FileMeta> {
        self.files.iter().map(|file| &file.meta)
    }

    /// Returns the survey with other files and skipped paths.
    pub(crate) fn with(&self, files: Vec<Surveyed>, mut left_out: Vec<LeftOut>) -> Self {
        left_out.sort_by(|a, b| a.path.cmp(&b.path));
        let metas = files.iter().map(|file| &file.meta);
        Self {
            overview: self
                .overview
                .of_files(metas, shares(&left_out, self.unchanged)),
            left_out,
            warnings: self.warnings.clone(),
            unchanged: self.unchanged,
            secrets: self.secrets.clone(),
            recorded: self.recorded,
            files,
            run: Arc::clone(&self.run),
        }
    }

    /// Returns the survey with other files and without sections or skipped paths, for the parts
    /// after the first.
    pub(crate) fn continued(&self, files: Vec<Surveyed>) -> Self {
        let metas = files.iter().map(|file| &file.meta);
        let mut overview = self.overview.of_files(metas, Vec::new());
        overview.sections.clear();
        Self {
            overview,
            left_out: Vec::new(),
            warnings: self.warnings.clone(),
            unchanged: 0,
            secrets: Vec::new(),
            recorded: self.recorded,
            files,
            run: Arc::clone(&self.run),
        }
    }

    /// Returns the `count` files with most tokens, the largest first.
    pub fn largest(&self, count: usize) -> Vec<&FileMeta> {
        let mut files: Vec<_> = self.files().collect();
        files.sort_by(|a, b| b.tokens.cmp(&a.tokens).then_with(|| a.path.cmp(&b.path)));
        files.truncate(count);
        files
    }
}

impl Packer {
    /// Finds, reads and counts all files.
    ///
    /// # Errors
    /// If the caller cancels, or git data is not available. Problems with single files are part of
    /// the result.
    pub fn survey(&self, progress: &dyn Progress, cancel: &Cancel) -> Result<Survey, PackError> {
        self.survey_within(None, progress, cancel)
    }

    /// Surveys the files and keeps at most `bytes` bytes of text. Refuses no secrets.
    fn survey_keeping(
        &self,
        bytes: usize,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<Survey, PackError> {
        progress.begin(Stage::Scan, None);
        let survey = SurveyRun::new(self, bytes);
        let unread = &survey.run.unread;
        let (scan, memory) = self.scan_remembering(unread, Remember::Facts);
        let recall = |scan: &Scan| self.recall_from(&scan.files, memory);
        survey.of(scan, recall, progress, cancel)
    }

    /// Surveys the files of a scan that began at the time `began`. Files in `read` are not read
    /// again.
    pub(crate) fn survey_read(
        &self,
        scan: Scan,
        began: i64,
        read: ReadFiles,
        control: Control<'_>,
    ) -> Result<Survey, PackError> {
        let mut survey = SurveyRun::new(self, self.options.memory().kept());
        survey.read = Mutex::new(read);
        survey.run = Arc::new(Run::counting_with(control.unread));
        let recall = |scan: &Scan| self.recall_since(&scan.files, began);
        let survey = survey.of(scan, recall, &NoProgress, control.cancel)?;
        self.refuse_secrets(survey)
    }

    /// Surveys files of a snapshot whose secrets are known, without listing directories.
    ///
    /// # Errors
    /// As [`Packer::survey`].
    pub(crate) fn survey_listed(
        &self,
        files: Vec<FoundFile>,
        secrets: &Copies,
        cancel: &Cancel,
    ) -> Result<Survey, PackError> {
        let mut survey = SurveyRun::new(self, self.options.kept_text());
        survey.elsewhere = Elsewhere::Known;
        survey.run.secrets.know(secrets);
        let mut scan = Scan::default();
        scan.files = files;
        let recall = |scan: &Scan| match scan.files.len() {
            // Reading them is faster than looking up the cache entries of all files.
            0..=FEW => CacheSession::nothing(),
            _ => self.recall(&scan.files),
        };
        let survey = survey.of(scan, recall, &NoProgress, cancel)?;
        self.refuse_secrets(survey)
    }
}

#[cfg(test)]
mod tests {
    use loom_testkit::Sandbox;

    use super::*;
    use crate::PackOptions;

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
        let survey = packer.survey_keeping(350, &NoProgress, &cancel).unwrap();
        let kept = survey.files.iter().filter(|file| file.kept.is_some());
        assert_eq!(kept.count(), 3);
        for name in &names {
            sandbox.write(name, "other");
        }
        let mut out = Vec::new();
        let written = packer.write(&survey, &mut out, &NoProgress, &cancel);
        assert_eq!(written.unwrap().changed.len(), 7);
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text.matches(&"x".repeat(100)).count(), 3);
    }
}
