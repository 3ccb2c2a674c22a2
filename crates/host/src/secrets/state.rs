//! The secrets of one run with their locations. The run first gathers the secrets of all texts, and
//! then redacts each of them everywhere.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use loom_base::{ContentHash, RepoPath};
use loom_engine::FoundSecret;
use loom_secrets::{Copies, Finding, Fingerprint, Numbers, Replaced, redact};
use loom_source::Reason;
use loom_store::Version;

use crate::cache::ScanTarget;
use crate::options::{SecretsMode, SecretsOptions};
use crate::reading::{FileText, SourceFile};

/// Maximum number of repeated collections: files that change more often during a run have no
/// consistent state.
const MOST_RELEARNT: usize = 8;

/// Known secrets of a run so far.
#[derive(Debug, Default)]
pub(crate) struct Secrets(Mutex<SecretsState>);

#[derive(Debug, Default)]
struct SecretsState {
    numbers: Numbers,
    found: Vec<FoundSecret>,
    /// The secrets in `found`, by path.
    met: HashSet<(String, Fingerprint)>,
    /// The secrets of texts that are not files, by path: a diff shows both sides of a file.
    in_sections: HashSet<(String, Fingerprint)>,
    /// Secrets of all texts, during the gathering.
    gathered: Option<Gathered>,
    /// Secrets of all texts, after the gathering.
    copies: Arc<Copies>,
    /// Number of repeated collections.
    relearnt: usize,
}

/// Secrets found during the gathering.
#[derive(Debug, Default)]
struct Gathered {
    copies: Copies,
    is_any: bool,
}

/// A scanned file.
pub(crate) struct Scanned {
    /// Its size in bytes.
    pub(crate) size: u64,
    /// Content hash of the scanned version.
    pub(crate) hash: Option<ContentHash>,
    /// Its text, if it was read and is still needed.
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

/// Whether a secret that occurs several times in one path is reported each time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DuplicatePolicy {
    EachTime,
    Once,
}

impl Secrets {
    /// Redacts these secrets everywhere, in addition to those that the run finds.
    pub(crate) fn know(&self, copies: &Copies) {
        self.with(|known| {
            if !copies.is_empty() {
                Arc::make_mut(&mut known.copies).extend(copies);
            }
        });
    }

    /// Redacts the findings in `text` everywhere.
    pub(crate) fn know_findings(&self, text: &str, findings: &[Finding]) {
        if !findings.is_empty() {
            self.with(|known| Arc::make_mut(&mut known.copies).add(text, findings));
        }
    }

    /// Counts a repeated collection. Returns false if there were too many.
    pub(crate) fn may_relearn(&self) -> bool {
        self.with(|known| {
            known.relearnt += 1;
            known.relearnt <= MOST_RELEARNT
        })
    }

    /// Returns all findings, in the order of the output.
    pub(crate) fn found(&self) -> Vec<FoundSecret> {
        self.with(|known| known.found.clone())
    }

    /// Returns true if a section or another text outside the files shows the secret.
    pub(crate) fn is_in_section(&self, one: &FoundSecret) -> bool {
        let key = (one.path.clone(), one.fingerprint);
        self.with(|known| known.in_sections.contains(&key))
    }

    /// Begins the gathering of secrets.
    pub(crate) fn begin_to_gather(&self, has_findings: bool) {
        self.with(|known| {
            let copies = Copies::clone(&known.copies);
            known.gathered = Some(Gathered {
                is_any: has_findings || !copies.is_empty(),
                copies,
            });
        });
    }

    /// Ends the gathering: the gathered secrets are redacted from now on. Returns true if there are
    /// some.
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

    /// Adds `findings` to the gathered secrets. Returns false if the gathering is over.
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

    /// Records `findings` in the text of `path` and plans their placeholders. The plan is empty if
    /// the mode does not redact.
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

    /// Redacts a text that is not a file. During the gathering it returns the text unchanged,
    /// because the caller requests it again.
    pub(crate) fn clean(&self, options: &SecretsOptions, path: &RepoPath, text: String) -> String {
        let findings = options.scan(path, &text);
        if self.gather(&text, &findings) {
            return text;
        }
        let findings = options.with_copies(path, &text, findings, &self.copies());
        if findings.is_empty() {
            return text;
        }
        // A secret in a file and in its diff is reported once.
        let once = DuplicatePolicy::Once;
        let plan = self.record(options.mode, path, once, &text, &findings);
        self.with(|known| {
            let all = FoundSecret::all(path, &text, &findings).into_iter();
            let all = all.map(|one| (one.path, one.fingerprint));
            known.in_sections.extend(all);
        });
        redact(&text, &plan)
    }
}

/// Returns true if the cache shows, without a read, that a file contains no secret.
pub(crate) fn is_known_clean(file: SourceFile<'_>) -> bool {
    match file.version() {
        None => false,
        Some((_, Version::Binary)) => true,
        Some((size, Version::Content(..))) => {
            size > file.options().learning_limit()
                || !file.options().secrets.looks_into(file.path())
                || file.is_cached_clean(ScanTarget::File)
        }
    }
}

/// Scans one file for secrets. It does not read a file that is known to contain none. It copies a
/// text with secrets, and leaves each text to the next pass.
pub(crate) fn scanned(file: SourceFile<'_>) -> Result<Scanned, Reason> {
    scanned_with(file, |text, findings| {
        let copy = (!findings.is_empty()).then(|| text.text().to_owned());
        text.leave_to_next_pass();
        copy
    })
}

/// Scans one file, and keeps the text of every file that it reads.
pub(super) fn scanned_with_text(file: SourceFile<'_>) -> Result<Scanned, Reason> {
    scanned_with(file, |text, _| Some(text.into_text()))
}

fn scanned_with(
    file: SourceFile<'_>,
    keep: impl FnOnce(FileText<'_>, &[Finding]) -> Option<String>,
) -> Result<Scanned, Reason> {
    let limit = file.options().learning_limit();
    let looks = file.options().secrets.looks_into(file.path());
    match file.version() {
        Some((size, _)) if size > limit => return Err(Reason::TooLarge { size, limit }),
        Some((_, Version::Binary)) => return Err(Reason::Binary),
        Some((size, Version::Content(_, hash)))
            if !looks || file.is_cached_clean(ScanTarget::File) =>
        {
            return Ok(Scanned::nothing(size, *hash));
        }
        _ => {}
    }
    let text = file.read_within(limit)?;
    let (size, hash) = (text.size(), text.hash());
    let findings = text.findings(ScanTarget::File).to_vec();
    Ok(Scanned {
        size,
        hash: Some(hash),
        text: keep(text, &findings),
        findings,
    })
}

#[cfg(test)]
mod tests;
