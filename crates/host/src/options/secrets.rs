//! What a user can choose about secrets.

use loom_base::RepoPath;
use loom_secrets::{Allow, Confidence, Copies, Finding, Scanner};
use loom_source::{Filter, FilterKind, InvalidGlob};

use super::Baseline;

/// What is done about a secret.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SecretsMode {
    /// It is replaced by a word that says what it was.
    #[default]
    Redact,
    /// Nothing is written.
    Fail,
    /// It is left, and the user is told.
    Warn,
    /// Nobody looks for one.
    Off,
}

impl SecretsMode {
    /// Whether a secret must not be shown.
    pub(crate) fn hides(self) -> bool {
        matches!(self, Self::Redact | Self::Fail)
    }

    /// Whether anybody looks for secrets.
    pub(crate) fn looks(self) -> bool {
        self != Self::Off
    }

    /// As users write it.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "redact" => Some(Self::Redact),
            "fail" => Some(Self::Fail),
            "warn" => Some(Self::Warn),
            "off" => Some(Self::Off),
            _ => None,
        }
    }

    /// The same back.
    pub fn name(self) -> &'static str {
        match self {
            Self::Redact => "redact",
            Self::Fail => "fail",
            Self::Warn => "warn",
            Self::Off => "off",
        }
    }
}

/// Which files teach secrets beside those that are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SecretsScope {
    /// All of the git work tree around them.
    #[default]
    WorkTree,
    /// The roots alone: a server reads nothing outside of what it serves.
    Roots,
}

/// The choices about secrets.
#[derive(Clone, Debug, Default)]
pub struct SecretsOptions {
    /// What is done about one.
    pub mode: SecretsMode,
    /// Which files teach the secrets that are redacted everywhere.
    pub scope: SecretsScope,
    scanner: Scanner,
    allowed: Vec<Filter>,
    has_baseline: bool,
}

impl SecretsOptions {
    /// What is most likely a secret, dealt with as `mode` says.
    pub fn new(mode: SecretsMode) -> Self {
        Self {
            mode,
            ..Self::default()
        }
    }

    /// Reports findings of at least this confidence.
    #[must_use]
    pub fn at_least(mut self, least: Confidence) -> Self {
        self.scanner = self.scanner.at_least(least);
        self
    }

    /// Leaves alone what the baseline names.
    #[must_use]
    pub fn known(mut self, baseline: &Baseline) -> Self {
        let allow = Allow::default().with_known(baseline.fingerprints());
        self.scanner = self.scanner.allowing(allow);
        self.has_baseline = true;
        self
    }

    /// Whether a baseline names findings that are left alone.
    pub(crate) fn has_baseline(&self) -> bool {
        self.has_baseline
    }

    /// Whether nothing more is taken for a secret than usual.
    pub(crate) fn is_usual(&self) -> bool {
        self.scanner.least() >= Confidence::Medium
    }

    /// Does not look into files that match one of the globs.
    ///
    /// # Errors
    /// When one is not a glob.
    pub fn allowing(mut self, globs: &[String]) -> Result<Self, InvalidGlob> {
        let filters = globs
            .iter()
            .map(|glob| Filter::new(FilterKind::Exclude, glob));
        self.allowed = filters.collect::<Result<_, _>>()?;
        Ok(self)
    }

    /// Whether exactly the secrets of the default choices are found in the file at `path`.
    pub(crate) fn scans_by_default(&self, path: &RepoPath) -> bool {
        let least = Scanner::default().least();
        self.looks_into(path) && !self.has_baseline && self.scanner.least() == least
    }

    /// The default choices for the same scope: what runs with different choices share must
    /// not have any secret.
    pub(crate) fn to_default(&self) -> Self {
        Self {
            scope: self.scope,
            ..Self::new(SecretsMode::Redact)
        }
    }

    /// The least confidence of what is reported.
    pub(crate) fn least(&self) -> Confidence {
        self.scanner.least()
    }

    /// The secrets in the text of `path`; none where nobody looks.
    pub(crate) fn scan(&self, path: &RepoPath, text: &str) -> Vec<Finding> {
        match self.looks_into(path) {
            true => self.scanner.scan_file(&path.display(), text),
            false => Vec::new(),
        }
    }

    /// `findings` in the text of `path` with those that other texts know.
    pub(crate) fn with_copies(
        &self,
        path: &RepoPath,
        text: &str,
        findings: Vec<Finding>,
        copies: &Copies,
    ) -> Vec<Finding> {
        match self.looks_into(path) && !copies.is_empty() {
            true => {
                let scanner = &self.scanner;
                scanner.with_copies(&path.display(), text, findings, copies)
            }
            false => findings,
        }
    }

    pub(crate) fn looks_into(&self, path: &RepoPath) -> bool {
        let is_allowed = |glob: &Filter| glob.covers(path);
        self.mode != SecretsMode::Off && !self.allowed.iter().any(is_allowed)
    }
}
