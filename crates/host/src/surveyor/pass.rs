//! One survey in progress: the outcome for each file, and the totals.

use std::sync::{Arc, Mutex, PoisonError};

use loom_engine::{Form, Overview, Revision};
use loom_source::{FoundFile, LeftOut, Reason, Scan};

use super::texts::add_texts;
use crate::cache::CacheSession;
use crate::control::Control;
use crate::load::{Loaded, load, load_within, recalled};
use crate::options::HistoryOptions;
use crate::ordered::{Lookahead, ordered};
use crate::past::Past;
use crate::reading::{FileReader, SourceFile};
use crate::secrets::SecretLearner;
use crate::shorten::{shortened_again, shortening};
use crate::survey::{ReadFile, ReadFiles, Room, Survey, Surveyed, shares};
use crate::{Cancel, PackError, PackOptions, Packer, Progress, Run, Stage};

/// Files above this size in bytes are read one at a time.
const LARGE: u64 = 4 << 20;

/// `Room` limits the text of results that wait for a slow file: workers drop texts that do not fit.
/// The rest of a result is small.
const AHEAD: Lookahead = Lookahead {
    items: 256,
    weight: usize::MAX,
};

/// Whether a run already knows the secrets of files outside the survey.
#[derive(Clone, Copy)]
pub(super) enum Elsewhere {
    Known,
    Unknown,
}

/// State of one survey.
pub(super) struct SurveyRun<'p> {
    packer: &'p Packer,
    pub(super) run: Arc<Run>,
    pub(super) elsewhere: Elsewhere,
    room: Room,
    /// Files that an earlier pass read.
    pub(super) read: Mutex<ReadFiles>,
}

/// A skipped file.
struct NotShown {
    reason: Reason,
    /// True if its secrets are known.
    is_scanned: bool,
}

impl From<Reason> for NotShown {
    fn from(reason: Reason) -> Self {
        Self {
            reason,
            is_scanned: false,
        }
    }
}

impl<'p> SurveyRun<'p> {
    /// Creates a survey that keeps at most `bytes` bytes of text.
    pub(super) fn new(packer: &'p Packer, bytes: usize) -> Self {
        Self {
            packer,
            run: Arc::default(),
            elsewhere: Elsewhere::Unknown,
            room: Room::new(bytes),
            read: Mutex::default(),
        }
    }

    /// Surveys the files of a scan.
    pub(super) fn of(
        &self,
        mut scan: Scan,
        recall: impl FnOnce(&Scan) -> CacheSession,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<Survey, PackError> {
        let (packer, run) = (self.packer, &self.run);
        let control = Control {
            progress,
            cancel,
            unread: &run.unread,
        };
        let past = Past::read(packer, &mut scan)?;
        control.check()?;
        progress.begin(Stage::Count, Some(scan.files.len()));
        let left_out = std::mem::take(&mut scan.left_out);
        let mut collected = Collected::new(&packer.options, scan.files.len(), left_out, run);
        let recall = recall(&scan);
        let reader = FileReader::new(packer, &recall, &run.unread);
        let work = |at: usize| self.surveyed(reader.file(&scan.files[at], at), past.as_ref());
        let take = |at: usize, surveyed| {
            progress.advance(1);
            collected.add(&scan.files[at], surveyed);
            control.flow()
        };
        let threads = packer.options.thread_count();
        ordered(scan.files.len(), threads, AHEAD, |_| 1, work, take);
        recall.finish();
        control.check()?;
        let unchanged = past.as_ref().map_or(0, |past| past.unchanged);
        let unscanned = std::mem::take(&mut collected.unscanned);
        let mut survey = collected.finish(&packer.source.name(), unchanged);
        survey.overview.revisions = revisions(packer);
        survey.warnings = scan.warnings.iter().cloned().collect();
        if past.is_some() {
            describe_changes(&packer.options.history, &mut survey);
        }
        if let Elsewhere::Unknown = self.elsewhere {
            let known = SecretLearner::new(packer, control).not_surveyed(&scan, &unscanned)?;
            run.secrets.know(&known);
            let new = run.warnings().into_iter();
            let new = new.filter(|warning| !scan.warnings.contains(warning));
            survey.warnings.extend(new);
        }
        add_texts(packer, &mut survey, past.as_ref())?;
        survey.secrets = run.secrets.found();
        survey.recorded = survey.secrets.len();
        Ok(survey)
    }

    fn surveyed(&self, file: SourceFile<'_>, past: Option<&Past>) -> Result<Surveyed, NotShown> {
        let (found, options) = (file.found(), file.options());
        let past = past.filter(|_| options.marks_changes());
        let form = options.shorten.form_of(&found.path);
        let form = form.unwrap_or_default();
        let read = self.take_read(found);
        if past.is_none()
            && form == Form::Whole
            && read.is_none()
            && let Some(known) = recalled(file)
        {
            let meta = known?;
            return Ok(Surveyed::recalled(&self.run, found.clone(), meta));
        }
        let mut loaded = match read {
            None => self.load_in_turn(file)?,
            Some(ReadFile::Shown(loaded)) => *loaded,
            Some(ReadFile::LeftOut { reason, secrets }) => {
                self.run.secrets.know(&secrets);
                return Err(NotShown {
                    reason,
                    is_scanned: true,
                });
            }
        };
        if let Some(past) = past {
            past.mark(found, &mut loaded, options.max_file_size);
        }
        if options.secrets.mode.hides() {
            let secrets = &self.run.secrets;
            secrets.know_findings(&loaded.text, &loaded.findings);
        }
        // A file with secrets is shortened after it is redacted.
        if loaded.findings.is_empty() {
            loaded = shortening(self.packer, form, loaded.text.len(), || {
                shortened_again(options, loaded, form, file.recall())
            });
        }
        Ok(Surveyed {
            kept: self.room.keep(loaded.text),
            findings: loaded.findings,
            form,
            ..Surveyed::recalled(&self.run, found.clone(), loaded.meta)
        })
    }

    /// Takes the file if an earlier pass read it.
    fn take_read(&self, found: &FoundFile) -> Option<ReadFile> {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        read.remove(found.actual_path())
    }

    /// Reads a file. Large files are read one at a time, so that several threads do not keep
    /// several of them in memory.
    fn load_in_turn(&self, file: SourceFile<'_>) -> Result<Loaded, Reason> {
        match load_within(file, file.options().max_file_size.min(LARGE)) {
            Err(Reason::TooLarge { size, .. }) if size > LARGE => {
                let _turn = self.room.large.lock();
                load(file)
            }
            result => result,
        }
    }
}

/// Describes the selection if the options select changes.
fn describe_changes(options: &HistoryOptions, survey: &mut Survey) {
    if options.highlight {
        survey.overview.marked_since = Some(options.base().to_owned());
    }
    if options.changed.is_some() && survey.files.is_empty() {
        survey.warnings.push(format!(
            "no file to pack changed since {}: the pack holds no files",
            options.base()
        ));
    }
}

fn revisions(packer: &Packer) -> Vec<Revision> {
    let revisions = packer.source.revisions().into_iter();
    let shown = |revision: loom_source::Revision| Revision {
        tree: revision.tree,
        name: revision.name,
        commit: revision.commit,
    };
    revisions.map(shown).collect()
}

struct Collected<'a> {
    options: &'a PackOptions,
    files: Vec<Surveyed>,
    left_out: Vec<LeftOut>,
    /// Skipped files whose text was not scanned for secrets.
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

    fn add(&mut self, found: &FoundFile, surveyed: Result<Surveyed, NotShown>) {
        match surveyed {
            Ok(file) => self.files.push(file),
            Err(NotShown { reason, is_scanned }) => {
                if reason != Reason::Binary && !is_scanned {
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
            recorded: 0,
            files: self.files,
            run: Arc::clone(self.run),
        }
    }
}
