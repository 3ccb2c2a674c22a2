//! The secrets of one run, and where they stood. The run first gathers the secrets of all
//! texts, and then redacts each of them everywhere.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use loom_base::{ContentHash, RepoPath};
use loom_engine::FoundSecret;
use loom_secrets::{Copies, Finding, Fingerprint, Numbers, Replaced, redact};
use loom_source::Reason;
use loom_store::Version;

use crate::cache::Looked;
use crate::options::{SecretsMode, SecretsOptions};
use crate::reading::SourceFile;

/// A tree that changes more often while it is packed is not one version any more.
const MOST_RELEARNT: usize = 8;

/// What a run knows about secrets so far.
#[derive(Debug, Default)]
pub(crate) struct Secrets(Mutex<SecretsState>);

#[derive(Debug, Default)]
struct SecretsState {
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

/// How often a secret is reported that stands several times in one path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DuplicatePolicy {
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

    fn with<T>(&self, work: impl FnOnce(&mut SecretsState) -> T) -> T {
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
    pub(crate) fn record(
        &self,
        mode: SecretsMode,
        path: &RepoPath,
        duplicates: DuplicatePolicy,
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
                if is_new || duplicates == DuplicatePolicy::EachTime {
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
        let once = DuplicatePolicy::Once;
        let plan = self.record(options.mode, path, once, &text, &findings);
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
