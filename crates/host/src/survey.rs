//! The first pass: finds, reads and counts every file and keeps what is known
//! about it, and the text of the first ones up to a bound, so that a small
//! repository is read once.

mod room;
mod texts;

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use loom_base::RepoPath;
use loom_engine::fit::{RenderedFile, Weight};
use loom_engine::{FileMeta, LeftOutShare, Overview, Revision};
use loom_secrets::{Finding, Replaced};
use loom_source::{FoundFile, LeftOut, Reason, Scan};

use self::room::Room;
use crate::cache::{Recall, Remember};
use crate::load::{Loaded, load, recalled};
use crate::ordered::{Ahead, ordered};
use crate::past::Past;
use crate::shorten::{Form, shortened_again};
use crate::{
    Cancel, FoundSecret, NoProgress, PackError, PackOptions, Packer, Progress, Run, Searcher,
    SecretsMode, Stage,
};

/// Larger files are read one at a time.
const LARGE: u64 = 4 << 20;

/// Of so few files nothing is looked up.
const FEW: usize = 64;

/// The text of results that wait behind a slow file is bounded by what is kept: a
/// worker drops what does not fit. What is left of a result is small.
const AHEAD: Ahead = Ahead {
    items: 256,
    weight: usize::MAX,
};

/// Whether a run knows the secrets of files that it does not survey.
#[derive(Clone, Copy)]
enum Elsewhere {
    Known,
    Unknown,
}

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
        let run = Arc::<Run>::default();
        let (scan, memory) = self.scan_remembering(&run.unread, Remember::Facts);
        let recall = |scan: &Scan| self.recall_from(&scan.files, memory);
        self.survey_listed(
            (run, Elsewhere::Unknown),
            scan,
            recall,
            bytes,
            (progress, cancel),
        )
    }

    /// The survey of those files of a searcher that somebody wants: nothing is listed
    /// again.
    ///
    /// # Errors
    /// As [`Packer::survey`].
    pub fn survey_among(
        &self,
        searcher: &Searcher<'_>,
        is_wanted: impl Fn(&RepoPath) -> bool,
        cancel: &Cancel,
    ) -> Result<Survey, PackError> {
        let run = Arc::<Run>::default();
        run.secrets.know(searcher.known_secrets());
        let wanted = searcher.files.iter().filter(|file| is_wanted(&file.path));
        let mut scan = Scan::default();
        scan.files = wanted.cloned().collect();
        let recall = |scan: &Scan| match scan.files.len() {
            // They are read sooner than what is remembered of all files.
            0..=FEW => Recall::nothing(),
            _ => self.recall(&scan.files),
        };
        let bytes = self.options.kept_text();
        self.survey_listed(
            (run, Elsewhere::Known),
            scan,
            recall,
            bytes,
            (&NoProgress, cancel),
        )
    }

    fn survey_listed<'p>(
        &'p self,
        (run, elsewhere): (Arc<Run>, Elsewhere),
        mut scan: Scan,
        recall: impl FnOnce(&Scan) -> Recall<'p>,
        bytes: usize,
        (progress, cancel): (&dyn Progress, &Cancel),
    ) -> Result<Survey, PackError> {
        let past = self.past(&mut scan)?;
        if cancel.is_cancelled() {
            return Err(PackError::Cancelled);
        }
        progress.begin(Stage::Count, Some(scan.files.len()));
        let left_out = std::mem::take(&mut scan.left_out);
        let mut collected = Collected::new(&self.options, scan.files.len(), left_out, &run);
        let room = Room::new(bytes);
        let recall = recall(&scan);
        let work =
            |at: usize| self.surveyed(&run, &scan.files[at], past.as_ref(), &room, (&recall, at));
        let take = |at: usize, surveyed| {
            progress.advance(1);
            collected.add(&scan.files[at], surveyed);
            match cancel.is_cancelled() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        let threads = self.options.thread_count();
        ordered(scan.files.len(), threads, AHEAD, |_| 1, work, take);
        recall.finish();
        if cancel.is_cancelled() {
            return Err(PackError::Cancelled);
        }
        let unchanged = past.as_ref().map_or(0, |past| past.unchanged);
        let unscanned = std::mem::take(&mut collected.unscanned);
        let mut survey = collected.finish(&self.source.name(), unchanged);
        survey.overview.revisions = self.revisions();
        survey.warnings = scan.warnings.iter().cloned().collect();
        if past.is_some() {
            self.describe_past(&mut survey);
        }
        if let Elsewhere::Unknown = elsewhere {
            let known = self.secrets_beside(&scan, &unscanned, &run, (progress, cancel))?;
            run.secrets.know(&known);
            let new = run.warnings().into_iter();
            let new = new.filter(|warning| !scan.warnings.contains(warning));
            survey.warnings.extend(new);
        }
        self.add_texts(&mut survey, past.as_ref())?;
        survey.secrets = run.secrets.found();
        match self.options.secrets.mode {
            SecretsMode::Fail if !survey.secrets.is_empty() => {
                let found = survey.secrets;
                Err(PackError::Secrets { found })
            }
            _ => Ok(survey),
        }
    }

    /// Reads a file; large ones one at a time, so that several threads do not hold
    /// several of them.
    fn load_in_turn(
        &self,
        found: &FoundFile,
        room: &Room,
        recall: (&Recall<'_>, usize),
    ) -> Result<Loaded, Reason> {
        let limit = self.options.max_file_size;
        match load(&self.source, &self.options, found, limit.min(LARGE), recall) {
            Err(Reason::TooLarge { size, .. }) if size > LARGE => {
                let _turn = room.large.lock();
                load(&self.source, &self.options, found, limit, recall)
            }
            result => result,
        }
    }

    fn revisions(&self) -> Vec<Revision> {
        let revisions = self.source.revisions().into_iter();
        let shown = |revision: loom_source::Revision| Revision {
            tree: revision.tree,
            name: revision.name,
            commit: revision.commit,
        };
        revisions.map(shown).collect()
    }

    fn surveyed(
        &self,
        run: &Arc<Run>,
        found: &FoundFile,
        past: Option<&Past>,
        room: &Room,
        recall: (&Recall<'_>, usize),
    ) -> Result<Surveyed, Reason> {
        let past = past.filter(|_| self.options.marks_changes());
        let form = self.options.shorten.form_of(&found.path);
        let form = form.unwrap_or_default();
        if past.is_none()
            && form == Form::Whole
            && let Some(known) = recalled(&self.options, found, recall)
        {
            return known.map(|meta| Surveyed::recalled(run, found.clone(), meta));
        }
        let mut loaded = self.load_in_turn(found, room, recall)?;
        if let Some(past) = past {
            past.mark(found, &mut loaded, self.options.max_file_size);
        }
        if self.options.secrets.mode.hides() {
            run.secrets.know_findings(&loaded.text, &loaded.findings);
        }
        // A file with secrets is shortened after it is redacted.
        if loaded.findings.is_empty() {
            loaded = self.shortening(form, loaded.text.len(), || {
                shortened_again(&self.options, loaded, form, recall.0)
            });
        }
        Ok(Surveyed {
            found: found.clone(),
            meta: loaded.meta,
            kept: room.keep(loaded.text),
            findings: loaded.findings,
            replaced: Arc::default(),
            form,
            slice: None,
            ceiling: None,
            run: Arc::clone(run),
            is_planned: true,
        })
    }
}

struct Collected<'a> {
    options: &'a PackOptions,
    files: Vec<Surveyed>,
    left_out: Vec<LeftOut>,
    /// Files whose text is left out and was not scanned for secrets.
    unscanned: Vec<FoundFile>,
    run: &'a Arc<Run>,
}

impl<'a> Collected<'a> {
    fn new(
        options: &'a PackOptions,
        files: usize,
        left_out: Vec<LeftOut>,
        run: &'a Arc<Run>,
    ) -> Self {
        Self {
            run,
            unscanned: Vec::new(),
            options,
            files: Vec::with_capacity(files),
            left_out,
        }
    }

    fn add(&mut self, found: &FoundFile, surveyed: Result<Surveyed, Reason>) {
        match surveyed {
            Ok(file) => self.files.push(file),
            Err(reason) => {
                if reason != Reason::Binary {
                    self.unscanned.push(found.clone());
                }
                self.left_out.push(LeftOut {
                    path: found.path.clone(),
                    is_dir: false,
                    reason,
                });
            }
        }
    }

    fn finish(mut self, name: &str, unchanged: usize) -> Survey {
        self.left_out.sort_by(|a, b| a.path.cmp(&b.path));
        let metas = self.files.iter().map(|file| &file.meta);
        let left_out = shares(&self.left_out, unchanged);
        let overview = Overview::new(name, self.options.model.tokenizer, metas, left_out);
        Survey {
            overview,
            left_out: self.left_out,
            warnings: Vec::new(),
            unchanged,
            secrets: Vec::new(),
            files: self.files,
            run: Arc::clone(self.run),
        }
    }
}

fn shares(left_out: &[LeftOut], unchanged: usize) -> Vec<LeftOutShare> {
    let mut counts: BTreeMap<&'static str, usize> = BTreeMap::new();
    // The output of this run is not part of what is packed: whether an earlier one
    // lies there must not change the result.
    let is_output = |left: &&LeftOut| left.reason == Reason::OutputFile;
    for left in left_out.iter().filter(|left| !is_output(left)) {
        *counts.entry(left.reason.kind()).or_default() += 1;
    }
    if unchanged > 0 {
        counts.insert("unchanged", unchanged);
    }
    let share = |(reason, count)| LeftOutShare { reason, count };
    counts.into_iter().map(share).collect()
}

#[cfg(test)]
mod tests {
    use loom_testkit::Sandbox;

    use super::*;

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
