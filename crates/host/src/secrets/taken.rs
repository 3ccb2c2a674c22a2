//! Redacts the secrets of every text of a run, and records where they stood. The run first
//! gathers the secrets of all texts, and then redacts each of them everywhere.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use loom_base::{ContentHash, RepoPath};
use loom_engine::{FileMeta, Note, describe};
use loom_secrets::{Copies, Finding, Fingerprint, Numbers, Replaced, redact};
use loom_source::Reason;
use loom_store::Version;

use crate::cache::Looked;
use crate::found_secret::FoundSecret;
use crate::load::{Loaded, Shown};
use crate::options::{SecretsMode, SecretsOptions};
use crate::ordered::{ordered, ordered_by_result};
use crate::reading::SourceFile;
use crate::shorten::shortened;
use crate::survey::Surveyed;
use crate::{PackOptions, Packer, Run};

/// A tree that changes more often while it is packed is not one version any more.
const MOST_RELEARNT: usize = 8;

/// What a run knows about secrets so far.
#[derive(Debug, Default)]
pub(crate) struct Secrets(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    numbers: Numbers,
    found: Vec<FoundSecret>,
    /// Those in `found`, by path.
    met: HashSet<(String, Fingerprint)>,
    /// What is known from all texts, while it is gathered.
    gathered: Option<Gathered>,
    /// The same when that is done.
    copies: Arc<Copies>,
    /// How often all secrets were learnt again.
    relearnt: usize,
}

/// What was met while secrets are gathered.
#[derive(Debug, Default)]
struct Gathered {
    copies: Copies,
    is_any: bool,
}

/// A file that was looked at.
pub(crate) struct Scanned {
    /// Its bytes.
    pub(crate) size: u64,
    /// The version that was looked at.
    pub(crate) hash: Option<ContentHash>,
    /// Its text, if it was read and is needed again.
    pub(crate) text: Option<String>,
    pub(crate) findings: Vec<Finding>,
}

impl Scanned {
    fn nothing(size: u64, hash: ContentHash) -> Self {
        Self {
            size,
            hash: Some(hash),
            text: None,
            findings: Vec::new(),
        }
    }
}

/// How often a secret is told that stands several times in one path.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Told {
    EachTime,
    Once,
}

impl Secrets {
    /// Redacts these secrets wherever they stand, besides those that the run finds.
    pub(crate) fn know(&self, copies: &Copies) {
        self.with(|known| {
            if !copies.is_empty() {
                Arc::make_mut(&mut known.copies).extend(copies);
            }
        });
    }

    /// Redacts the findings in `text` wherever else they stand.
    pub(crate) fn know_findings(&self, text: &str, findings: &[Finding]) {
        if !findings.is_empty() {
            self.with(|known| Arc::make_mut(&mut known.copies).add(text, findings));
        }
    }

    /// Counts another time of learning all secrets; says whether that is worth it.
    pub(crate) fn may_relearn(&self) -> bool {
        self.with(|known| {
            known.relearnt += 1;
            known.relearnt <= MOST_RELEARNT
        })
    }

    /// Everything that was found, in the order of the output.
    pub(crate) fn found(&self) -> Vec<FoundSecret> {
        self.with(|known| known.found.clone())
    }

    /// From now on secrets are only gathered.
    pub(crate) fn begin_to_gather(&self, has_findings: bool) {
        self.with(|known| {
            let copies = Copies::clone(&known.copies);
            known.gathered = Some(Gathered {
                is_any: has_findings || !copies.is_empty(),
                copies,
            });
        });
    }

    /// From now on what was gathered is taken out; says whether there is any.
    pub(crate) fn end_of_gathering(&self) -> bool {
        self.with(|known| {
            let gathered = known.gathered.take().unwrap_or_default();
            known.copies = Arc::new(gathered.copies);
            gathered.is_any
        })
    }

    pub(crate) fn copies(&self) -> Arc<Copies> {
        self.with(|known| Arc::clone(&known.copies))
    }

    fn with<T>(&self, work: impl FnOnce(&mut Known) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Gathers `findings`; says whether it is time for that.
    fn gather(&self, text: &str, findings: &[Finding]) -> bool {
        self.with(|known| {
            let Some(gathered) = &mut known.gathered else {
                return false;
            };
            gathered.copies.add(text, findings);
            gathered.is_any |= !findings.is_empty();
            true
        })
    }

    /// Remembers `findings` in the text of `path`, and plans what stands in their
    /// place; nothing, where they are left.
    fn record(
        &self,
        mode: SecretsMode,
        (path, told): (&RepoPath, Told),
        text: &str,
        findings: &[Finding],
    ) -> Vec<Replaced> {
        self.with(|known| {
            let plan = match mode {
                SecretsMode::Redact => Replaced::plan(text, findings, &mut known.numbers),
                _ => Vec::new(),
            };
            let found = FoundSecret::all(path, text, findings);
            for (at, mut one) in found.into_iter().enumerate() {
                one.placeholder = plan.get(at).map(|one| one.label.clone());
                let is_new = known.met.insert((one.path.clone(), one.fingerprint));
                if is_new || told == Told::EachTime {
                    known.found.push(one);
                }
            }
            plan
        })
    }

    /// A text that is no file of its own, without its secrets. As it is, while they
    /// are gathered: it is asked for again then.
    pub(crate) fn clean(&self, options: &SecretsOptions, path: &RepoPath, text: String) -> String {
        let findings = options.scan(path, &text);
        if self.gather(&text, &findings) {
            return text;
        }
        let findings = options.with_copies(path, &text, findings, &self.copies());
        if findings.is_empty() {
            return text;
        }
        // What stands in a file and in its diff is told once.
        let plan = self.record(options.mode, (path, Told::Once), &text, &findings);
        redact(&text, &plan)
    }
}

/// Whether it is known, without reading it, that a file has no secrets.
pub(crate) fn is_known_clean(file: SourceFile<'_>) -> bool {
    match file.version() {
        None => false,
        Some((_, Version::Binary)) => true,
        Some((size, Version::Content(..))) => {
            size > file.options().learning_limit()
                || !file.options().secrets.looks_into(file.path())
                || file.is_cached_clean(Looked::File)
        }
    }
}

/// Looks for the secrets of one file. One that is known to have none is not read. The text is
/// kept only if there are secrets in it.
pub(crate) fn scanned(file: SourceFile<'_>) -> Result<Scanned, Reason> {
    let scanned = scanned_with_text(file)?;
    let text = scanned.text.filter(|_| !scanned.findings.is_empty());
    Ok(Scanned { text, ..scanned })
}

/// The same with the text of each file that was read.
pub(super) fn scanned_with_text(file: SourceFile<'_>) -> Result<Scanned, Reason> {
    let limit = file.options().learning_limit();
    let looks = file.options().secrets.looks_into(file.path());
    match file.version() {
        Some((size, _)) if size > limit => return Err(Reason::TooLarge { size, limit }),
        Some((_, Version::Binary)) => return Err(Reason::Binary),
        Some((size, Version::Content(_, hash))) if !looks || file.is_cached_clean(Looked::File) => {
            return Ok(Scanned::nothing(size, *hash));
        }
        _ => {}
    }
    let text = file.read_within(limit)?;
    let (size, hash) = (text.size(), text.hash());
    let findings = text.findings(Looked::File).to_vec();
    Ok(Scanned {
        size,
        hash: Some(hash),
        text: Some(text.into_text()),
        findings,
    })
}

impl Packer {
    /// Redacts the secrets of the surveyed files. Each is numbered in the order of the files,
    /// so that numbers do not depend on threads.
    pub(crate) fn take_secrets_out(&self, run: &Run, files: &mut [Surveyed]) {
        let plans = self.plan_redaction(run, files);
        let which: Vec<usize> = (0..files.len()).filter(|at| plans[*at].is_some()).collect();
        let work = |at: usize| {
            let (file, plan) = (&files[which[at]], plans[which[at]].as_deref()?);
            Some(self.redacted(file, &self.unredacted(file)?, plan))
        };
        let mut redacted = Vec::with_capacity(which.len());
        let threads = self.options.thread_count();
        let weight = |at: usize| files[which[at]].meta.bytes;
        ordered(
            which.len(),
            threads,
            self.options.memory().ahead(),
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
            // One that changed meanwhile keeps its findings and is scanned again when it is
            // written.
            if let Some((meta, replaced, kept)) = redacted {
                let file = &mut files[at];
                (file.meta, file.replaced, file.kept) = (meta, replaced, kept);
                file.findings.clear();
            }
        }
    }

    /// Finds the secrets of all files, with copies of those of others, and plans what stands
    /// in their place. `None` for files without any.
    fn plan_redaction(&self, run: &Run, files: &mut [Surveyed]) -> Vec<Option<Vec<Replaced>>> {
        let copies = run.secrets.copies();
        let work = |at: usize| {
            let file: &Surveyed = &files[at];
            if copies.is_empty() && file.findings.is_empty() {
                return None;
            }
            let Some(text) = self.unredacted(file) else {
                return Some(None);
            };
            let (options, path) = (&self.options.secrets, &file.meta.path);
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
            self.options.thread_count(),
            self.options.memory().waiting(256),
            held,
            work,
            |at, found| {
                if let Some(None) = found {
                    unplanned.push(at);
                }
                let plan = found.flatten().map(|(text, findings)| {
                    let path = (&files[at].meta.path, Told::EachTime);
                    let mode = self.options.secrets.mode;
                    let plan = run.secrets.record(mode, path, &text, &findings);
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

    /// The text of a surveyed file with its secrets; `None` if it changed. A file that was
    /// shortened is read again: a cut could hide a part of a secret.
    fn unredacted<'a>(&self, file: &'a Surveyed) -> Option<Cow<'a, str>> {
        match &file.kept {
            Some(text) if file.meta.shortened.is_none() => Some(Cow::Borrowed(text)),
            _ => self.text_as_surveyed(file).map(Cow::Owned),
        }
    }

    /// The file with the planned places replaced, and shortened only after that.
    fn redacted(&self, file: &Surveyed, text: &str, plan: &[Replaced]) -> Loaded {
        let mut meta = file.meta.clone();
        undo_shortening(&self.options, &mut meta, text);
        let text = match plan.is_empty() {
            true => text.to_owned(),
            false => {
                let clean = redact(text, plan);
                describe_again(&self.options, &mut meta, &clean, plan.len());
                clean
            }
        };
        let loaded = Loaded {
            meta,
            text,
            findings: Vec::new(),
            replaced: plan.into(),
            met: None,
        };
        self.shortening(file.form, loaded.text.len(), || {
            shortened(&self.options, loaded, file.form)
        })
    }

    /// A file that changed after the survey, without its secrets. Where nothing was to
    /// be written with secrets in it, they are taken out: it is too late to refuse.
    pub(crate) fn without_secrets(&self, run: &Run, mut loaded: Loaded) -> Loaded {
        let options = &self.options.secrets;
        let findings = std::mem::take(&mut loaded.findings);
        let (path, copies) = (&loaded.meta.path, run.secrets.copies());
        let findings = options.with_copies(path, &loaded.text, findings, &copies);
        if findings.is_empty() {
            return loaded;
        }
        // It may be read several times.
        let path = (&loaded.meta.path, Told::Once);
        let plan = self.late_plan(run, path, &loaded.text, &findings);
        if !plan.is_empty() {
            loaded.text = redact(&loaded.text, &plan);
            describe_again(&self.options, &mut loaded.meta, &loaded.text, plan.len());
            loaded.replaced = plan.into();
        }
        loaded
    }

    /// A text in which `findings` are, without them.
    pub(crate) fn clean(
        &self,
        run: &Run,
        path: &RepoPath,
        mut shown: Shown,
        findings: &[Finding],
    ) -> Shown {
        let plan = match findings {
            [] => Vec::new(),
            findings => self.late_plan(run, (path, Told::EachTime), &shown.text, findings),
        };
        if !plan.is_empty() {
            shown.text = redact(&shown.text, &plan);
            shown.notes.push(Note::Redacted(plan.len()));
        }
        shown
    }

    /// What stands in the place of `findings` in a text that is about to be written.
    fn late_plan(
        &self,
        run: &Run,
        path: (&RepoPath, Told),
        text: &str,
        findings: &[Finding],
    ) -> Vec<Replaced> {
        let mode = match self.options.secrets.mode {
            SecretsMode::Fail => SecretsMode::Redact,
            mode => mode,
        };
        run.secrets.record(mode, path, text, findings)
    }
}

/// Describes a file that was made shorter as it was.
fn undo_shortening(options: &PackOptions, meta: &mut FileMeta, text: &str) {
    if meta.shortened.take().is_some() {
        let is_other =
            |note: &Note| !matches!(note, Note::Shortened { .. } | Note::ShortenedLines { .. });
        meta.notes.retain(is_other);
        describe_text(options, meta, text);
    }
}

/// Counts a file again whose text was changed, and says so.
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
