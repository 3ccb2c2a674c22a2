//! What is done about secrets in what leaves the machine: finds them in every text
//! of a pack, takes them out, and remembers where they stood. Which are found is the
//! business of `loom-secrets`.

mod baseline;
mod options;
mod scan;

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use loom_base::RepoPath;
use loom_engine::{FileMeta, Note, describe};
use loom_secrets::{Confidence, Finding, Fingerprint, Numbers, Replaced, redact};
use loom_wire::SecretInfo;

pub use baseline::{Baseline, BaselineError};
pub use options::{SecretsMode, SecretsOptions};
pub use scan::{ScanScope, SecretScan};

use crate::load::Loaded;
use crate::shorten::shortened;
use crate::survey::Surveyed;
use crate::{PackOptions, Packer};

/// A secret that was found: where, what and why, never itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundSecret {
    /// The file, or what else it stood in, as people see it.
    pub path: String,
    /// Its first line, counted from 1.
    pub line: usize,
    /// Its last line.
    pub end_line: usize,
    /// The character of the line where it begins, counted from 1.
    pub column: usize,
    /// What it is taken for.
    pub kind: &'static str,
    /// How sure that is.
    pub confidence: Confidence,
    /// Why, in words.
    pub reasons: Vec<&'static str>,
    /// By which a baseline knows it.
    pub fingerprint: Fingerprint,
    /// What stands in its place; `None` where it was left.
    pub placeholder: Option<String>,
    /// The commit that brought it in, where history was scanned.
    pub commit: Option<String>,
}

impl FoundSecret {
    /// All findings in the text of `path`, in one pass over it.
    pub(crate) fn all(path: &str, text: &str, findings: &[Finding]) -> Vec<Self> {
        let (mut line, mut column, mut at) = (1, 1, 0);
        let one = |finding: &Finding| {
            let before = &text[at..finding.span.start];
            line += count_lines(before);
            column = match before.rfind('\n') {
                Some(end) => 1 + before[end + 1..].chars().count(),
                None => column + before.chars().count(),
            };
            at = finding.span.start;
            Self {
                path: path.to_owned(),
                line,
                end_line: line + count_lines(&text[finding.span.clone()]),
                column,
                kind: finding.kind,
                confidence: finding.confidence,
                reasons: finding.reasons.clone(),
                fingerprint: Fingerprint::of(path, text, finding),
                placeholder: None,
                commit: None,
            }
        };
        findings.iter().map(one).collect()
    }
}

impl FoundSecret {
    /// The same for programs.
    pub fn to_wire(&self) -> SecretInfo {
        SecretInfo {
            path: self.path.clone(),
            line: self.line,
            end_line: self.end_line,
            column: self.column,
            kind: self.kind.to_owned(),
            confidence: self.confidence.name().to_owned(),
            reasons: self.reasons.iter().map(ToString::to_string).collect(),
            placeholder: self.placeholder.clone(),
            commit: self.commit.clone(),
        }
    }
}

fn count_lines(text: &str) -> usize {
    memchr::memchr_iter(b'\n', text.as_bytes()).count()
}

/// What a run knows about secrets so far.
#[derive(Debug, Default)]
pub(crate) struct Secrets(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    numbers: Numbers,
    found: Vec<FoundSecret>,
    /// Those in `found`, by path.
    met: HashSet<(String, Fingerprint)>,
}

/// How often a secret is told that stands several times in one path.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Told {
    EachTime,
    Once,
}

impl Secrets {
    /// Begins anew.
    pub(crate) fn forget(&self) {
        self.with(|known| *known = Known::default());
    }

    /// Everything that was found, in the order of the output.
    pub(crate) fn found(&self) -> Vec<FoundSecret> {
        self.with(|known| known.found.clone())
    }

    fn with<T>(&self, work: impl FnOnce(&mut Known) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
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
            let found = FoundSecret::all(&path.display(), text, findings);
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

    /// A text that is no file of its own, without its secrets.
    pub(crate) fn clean(&self, options: &SecretsOptions, path: &RepoPath, text: String) -> String {
        let findings = options.scan(path, &text);
        if findings.is_empty() {
            return text;
        }
        // What stands in a file and in its diff is told once.
        let plan = self.record(options.mode, (path, Told::Once), &text, &findings);
        redact(&text, &plan)
    }
}

impl Packer {
    /// Takes the secrets out of the surveyed files, in their order, so that numbers do
    /// not depend on threads.
    pub(crate) fn take_secrets_out(&self, files: &mut [Surveyed]) {
        for file in files.iter_mut().filter(|file| !file.findings.is_empty()) {
            let findings = std::mem::take(&mut file.findings);
            let text = match file.kept.take() {
                Some(text) => Some((text, true)),
                None => self.text_as_surveyed(file).map(|text| (text, false)),
            };
            // One that changed is scanned again when it is written, and one that comes
            // back as it was is not forgotten.
            let Some((text, was_kept)) = text else {
                file.findings = findings;
                continue;
            };
            let (mode, path) = (self.options.secrets.mode, &file.meta.path);
            let plan = self
                .secrets
                .record(mode, (path, Told::EachTime), &text, &findings);
            let text = match plan.is_empty() {
                true => text,
                false => {
                    let clean = redact(&text, &plan);
                    describe_again(&self.options, &mut file.meta, &clean, plan.len());
                    clean
                }
            };
            let loaded = Loaded {
                meta: file.meta.clone(),
                text,
                findings: Vec::new(),
                replaced: plan.into(),
            };
            // Only now: a cut could hide a part of a secret from the scan.
            let loaded = shortened(&self.options, loaded, file.form);
            file.meta = loaded.meta;
            file.replaced = loaded.replaced;
            file.kept = was_kept.then_some(loaded.text);
        }
    }

    /// A file that changed after the survey, without its secrets. Where nothing was to
    /// be written with secrets in it, they are taken out: it is too late to refuse.
    pub(crate) fn without_secrets(&self, mut loaded: Loaded) -> Loaded {
        let findings = std::mem::take(&mut loaded.findings);
        if findings.is_empty() {
            return loaded;
        }
        let mode = match self.options.secrets.mode {
            SecretsMode::Fail => SecretsMode::Redact,
            mode => mode,
        };
        let path = (&loaded.meta.path, Told::EachTime);
        let plan = self.secrets.record(mode, path, &loaded.text, &findings);
        if !plan.is_empty() {
            loaded.text = redact(&loaded.text, &plan);
            describe_again(&self.options, &mut loaded.meta, &loaded.text, plan.len());
            loaded.replaced = plan.into();
        }
        loaded
    }
}

/// Counts a file again whose text was changed, and says so.
fn describe_again(options: &PackOptions, meta: &mut FileMeta, text: &str, count: usize) {
    let path: RepoPath = meta.path.clone();
    let new = describe(path, text, meta.hash, options.model.tokenizer);
    meta.lines = new.lines;
    meta.bytes = new.bytes;
    meta.tokens = new.tokens;
    meta.upper = new.upper;
    meta.notes.push(Note::Redacted(count));
}
