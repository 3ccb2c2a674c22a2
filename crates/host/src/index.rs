//! Derives everything that later runs want to know, and says what changed since the
//! last time.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use loom_base::ContentHash;
use loom_base::codec::{Reader, Writer};
use loom_source::{FolderWatch, FoundFile, Reason, Scan, decode};
use loom_store::{Seal, Version};
use loom_syntax::Language;

use crate::cache::{Facts, Looked, Met, Recall, Remember, revision, variant};
use crate::load::count;
use crate::look::Look;
use crate::map::Threads;
use crate::ordered::{Ahead, ordered};
use crate::search::{NO_TEXT, update_index};
use crate::{Cancel, PackError, Packer, Progress, Run, Stage, Survey};

const AHEAD: Ahead = Ahead {
    items: 256,
    weight: usize::MAX,
};

/// So many files that are known are looked up at a time.
const PART: usize = 512;

/// What an index covers, and what making it took.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexReport {
    /// The included files, as [`Packer::count`] counts them.
    pub files: usize,
    /// The tokens of their redacted text.
    pub tokens: usize,
    /// The bytes of that text.
    pub bytes: u64,
    /// Included files that the index did not know.
    pub added: usize,
    /// Files with other contents than the index knew.
    pub changed: usize,
    /// Files that are no longer there.
    pub removed: usize,
    /// Contents that no tree had had before: only these were worked on.
    pub derived: usize,
    /// How long it took.
    pub took: Duration,
    /// How long the last run took that began with nothing, where one is known.
    pub full: Option<Duration>,
}

/// Which files an index is made of.
#[derive(Clone, Debug, Default)]
pub struct IndexOptions {
    /// Only the structure of these languages; all of them when empty.
    pub languages: Vec<Language>,
    /// Says what changed and derives nothing.
    pub is_only_asked: bool,
    /// Counts the bytes and tokens of the report; otherwise they are 0.
    pub counts: bool,
}

/// What came of one file.
#[derive(Default)]
struct Indexed {
    is_included: bool,
    is_derived: bool,
    is_changed: bool,
    hash: Option<ContentHash>,
}

/// What came of a file, where that is known.
type Outcome = Option<Result<Indexed, Reason>>;

impl Packer {
    /// Brings what is remembered up to date, and the index that searches use.
    ///
    /// # Errors
    /// When a stop was asked for. What cannot be written is told by
    /// [`Packer::cache_warning`].
    pub fn index(
        &self,
        options: &IndexOptions,
        run: &Run,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<IndexReport, PackError> {
        let began = Instant::now();
        progress.begin(Stage::Scan, None);
        let (scan, memory) = self.scan_remembering(&run.unread, Remember::Facts);
        run.unread
            .note_large(&scan.files, self.options.max_file_size);
        let recall = self.recall_from(&scan.files, memory);
        let is_first = recall.is_first() && self.source.is_whole();
        let (recall, removed) = recall.marking(self.mark(options)).with_gone();
        let note = Note::read(recall.note().as_deref());
        let mut report = IndexReport {
            removed,
            full: note.as_ref().and_then(|note| note.full),
            ..IndexReport::default()
        };
        let known = self.all_known(&recall, options, &scan.files);
        let all = self.all_indexed((&scan.files, known), options, &recall, progress, cancel);
        let mut contents = Vec::with_capacity(all.len());
        let mut derived = HashSet::new();
        for (at, indexed) in all.into_iter().enumerate() {
            let indexed = indexed.transpose().unwrap_or_else(|reason| {
                run.unread.note(&scan.files[at], &reason);
                None
            });
            let indexed = indexed.unwrap_or_default();
            contents.push(indexed.hash.or(Some(NO_TEXT)));
            report.add(&indexed, recall.mark_of(at));
            derived.extend(indexed.hash.filter(|_| indexed.is_derived));
        }
        report.derived = derived.len();
        if cancel.is_cancelled() {
            recall.finish();
            return Err(PackError::Cancelled);
        }
        if !options.is_only_asked {
            recall.forget_gone();
            recall.finish();
            let files = (scan.files.as_slice(), contents.as_slice());
            match update_index((self, &run.unread), &recall, files, progress, cancel) {
                Err(PackError::Write(error)) => self.cache_failed(&error),
                updated => updated?,
            }
        }
        self.count_into(&mut report, options, cancel)?;
        report.took = began.elapsed();
        if !options.is_only_asked {
            let full = is_first.then_some(report.took).or(report.full);
            recall.set_note(&Note { full }.write());
        }
        Ok(report)
    }

    /// Adds the totals to a report. Somebody who only asks must not fill the cache.
    fn count_into(
        &self,
        report: &mut IndexReport,
        options: &IndexOptions,
        cancel: &Cancel,
    ) -> Result<(), PackError> {
        if options.counts {
            let has_news = report.added + report.changed + report.removed > 0;
            let counted = match options.is_only_asked && has_news {
                true => self.count_without_cache(cancel)?,
                false => self.count(cancel)?,
            };
            report.set_totals(&counted);
        }
        Ok(())
    }

    /// What comes of each file. Most of most runs are known: only the others are worth
    /// handing around.
    fn all_indexed(
        &self,
        (files, mut all): (&[FoundFile], Vec<Outcome>),
        options: &IndexOptions,
        recall: &Recall<'_>,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Vec<Outcome> {
        progress.begin(Stage::Index, Some(files.len()));
        let others: Vec<usize> = (0..all.len()).filter(|&at| all[at].is_none()).collect();
        progress.advance(all.len() - others.len());
        ordered(
            others.len(),
            self.options.thread_count(),
            AHEAD,
            |_| 1,
            |other| {
                let at = others[other];
                match options.is_only_asked {
                    true => self.asked(&files[at], (recall, at)),
                    false => self.indexed(&files[at], options, (recall, at)),
                }
            },
            |other, indexed| {
                progress.advance(1);
                all[others[other]] = Some(indexed);
                flow(cancel)
            },
        );
        all
    }

    /// Stands for what decides about everything that is derived; more than 0.
    fn mark(&self, options: &IndexOptions) -> i64 {
        let languages: Vec<_> = options.languages.iter().map(|one| one.id()).collect();
        let tokenizer = self.options.model.tokenizer;
        let least = self.options.secrets.least().name();
        let memory = self.options.parse_limits().memory;
        let way = format!(
            "{} {tokenizer:?} {least} {languages:?} {memory}",
            revision()
        );
        (variant(&[way.as_bytes()]) & i64::MAX) | 1
    }

    /// What is known about a file, and whether it changed, without deriving anything.
    fn asked(
        &self,
        file: &FoundFile,
        (recall, at): (&Recall<'_>, usize),
    ) -> Result<Indexed, Reason> {
        let reading = self.source.read(file, self.options.max_file_size)?;
        let is_changed = !is_before(recall, at, &reading.hash);
        let decoded = decode(reading.bytes).map_err(|_| Reason::Binary)?;
        let (look, _) = Look::at(file, decoded);
        Ok(Indexed {
            is_changed,
            is_included: look.left_out(file, &self.options).is_none(),
            ..Indexed::default()
        })
    }

    /// The files that did not change and about which everything is known.
    fn all_known(
        &self,
        recall: &Recall<'_>,
        options: &IndexOptions,
        files: &[FoundFile],
    ) -> Vec<Outcome> {
        let is_asked = |at: &usize| options.is_only_asked || recall.is_marked(*at);
        let known = |at: usize| {
            Some(at)
                .filter(is_asked)
                .and_then(|at| self.known(&files[at], (recall, at)))
        };
        let count = files.len();
        let part = |part: usize| {
            let numbers = part * PART..count.min((part + 1) * PART);
            numbers.map(known).collect::<Vec<_>>()
        };
        let threads = Threads(self.options.thread_count());
        threads
            .map(count.div_ceil(PART), part)
            .into_iter()
            .flatten()
            .collect()
    }

    /// A file that did not change and about which everything is known.
    fn known(&self, file: &FoundFile, (recall, at): (&Recall<'_>, usize)) -> Outcome {
        let (size, version) = recall.version(at)?;
        let limit = self.options.max_file_size;
        if size > limit {
            return Some(Err(Reason::TooLarge { size, limit }));
        }
        let Version::Content(content, hash) = version else {
            return Some(Err(Reason::Binary));
        };
        let facts = recall.facts(at, content, &self.options)?;
        Some(Ok(Indexed {
            hash: Some(*hash),
            is_included: facts.look.left_out(file, &self.options).is_none(),
            ..Indexed::default()
        }))
    }

    fn indexed(
        &self,
        file: &FoundFile,
        options: &IndexOptions,
        (recall, at): (&Recall<'_>, usize),
    ) -> Result<Indexed, Reason> {
        let limit = self.options.max_file_size;
        let (reading, _held) = self.read_in_turn(file, limit, (recall, at))?;
        let hash = reading.hash;
        let is_changed = !is_before(recall, at, &hash);
        let met = recall.met(at, &reading);
        let seal = Seal::of(&reading.bytes);
        let decoded = recall.decoded(at, reading)?;
        let (look, text) = Look::at(file, decoded);
        let Some(met) = met else {
            return Err(Reason::Vanished);
        };
        let known = met.content();
        let facts = known.and_then(|content| recall.facts(at, content, &self.options));
        let is_derived = facts.is_none();
        let facts = facts.unwrap_or_else(|| {
            let counts = count(&text, &self.options);
            let facts = Facts { look, counts };
            recall.keep_facts(&file.path, &met, &facts, &self.options);
            facts
        });
        self.index_secrets(file, &text, &met, (recall, at));
        self.index_structure(options, &facts.look, &text, (&met, &seal), recall);
        Ok(Indexed {
            is_derived,
            is_changed,
            is_included: facts.look.left_out(file, &self.options).is_none(),
            hash: Some(hash),
        })
    }

    fn index_secrets(
        &self,
        file: &FoundFile,
        text: &str,
        met: &Met,
        (recall, at): (&Recall<'_>, usize),
    ) {
        let secrets = &self.options.secrets;
        let how = (&self.options, Looked::Shown);
        let is_known = |content| recall.is_clean(at, &file.path, content, how);
        if secrets.looks_into(&file.path)
            && !met.content().is_some_and(is_known)
            && secrets.scan(&file.path, text).is_empty()
        {
            recall.keep_clean(&file.path, met, how);
        }
    }

    fn index_structure(
        &self,
        options: &IndexOptions,
        look: &Look,
        text: &str,
        (met, seal): (&Met, &Seal),
        recall: &Recall<'_>,
    ) {
        let wanted = |language: &Language| {
            options.languages.is_empty() || options.languages.contains(language)
        };
        let limits = self.options.parse_limits();
        if let Some(language) = look.language.filter(wanted)
            && !recall.has_structure(met, language, &limits)
        {
            let structure = self.extract(language, text, &limits);
            recall.keep_structure(met, seal, language, &limits, &structure);
        }
    }

    /// Watches the folders that files are found in; `None` where that cannot be done.
    pub fn watch(&self) -> Option<FolderWatch> {
        let scan: Scan = self.listed(&self.options.scan);
        self.source.watch(&scan)
    }
}

impl IndexReport {
    fn set_totals(&mut self, counted: &Survey) {
        self.files = counted.overview.files;
        self.tokens = counted.overview.tokens;
        self.bytes = counted.overview.bytes as u64;
    }

    /// Counts a file as added or changed. `mark` as the recall tells it.
    fn add(&mut self, one: &Indexed, mark: i64) {
        if !one.is_included {
            return;
        }
        self.files += 1;
        match mark {
            0 => self.added += 1,
            mark => self.changed += usize::from(one.is_changed || mark < 0),
        }
    }
}

fn flow(cancel: &Cancel) -> ControlFlow<()> {
    match cancel.is_cancelled() {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    }
}

/// Whether the file number `at` had these contents when somebody looked last.
fn is_before(recall: &Recall<'_>, at: usize, hash: &ContentHash) -> bool {
    let version = recall.version(at).map(|(_, version)| version);
    let before = version.or_else(|| recall.before(at));
    matches!(before, Some(Version::Content(_, before)) if before == hash)
}

/// What is noted about an index.
struct Note {
    /// How long all of it took, where that was ever done at once.
    full: Option<Duration>,
}

impl Note {
    fn write(&self) -> Vec<u8> {
        let mut out = Writer::new();
        // Earlier versions had something here.
        out.text("");
        let full = self.full.map_or(0, |full| full.as_millis().max(1));
        out.number(u64::try_from(full).unwrap_or(u64::MAX));
        out.finish()
    }

    fn read(bytes: Option<&[u8]>) -> Option<Self> {
        let mut from = Reader::new(bytes?);
        from.text()?;
        let full = Some(from.number()?).filter(|full| *full > 0);
        Some(Self {
            full: full.map(Duration::from_millis),
        })
    }
}
