//! Scans for secrets to report them: in files, in staged changes, in a range of commits or all
//! history, or in a text. It changes nothing.

use std::collections::HashSet;

use loom_base::{ContentHash, RepoPath};
use loom_engine::FoundSecret;
use loom_secrets::{Copies, Finding, Numbers, Replaced, redact};
use loom_source::{FilterKind, History, HistoryError, ObjectId, Reason, Version, decode};

use super::known::SecretLearner;
use crate::control::Control;
use crate::options::{SecretsMode, SecretsOptions};
use crate::ordered::{Lookahead, ordered};
use crate::unread::Unread;
use crate::{Cancel, PackError, Packer, Progress, Stage};

/// Number of file versions that are scanned before the next commits are read.
const BATCH: usize = 8192;

/// Limits results that wait for earlier ones.
pub(super) const AHEAD: Lookahead = Lookahead {
    items: 256,
    weight: usize::MAX,
};

/// The texts to scan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScanScope {
    /// The files of the source.
    Tree,
    /// Staged changes against `HEAD`.
    Staged,
    /// Changes of the commits that are reachable from the second revision, but not from the first.
    Range(String, String),
    /// Changes of all commits that are reachable from `HEAD`.
    History,
}

/// Result of a scan.
#[derive(Clone, Debug, Default)]
pub struct SecretScan {
    /// Secrets.
    pub found: Vec<FoundSecret>,
    /// Number of scanned texts.
    pub scanned: usize,
    /// Their size in bytes.
    pub bytes: u64,
    /// Files that could not be scanned, with the reason.
    pub skipped: Vec<(RepoPath, Reason)>,
    /// Warnings about unreadable rules.
    pub warnings: Vec<String>,
    /// The secrets, for redacting paths.
    pub(super) copies: Copies,
}

/// Result of scanning one text.
#[derive(Default)]
pub(super) struct ScannedText {
    bytes: usize,
    /// Content hash, for a file.
    pub(super) hash: Option<ContentHash>,
    found: Vec<FoundSecret>,
    /// The secrets, for finding copies in other texts.
    copies: Copies,
}

/// A version of a file in history.
struct Blob {
    path: RepoPath,
    new: Version,
    old: Option<Version>,
    commit: Option<ObjectId>,
}

/// Identity of a secret, which distinguishes new secrets from old ones.
type SecretId = (&'static str, blake3::Hash);

/// Scans for secrets.
///
/// # Errors
/// If the caller cancels, or the history cannot be read.
pub fn scan_for_secrets(
    packer: &Packer,
    scope: &ScanScope,
    progress: &dyn Progress,
    cancel: &Cancel,
) -> Result<SecretScan, PackError> {
    let unread = Unread::default();
    let control = Control {
        progress,
        cancel,
        unread: &unread,
    };
    SecretScanner::new(packer, control).scan(scope)
}

/// One scan for secrets.
#[derive(Clone, Copy)]
pub(super) struct SecretScanner<'a> {
    pub(super) packer: &'a Packer,
    pub(super) control: Control<'a>,
}

impl<'a> SecretScanner<'a> {
    /// Scans for secrets, and records the reads in `control`.
    pub(super) fn new(packer: &'a Packer, control: Control<'a>) -> Self {
        Self { packer, control }
    }

    pub(super) fn scan(self, scope: &ScanScope) -> Result<SecretScan, PackError> {
        self.control.progress.begin(Stage::Scan, None);
        let hiding = self.hiding();
        let scan = hiding.listed(&hiding.options.scan);
        let mut result = SecretScan {
            warnings: scan.warnings.iter().cloned().collect(),
            ..SecretScan::default()
        };
        let failed = |flag: &str| {
            let flag = flag.to_owned();
            move |source: HistoryError| PackError::History { flag, source }
        };
        if *scope != ScanScope::Tree {
            result.copies = SecretLearner::new(&hiding, self.quiet()).of_scan(&scan)?;
        }
        match scope {
            ScanScope::Tree => self.scan_tree(&scan, &mut result)?,
            ScanScope::Staged => {
                for history in self
                    .packer
                    .source
                    .histories(&scan)
                    .map_err(failed("--staged"))?
                {
                    let mut staged = staged(&history).map_err(failed("--staged"))?;
                    staged.retain(|blob| self.is_asked_for(&history, &blob.path));
                    self.scan_blobs(&history, &staged, &mut result)?;
                }
            }
            ScanScope::Range(from, to) => {
                let flag = format!("--rev {from}..{to}");
                for history in self.packer.source.histories(&scan).map_err(failed(&flag))? {
                    if history.is_inner() {
                        continue;
                    }
                    let commits = range(&history, from, to).map_err(failed(&flag))?;
                    self.scan_commits(&history, &commits, &flag, &mut result)?;
                }
            }
            ScanScope::History => {
                for history in self
                    .packer
                    .source
                    .histories(&scan)
                    .map_err(failed("--history"))?
                {
                    let commits = all(&history).map_err(failed("--history"))?;
                    if history.is_cut() {
                        let cut = "a shallow clone: commits before its first ones were not scanned";
                        result.warnings.push(cut.to_owned());
                    }
                    let flag = "--history";
                    self.scan_commits(&history, &commits, flag, &mut result)?;
                }
            }
        }
        result.warnings.extend(self.control.unread.warnings());
        result.redact(&self.packer.options.secrets);
        Ok(result)
    }

    /// Returns a packer for the same source that redacts secrets.
    pub(super) fn hiding(self) -> Packer {
        let mut options = self.packer.options.clone();
        options.secrets.mode = SecretsMode::Redact;
        self.packer.with_options(options)
    }

    /// Returns the context of a pass that reports no progress.
    pub(super) fn quiet(self) -> Control<'a> {
        Control::quiet(self.control.cancel, self.control.unread)
    }

    /// Returns true if the user's paths and globs include a path of a repository.
    fn is_asked_for(self, history: &History, path: &RepoPath) -> bool {
        let filters = &self.packer.options.scan.filters;
        let shown = history.shown(path);
        let last = filters.iter().rev().find(|filter| filter.covers(&shown));
        let has_includes = filters
            .iter()
            .any(|filter| filter.kind() == FilterKind::Include);
        let is_taken = last.map_or(!has_includes, |filter| filter.kind() == FilterKind::Include);
        is_taken && history.is_asked_for(path)
    }

    /// Scans the changes of each commit, each version of a file once.
    fn scan_commits(
        self,
        history: &History,
        commits: &[ObjectId],
        flag: &str,
        result: &mut SecretScan,
    ) -> Result<(), PackError> {
        let mut seen: HashSet<(RepoPath, Option<ObjectId>)> = HashSet::new();
        let mut batch = Vec::new();
        let failed = |source| PackError::History {
            flag: flag.to_owned(),
            source,
        };
        for (at, commit) in commits.iter().enumerate() {
            let message = self.scan_message(history, *commit, &result.copies);
            result.add(message.map_err(failed)?);
            let changes = history.introduced(*commit).map_err(failed)?;
            for change in changes {
                let Some(new) = change.new.filter(Version::is_file) else {
                    continue;
                };
                if self.is_asked_for(history, &change.path)
                    && seen.insert((change.path.clone(), new.id))
                {
                    batch.push(Blob {
                        path: change.path,
                        new,
                        old: change.old.filter(Version::is_file),
                        commit: Some(*commit),
                    });
                }
            }
            if batch.len() >= BATCH || at + 1 == commits.len() {
                let batch = std::mem::take(&mut batch);
                self.scan_blobs(history, &batch, result)?;
            }
        }
        Ok(())
    }

    fn scan_blobs(
        self,
        history: &History,
        blobs: &[Blob],
        result: &mut SecretScan,
    ) -> Result<(), PackError> {
        let Control { progress, .. } = self.control;
        progress.begin(Stage::Count, Some(blobs.len()));
        let copies = result.copies.clone();
        ordered(
            blobs.len(),
            self.packer.options.thread_count(),
            AHEAD,
            |_| 1,
            |at| self.scan_blob(history, &blobs[at], &copies),
            |at, scanned| {
                progress.advance(1);
                match scanned {
                    Ok(scanned) => result.add(scanned),
                    Err(reason) => {
                        let path = history.shown(&blobs[at].path);
                        result.skipped.push((path, reason));
                    }
                }
                self.control.flow()
            },
        );
        self.control.check()
    }

    /// Returns the secrets in a version that the previous version did not contain.
    fn scan_blob(
        self,
        history: &History,
        blob: &Blob,
        copies: &Copies,
    ) -> Result<ScannedText, Reason> {
        let path = history.shown(&blob.path);
        let text = self.stored(history, &blob.new)?;
        let secrets = &self.packer.options.secrets;
        let scan = |text: &str| {
            let findings = secrets.scan(&path, text);
            secrets.with_copies(&path, text, findings, copies)
        };
        let mut findings = scan(&text);
        if !findings.is_empty() {
            let before = blob.old.as_ref().map(|old| self.stored(history, old));
            let before = before.and_then(Result::ok).unwrap_or_default();
            let known: HashSet<SecretId> = known(&before, &scan(&before));
            findings.retain(|finding| !known.contains(&key(&text, finding)));
        }
        let mut scanned = ScannedText::new(text.len(), &path, &text, &findings);
        for one in &mut scanned.found {
            one.commit = blob.commit.map(|commit| commit.to_string());
        }
        Ok(scanned)
    }

    fn stored(self, history: &History, version: &Version) -> Result<String, Reason> {
        let bytes = history.read_stored(version, self.packer.options.max_file_size)?;
        Ok(decode(bytes).map_err(|_| Reason::Binary)?.text)
    }

    /// Returns the secrets in the message of a commit.
    fn scan_message(
        self,
        history: &History,
        commit: ObjectId,
        copies: &Copies,
    ) -> Result<ScannedText, HistoryError> {
        let text = history.message(commit)?;
        let path = RepoPath::new("(message)").unwrap_or_else(|_| RepoPath::root());
        let secrets = &self.packer.options.secrets;
        let findings = secrets.with_copies(&path, &text, secrets.scan(&path, &text), copies);
        let mut scanned = ScannedText::new(text.len(), &path, &text, &findings);
        for one in &mut scanned.found {
            one.commit = Some(commit.to_string());
        }
        Ok(scanned)
    }
}

impl SecretsOptions {
    /// Scans a text that is not a file.
    pub fn scan_text(&self, name: &str, text: &str) -> SecretScan {
        let path = RepoPath::new(name).unwrap_or_else(|_| RepoPath::root());
        let findings = self.scan(&path, text);
        let mut result = SecretScan::default();
        result.add(ScannedText::new(text.len(), &path, text, &findings));
        result
    }

    /// Returns a text that is not a file in the form in which it may leave the machine.
    ///
    /// # Errors
    /// If it contains secrets and the mode is `fail`.
    pub fn cleaned(&self, name: &str, text: &str) -> Result<String, PackError> {
        let path = RepoPath::new(name).unwrap_or_else(|_| RepoPath::root());
        let findings = self.scan(&path, text);
        match self.mode {
            SecretsMode::Fail if !findings.is_empty() => Err(PackError::Secrets {
                found: FoundSecret::all(&path, text, &findings),
            }),
            SecretsMode::Redact => {
                let plan = Replaced::plan(text, &findings, &mut Numbers::default());
                Ok(redact(text, &plan))
            }
            _ => Ok(text.to_owned()),
        }
    }
}

impl SecretScan {
    pub(super) fn add(&mut self, mut text: ScannedText) {
        self.scanned += 1;
        self.bytes += text.bytes as u64;
        self.found.append(&mut text.found);
        self.copies.extend(&text.copies);
    }
}

impl ScannedText {
    /// Sets the content hash of a file.
    pub(super) fn with_hash(mut self, hash: Option<ContentHash>) -> Self {
        self.hash = hash;
        self
    }

    pub(super) fn new(bytes: usize, path: &RepoPath, text: &str, findings: &[Finding]) -> Self {
        let mut copies = Copies::default();
        copies.add(text, findings);
        Self {
            bytes,
            hash: None,
            found: FoundSecret::all(path, text, findings),
            copies,
        }
    }
}

fn known(text: &str, findings: &[Finding]) -> HashSet<SecretId> {
    findings.iter().map(|finding| key(text, finding)).collect()
}

fn key(text: &str, finding: &Finding) -> SecretId {
    (
        finding.kind,
        blake3::hash(text[finding.span.clone()].as_bytes()),
    )
}

fn staged(history: &History) -> Result<Vec<Blob>, HistoryError> {
    let head = history.head()?.map(|commit| commit.tree);
    let changes = history.comparison()?.staged(head)?;
    let blobs = changes.into_iter().filter_map(|change| {
        let new = change.new.filter(Version::is_file)?;
        Some(Blob {
            path: change.path,
            new,
            old: change.old.filter(Version::is_file),
            commit: None,
        })
    });
    Ok(blobs.collect())
}

fn range(history: &History, from: &str, to: &str) -> Result<Vec<ObjectId>, HistoryError> {
    let not = history.commit(from)?;
    history.commits(history.commit(to)?, Some(not))
}

fn all(history: &History) -> Result<Vec<ObjectId>, HistoryError> {
    match history.head()? {
        Some(head) => history.commits(head, None),
        None => Ok(Vec::new()),
    }
}
