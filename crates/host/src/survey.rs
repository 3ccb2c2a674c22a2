//! The first pass: finds, reads and counts every file and keeps what is known
//! about it, and the text of the first ones up to a bound, so that a small
//! repository is read once.

mod pass;
mod read_files;
mod room;
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

/// Of so few files nothing is looked up.
const FEW: usize = 64;

/// What is known about a repository before anything is written.
#[derive(Debug)]
pub struct Survey {
    /// The totals, languages and tree.
    pub overview: Overview,
    /// Everything that was found and left out, ordered by path.
    pub left_out: Vec<LeftOut>,
    /// Rules that could not be read, in words, so that the rest may be wrong.
    pub warnings: Vec<String>,
    /// How many files were left out because they did not change: they are counted
    /// and not named.
    pub unchanged: usize,
    /// The secrets that were found.
    pub secrets: Vec<FoundSecret>,
    pub(crate) files: Vec<Surveyed>,
    /// The run that it belongs to, which goes on while the pack is written.
    pub(crate) run: Arc<Run>,
}

/// A file that will be packed.
#[derive(Debug)]
pub(crate) struct Surveyed {
    pub(crate) found: FoundFile,
    pub(crate) meta: FileMeta,
    pub(crate) kept: Option<String>,
    /// The secrets in its text, until they are taken out.
    pub(crate) findings: Vec<Finding>,
    /// What was taken out of its text.
    pub(crate) replaced: Arc<[Replaced]>,
    /// The form in which it is packed.
    pub(crate) form: Form,
    /// The bytes of its text that stand here, where a file goes on in another part.
    pub(crate) slice: Option<Range<usize>>,
    /// What it may take when the output has to fit into a size.
    pub(crate) ceiling: Option<Ceiling>,
    /// The run that surveyed it: it may be read again.
    pub(crate) run: Arc<Run>,
    /// Whether its text was there when redaction was planned.
    pub(crate) is_planned: bool,
}

/// The size that was planned for a file.
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
    /// One that was not read, since it is known.
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

    /// Whether a piece is no larger than what was planned for the file.
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
    /// The files that will be packed, ordered by path.
    pub fn files(&self) -> impl ExactSizeIterator<Item = &FileMeta> {
        self.files.iter().map(|file| &file.meta)
    }

    /// The same repository with other files and other things left out.
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
            files,
            run: Arc::clone(&self.run),
        }
    }

    /// The same repository with other files and nothing beside them, for the parts
    /// that follow the first.
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
            files,
            run: Arc::clone(&self.run),
        }
    }

    /// The secrets that were found so far: also those of files that changed while they
    /// were written.
    pub fn found_secrets(&self) -> Vec<FoundSecret> {
        self.run.found_secrets()
    }

    /// The `count` files with most tokens, the largest first.
    pub fn largest(&self, count: usize) -> Vec<&FileMeta> {
        let mut files: Vec<_> = self.files().collect();
        files.sort_by(|a, b| b.tokens.cmp(&a.tokens).then_with(|| a.path.cmp(&b.path)));
        files.truncate(count);
        files
    }
}

impl Packer {
    /// Finds, reads and counts.
    ///
    /// # Errors
    /// When a stop was asked for, or what git knows cannot be told. What is wrong with
    /// single files is part of the result.
    pub fn survey(&self, progress: &dyn Progress, cancel: &Cancel) -> Result<Survey, PackError> {
        self.survey_keeping(self.options.kept_text(), progress, cancel)
    }

    /// The same, with text of at most `bytes` bytes kept.
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

    /// Surveys the files of a scan that was made at the time `began`. Those that were read
    /// since are not read again.
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
        survey.of(scan, recall, &NoProgress, control.cancel)
    }

    /// Surveys files of a state whose secrets are known: nothing is listed again.
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
            // They are read sooner than what is remembered of all files.
            0..=FEW => CacheSession::nothing(),
            _ => self.recall(&scan.files),
        };
        survey.of(scan, recall, &NoProgress, cancel)
    }
}

#[cfg(test)]
mod tests {
    use loom_testkit::Sandbox;

    use super::*;
    use crate::PackOptions;

    /// Those without kept text are read again: they alone show that they changed.
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
