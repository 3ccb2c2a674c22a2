//! Redacts the secrets of a run's files, in the order of the files, before any file is shortened or
//! written.

use std::borrow::Cow;
use std::ops::ControlFlow;

use loom_base::RepoPath;
use loom_engine::{FileMeta, Note, describe};
use loom_secrets::{Finding, Replaced, redact};

use crate::control::Control;
use crate::load::{DecodedFile, Loaded, Reread, load_again};
use crate::options::{PackOptions, SecretsMode};
use crate::ordered::{ordered, ordered_by_result};
use crate::reading::FileReader;
use crate::secrets::{DuplicatePolicy, SecretLearner};
use crate::shorten::{shortened, shortening};
use crate::survey::Surveyed;
use crate::{Cancel, Packer, Run};

/// Returns the text of a surveyed file before redaction; `None` if the file changed.
pub(crate) fn text_before_redaction(packer: &Packer, file: &Surveyed) -> Option<String> {
    let reader = FileReader::uncached(packer, &file.run.unread);
    match load_again(reader.file(&file.found, 0), file.meta.hash) {
        Ok(Reread::Same(text)) => Some(text),
        _ => None,
    }
}

/// Redacts the texts of a run.
#[derive(Clone, Copy)]
pub(crate) struct TextRedactor<'a> {
    packer: &'a Packer,
    run: &'a Run,
}

impl<'a> TextRedactor<'a> {
    pub(crate) fn new(packer: &'a Packer, run: &'a Run) -> Self {
        Self { packer, run }
    }

    /// Collects the secrets of all files again, because a file changed afterwards. Returns true if
    /// they are complete. After several attempts it returns false: the files change too often to be
    /// shown.
    pub(crate) fn relearn(self) -> bool {
        let (packer, run) = (self.packer, self.run);
        if !self.packer.options.secrets.mode.hides() {
            return true;
        }
        if !run.secrets.may_relearn() {
            return false;
        }
        let scan = packer.listed(&packer.options.scan);
        let cancel = Cancel::new();
        let control = Control::quiet(&cancel, &run.unread);
        let learner = SecretLearner::new(packer, control);
        let own = learner.of_others(&scan.files);
        let elsewhere = learner.elsewhere(&scan);
        let is_complete = own.is_ok() && elsewhere.is_ok();
        own.into_iter()
            .chain(elsewhere)
            .for_each(|copies| run.secrets.know(&copies));
        is_complete
    }

    /// Redacts the surveyed files. Placeholders are numbered in the order of the files, independent
    /// of threads.
    pub(crate) fn redact_files(self, files: &mut [Surveyed]) {
        let plans = self.plan(files);
        let which: Vec<usize> = (0..files.len()).filter(|at| plans[*at].is_some()).collect();
        let work = |at: usize| {
            let (file, plan) = (&files[which[at]], plans[which[at]].as_deref()?);
            Some(self.redacted(file, &self.unredacted(file)?, plan))
        };
        let mut redacted = Vec::with_capacity(which.len());
        let threads = self.packer.options.thread_count();
        let weight = |at: usize| files[which[at]].meta.bytes;
        ordered(
            which.len(),
            threads,
            self.packer.options.memory().ahead(),
            weight,
            work,
            |at, one| {
                let was_kept = files[which[at]].kept.is_some();
                redacted
                    .push(one.map(|one| (one.meta, one.replaced, was_kept.then_some(one.text))));
                ControlFlow::Continue(())
            },
        );
        for (at, redacted) in which.into_iter().zip(redacted) {
            // A file that changed in the meantime keeps its findings and is scanned again when it
            // is written.
            if let Some((meta, replaced, kept)) = redacted {
                let file = &mut files[at];
                (file.meta, file.replaced, file.kept) = (meta, replaced, kept);
                file.findings.clear();
            }
        }
    }

    /// Finds the secrets of all files, including copies from other files, and plans their
    /// placeholders. Returns `None` for files without secrets.
    fn plan(self, files: &mut [Surveyed]) -> Vec<Option<Vec<Replaced>>> {
        let copies = self.run.secrets.copies();
        let work = |at: usize| {
            let file: &Surveyed = &files[at];
            if copies.is_empty() && file.findings.is_empty() {
                return None;
            }
            let Some(text) = self.unredacted(file) else {
                return Some(None);
            };
            let (options, path) = (&self.packer.options.secrets, &file.meta.path);
            let findings = options.with_copies(path, &text, file.findings.clone(), &copies);
            (!findings.is_empty()).then(|| Some((text.into_owned(), findings)))
        };
        let mut plans = Vec::with_capacity(files.len());
        let (mut all, mut unplanned) = (Vec::new(), Vec::new());
        let held = |found: &Option<Option<(String, Vec<Finding>)>>| {
            let found = found.as_ref().and_then(Option::as_ref);
            found.map_or(0, |(text, _)| text.capacity())
        };
        ordered_by_result(
            files.len(),
            self.packer.options.thread_count(),
            self.packer.options.memory().waiting(256),
            held,
            work,
            |at, found| {
                if let Some(None) = found {
                    unplanned.push(at);
                }
                let plan = found.flatten().map(|(text, findings)| {
                    let (path, mode) = (&files[at].meta.path, self.packer.options.secrets.mode);
                    let each = DuplicatePolicy::EachTime;
                    let plan = self.run.secrets.record(mode, path, each, &text, &findings);
                    all.push((at, findings));
                    plan
                });
                plans.push(plan);
                ControlFlow::Continue(())
            },
        );
        for (at, findings) in all {
            files[at].findings = findings;
        }
        for at in unplanned {
            files[at].is_planned = false;
        }
        plans
    }

    /// Returns the text of a surveyed file before redaction; `None` if the file changed. A
    /// shortened file is read again: the shortening may have split a secret.
    fn unredacted(self, file: &Surveyed) -> Option<Cow<'_, str>> {
        match &file.kept {
            Some(text) if file.meta.shortened.is_none() => Some(Cow::Borrowed(text)),
            _ => text_before_redaction(self.packer, file).map(Cow::Owned),
        }
    }

    /// Returns the file with its placeholders. Shortens it only after the redaction.
    fn redacted(self, file: &Surveyed, text: &str, plan: &[Replaced]) -> Loaded {
        let mut meta = file.meta.clone();
        undo_shortening(&self.packer.options, &mut meta, text);
        let text = match plan.is_empty() {
            true => text.to_owned(),
            false => {
                let clean = redact(text, plan);
                describe_again(&self.packer.options, &mut meta, &clean, plan.len());
                clean
            }
        };
        let loaded = Loaded {
            meta,
            text,
            findings: Vec::new(),
            replaced: plan.into(),
            content_key: None,
        };
        shortening(self.packer, file.form, loaded.text.len(), || {
            shortened(&self.packer.options, loaded, file.form)
        })
    }

    /// Redacts a file that changed after the survey, even in mode `fail`: it is too late to refuse
    /// the run.
    pub(crate) fn redact_changed(self, mut loaded: Loaded) -> Loaded {
        let options = &self.packer.options.secrets;
        let findings = std::mem::take(&mut loaded.findings);
        let (path, copies) = (&loaded.meta.path, self.run.secrets.copies());
        let findings = options.with_copies(path, &loaded.text, findings, &copies);
        if findings.is_empty() {
            return loaded;
        }
        // The file may be read several times.
        let (path, once) = (&loaded.meta.path, DuplicatePolicy::Once);
        let plan = self.late_plan(path, once, &loaded.text, &findings);
        if !plan.is_empty() {
            loaded.text = redact(&loaded.text, &plan);
            describe_again(
                &self.packer.options,
                &mut loaded.meta,
                &loaded.text,
                plan.len(),
            );
            loaded.replaced = plan.into();
        }
        loaded
    }

    /// Redacts `findings` in a text.
    pub(crate) fn clean(
        self,
        path: &RepoPath,
        mut shown: DecodedFile,
        findings: &[Finding],
    ) -> DecodedFile {
        let plan = match findings {
            [] => Vec::new(),
            findings => {
                let each = DuplicatePolicy::EachTime;
                self.late_plan(path, each, &shown.text, findings)
            }
        };
        if !plan.is_empty() {
            shown.text = redact(&shown.text, &plan);
            shown.notes.push(Note::Redacted(plan.len()));
        }
        shown
    }

    /// Plans the placeholders for `findings` in a text that is about to be written.
    fn late_plan(
        self,
        path: &RepoPath,
        duplicates: DuplicatePolicy,
        text: &str,
        findings: &[Finding],
    ) -> Vec<Replaced> {
        let mode = match self.packer.options.secrets.mode {
            SecretsMode::Fail => SecretsMode::Redact,
            mode => mode,
        };
        self.run
            .secrets
            .record(mode, path, duplicates, text, findings)
    }
}

/// Restores the description of a shortened file to that of its whole text.
fn undo_shortening(options: &PackOptions, meta: &mut FileMeta, text: &str) {
    if meta.shortened.take().is_some() {
        let is_other =
            |note: &Note| !matches!(note, Note::Shortened { .. } | Note::ShortenedLines { .. });
        meta.notes.retain(is_other);
        describe_text(options, meta, text);
    }
}

/// Updates the counts of a redacted file and adds a note.
fn describe_again(options: &PackOptions, meta: &mut FileMeta, text: &str, count: usize) {
    describe_text(options, meta, text);
    meta.notes.push(Note::Redacted(count));
}

fn describe_text(options: &PackOptions, meta: &mut FileMeta, text: &str) {
    let path: RepoPath = meta.path.clone();
    let new = describe(path, text, meta.hash, options.model.tokenizer);
    meta.lines = new.lines;
    meta.bytes = new.bytes;
    meta.tokens = new.tokens;
    (meta.lower, meta.upper) = (new.lower, new.upper);
}
