//! Builds or updates the cache and the search index, and reports changes since the last run.

#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::time::{Duration, Instant};

use loom_base::ContentHash;
use loom_base::codec::{Reader, Writer};
use loom_source::{FoundFile, Reason};
use loom_store::Version;
use loom_syntax::Language;

use crate::cache::{CacheSession, Remember, ScanTarget, revision, variant};
use crate::control::Control;
use crate::load::Loaded;
use crate::look::left_out_by_looks;
use crate::ordered::{Lookahead, ordered};
use crate::reading::{FileReader, FileText, SourceFile};
use crate::search::{IndexUpdate, NO_TEXT, begin_index_update, contents};
use crate::survey::{ReadFile, ReadFiles, Room};
use crate::threads::Threads;
use crate::{Cancel, FileCounter, PackError, Packer, Progress, Run, Stage, Survey};

/// Limits results that wait for earlier ones, only by number: [`Room`] limits their texts.
const AHEAD: Lookahead = Lookahead {
    items: 256,
    weight: usize::MAX,
};

/// Number of files that a thread looks up in the cache at a time.
const PART: usize = 512;

/// Size of an index, and the work of its last update.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexReport {
    /// Number of included files, as [`FileCounter::count`] counts them.
    pub files: usize,
    /// Number of tokens in their redacted text.
    pub tokens: usize,
    /// Size of that text.
    pub bytes: u64,
    /// Number of included files that are new to the index.
    pub added: usize,
    /// Number of files with other contents than in the index.
    pub changed: usize,
    /// Number of files that no longer exist.
    pub removed: usize,
    /// Number of distinct contents that were not cached: only these were analyzed.
    pub derived: usize,
    /// Duration.
    pub took: Duration,
    /// Duration of the last run that began without an index, if known.
    pub full: Option<Duration>,
}

/// Selects the work of an index run.
#[derive(Clone, Debug, Default)]
pub struct IndexOptions {
    /// Languages whose structure is cached; empty for all.
    pub languages: Vec<Language>,
    /// Reports changes without deriving anything.
    pub is_only_asked: bool,
    /// Counts the bytes and tokens of the report; otherwise they are 0.
    pub counts: bool,
}

/// Outcome for one file.
#[derive(Default)]
struct Indexed {
    is_included: bool,
    is_derived: bool,
    is_changed: bool,
    hash: Option<ContentHash>,
    /// The file, if its text is kept.
    read: Option<ReadFile>,
}

/// Outcome for a file; `None` while unknown.
type Outcome = Option<Result<Indexed, Reason>>;

/// Updates the cache and the search index. Each file that has to be read is read once.
///
/// # Errors
/// If the caller cancels. [`Packer::cache_warning`] reports failed writes.
pub fn update_index(
    packer: &Packer,
    options: &IndexOptions,
    run: &Run,
    progress: &dyn Progress,
    cancel: &Cancel,
) -> Result<IndexReport, PackError> {
    let began = Instant::now();
    progress.begin(Stage::Scan, None);
    let (scan, memory) = packer.scan_remembering(&run.unread, Remember::Facts);
    run.unread
        .note_large(&scan.files, packer.options.max_file_size);
    let recall = packer.recall_from(&scan.files, memory);
    let is_first = recall.is_first() && packer.source.is_whole();
    let (recall, removed) = recall.marking(mark(packer, options)).with_gone();
    let note = Note::read(recall.note().as_deref());
    let control = Control {
        progress,
        cancel,
        unread: &run.unread,
    };
    let pass = IndexPass::new(packer, options, &recall, &scan.files, control);
    let (mut report, read) = pass.run()?;
    // Other commands cache files, too; only an index can lose one.
    report.removed = note.as_ref().map_or(0, |_| removed);
    report.full = note.and_then(|note| note.full);
    if options.counts {
        let counter = FileCounter::new(packer, cancel);
        let news = report.added + report.changed + report.removed;
        // A run that only reports changes must not fill the cache.
        let counted = match (options.is_only_asked, news) {
            (false, _) => counter.count_read(scan, recall.began(), read, control.unread)?,
            (true, 0) => counter.count()?,
            (true, _) => counter.count_without_cache()?,
        };
        report.set_totals(&counted);
    }
    report.took = began.elapsed();
    if !options.is_only_asked {
        let full = is_first.then_some(report.took).or(report.full);
        recall.set_note(&Note { full }.write());
    }
    Ok(report)
}

/// Returns a fingerprint of everything that decides about derived values. It is above 0,
/// because 0 marks files that no index has seen.
fn mark(packer: &Packer, options: &IndexOptions) -> i64 {
    let languages: Vec<_> = options.languages.iter().map(|one| one.id()).collect();
    let tokenizer = packer.options.model.tokenizer;
    let least = packer.options.secrets.least().name();
    let memory = packer.options.parse_limits().memory;
    let way = format!(
        "{} {tokenizer:?} {least} {languages:?} {memory}",
        revision()
    );
    (variant(&[way.as_bytes()]) & i64::MAX) | 1
}

/// One pass over the files of an index.
struct IndexPass<'a> {
    options: &'a IndexOptions,
    reader: FileReader<'a>,
    files: &'a [FoundFile],
    control: Control<'a>,
    packer: &'a Packer,
    /// Update of the search index, if it changes.
    update: Option<IndexUpdate<'a>>,
    /// Memory for texts that are counted after the pass.
    room: Room,
}

impl<'a> IndexPass<'a> {
    fn new(
        packer: &'a Packer,
        options: &'a IndexOptions,
        recall: &'a CacheSession,
        files: &'a [FoundFile],
        control: Control<'a>,
    ) -> Self {
        let contents = contents(recall, files.len());
        let update = match options.is_only_asked {
            true => None,
            false => begin_index_update(packer, &contents),
        };
        let counts = options.counts && !options.is_only_asked;
        Self {
            options,
            reader: FileReader::new(packer, recall, control.unread),
            files,
            control,
            packer,
            update,
            room: Room::new(match counts {
                true => packer.options.memory().kept(),
                false => 0,
            }),
        }
    }

    /// Derives missing values and collects the changes. Also returns the files whose texts were
    /// kept.
    fn run(mut self) -> Result<(IndexReport, ReadFiles), PackError> {
        let mut report = IndexReport::default();
        let recall = self.reader.recall();
        let all = self.all_indexed();
        let mut contents = Vec::with_capacity(all.len());
        let (mut derived, mut read) = (HashSet::new(), ReadFiles::default());
        for (at, indexed) in all.into_iter().enumerate() {
            let indexed = indexed.transpose().unwrap_or_else(|reason| {
                self.control.unread.note(&self.files[at], &reason);
                None
            });
            let indexed = indexed.unwrap_or_default();
            contents.push(indexed.hash.or(Some(NO_TEXT)));
            report.add(&indexed, recall.mark_of(at));
            derived.extend(indexed.hash.filter(|_| indexed.is_derived));
            read.extend(
                indexed
                    .read
                    .map(|file| (self.files[at].actual_path().clone(), file)),
            );
        }
        report.derived = derived.len();
        let is_cancelled = self.control.cancel.is_cancelled();
        if !self.options.is_only_asked && !is_cancelled {
            recall.forget_gone();
        }
        if !self.options.is_only_asked || is_cancelled {
            recall.finish();
        }
        self.control.check()?;
        if let Some(update) = self.update.take()
            && let Err(error) = update.write_all(&contents)
        {
            self.packer.cache_failed(&error);
        }
        self.control.check()?;
        Ok((report, read))
    }

    /// Returns the outcome for each file. Most files of most runs are cached, so that only the
    /// others are worth distributing one by one.
    fn all_indexed(&self) -> Vec<Outcome> {
        let Control { progress, .. } = self.control;
        let mut all = self.all_known();
        progress.begin(Stage::Index, Some(all.len()));
        let others: Vec<usize> = (0..all.len()).filter(|&at| all[at].is_none()).collect();
        progress.advance(all.len() - others.len());
        ordered(
            others.len(),
            self.packer.options.thread_count(),
            AHEAD,
            |_| 1,
            |other| {
                let at = others[other];
                match self.options.is_only_asked {
                    true => self.asked(&self.files[at], at),
                    false => self.indexed(self.reader.file(&self.files[at], at)),
                }
            },
            |other, indexed| {
                progress.advance(1);
                all[others[other]] = Some(indexed);
                self.control.flow()
            },
        );
        all
    }

    /// Returns the outcomes of unchanged files with complete cache entries, and `None` for others.
    fn all_known(&self) -> Vec<Outcome> {
        let recall = self.reader.recall();
        let is_asked = |at: &usize| self.options.is_only_asked || recall.is_marked(*at);
        let known = |at: usize| {
            let file = |at: usize| self.reader.file(&self.files[at], at);
            Some(at)
                .filter(is_asked)
                .and_then(|at| self.known(file(at)))
        };
        let count = self.files.len();
        let part = |part: usize| {
            let numbers = part * PART..count.min((part + 1) * PART);
            numbers.map(known).collect::<Vec<_>>()
        };
        let threads = Threads(self.packer.options.thread_count());
        threads
            .map(count.div_ceil(PART), part)
            .into_iter()
            .flatten()
            .collect()
    }

    /// Returns the outcome of an unchanged file with complete cache entries.
    fn known(&self, file: SourceFile<'_>) -> Outcome {
        let (size, version) = file.version()?;
        let limit = self.packer.options.max_file_size;
        if size > limit {
            return Some(Err(Reason::TooLarge { size, limit }));
        }
        let Version::Content(_, hash) = version else {
            return Some(Err(Reason::Binary));
        };
        if let Some(update) = &self.update
            && update.needs(Some(*hash))
        {
            return None;
        }
        let facts = file.cached_facts()?;
        let left_out = left_out_by_looks(&facts.look, file.found(), file.options());
        Some(Ok(Indexed {
            hash: Some(*hash),
            is_included: left_out.is_none(),
            ..Indexed::default()
        }))
    }

    /// Reports whether a file is included and changed, without deriving anything.
    fn asked(&self, found: &FoundFile, at: usize) -> Result<Indexed, Reason> {
        let text = FileReader::uncached(self.packer, self.control.unread)
            .file(found, at)
            .read()?;
        let file = self.reader.file(found, at);
        Ok(Indexed {
            is_changed: file.is_changed_from_cache(&text.hash()),
            is_included: left_out_by_looks(&text.look(), found, file.options()).is_none(),
            ..Indexed::default()
        })
    }

    fn indexed(&self, file: SourceFile<'_>) -> Result<Indexed, Reason> {
        let text = file.read()?;
        let is_derived = !text.has_cached_facts();
        let left_out = left_out_by_looks(&text.facts().look, file.found(), file.options());
        text.findings(ScanTarget::Shown);
        if text.language().is_some_and(|one| self.options.wants(one)) {
            text.cache_structure();
        }
        if let Some(update) = &self.update {
            update.add(&text);
        }
        Ok(Indexed {
            is_derived,
            is_changed: file.is_changed_from_cache(&text.hash()),
            is_included: left_out.is_none(),
            hash: Some(text.hash()),
            read: self.kept(text, left_out),
        })
    }

    /// Keeps a file that is counted later, if there is room for its text.
    fn kept(&self, text: FileText<'_>, left_out: Option<Reason>) -> Option<ReadFile> {
        if !self.options.counts {
            return None;
        }
        if let Some(reason) = left_out {
            return Some(ReadFile::left_out(&text, reason));
        }
        let loaded = Loaded::describe(text).ok()?;
        let text = self.room.keep(loaded.text)?;
        Some(ReadFile::Shown(Box::new(Loaded { text, ..loaded })))
    }
}

impl IndexOptions {
    fn wants(&self, language: Language) -> bool {
        self.languages.is_empty() || self.languages.contains(&language)
    }
}

impl IndexReport {
    fn set_totals(&mut self, counted: &Survey) {
        self.files = counted.overview.files;
        self.tokens = counted.overview.tokens;
        self.bytes = counted.overview.bytes as u64;
    }

    /// Counts a file as added or changed; `mark` comes from [`CacheSession::mark_of`].
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

/// Metadata of an index.
struct Note {
    /// Duration of the last run that began without an index, if known.
    full: Option<Duration>,
}

impl Note {
    fn write(&self) -> Vec<u8> {
        let mut out = Writer::new();
        // Earlier versions stored a text here.
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
