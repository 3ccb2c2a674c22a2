//! Options for secrets.

use loom_base::RepoPath;
use loom_secrets::{Allow, Confidence, Copies, Finding, Scanner};
use loom_source::{Filter, FilterKind, InvalidGlob};

use super::Baseline;

/// Treatment of secrets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SecretsMode {
    /// Replaces each secret by a placeholder.
    #[default]
    Redact,
    /// Writes nothing if there are secrets.
    Fail,
    /// Keeps secrets and warns the user.
    Warn,
    /// Does not scan for secrets.
    Off,
}

impl SecretsMode {
    /// Returns true if secrets must not be shown.
    pub(crate) fn hides(self) -> bool {
        matches!(self, Self::Redact | Self::Fail)
    }

    /// Returns true if files are scanned for secrets.
    pub(crate) fn looks(self) -> bool {
        self != Self::Off
    }

    /// Parses the name that users write.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "redact" => Some(Self::Redact),
            "fail" => Some(Self::Fail),
            "warn" => Some(Self::Warn),
            "off" => Some(Self::Off),
            _ => None,
        }
    }

    /// Returns the name that users write.
    pub fn name(self) -> &'static str {
        match self {
            Self::Redact => "redact",
            Self::Fail => "fail",
            Self::Warn => "warn",
            Self::Off => "off",
        }
    }
}

/// Files that are scanned for secrets in addition to the shown ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SecretsScope {
    /// All files of the surrounding git work tree.
    #[default]
    WorkTree,
    /// Only files below the roots: a server reads nothing outside of them.
    Roots,
}

/// Options for secrets.
#[derive(Clone, Debug, Default)]
pub struct SecretsOptions {
    /// Treatment of secrets.
    pub mode: SecretsMode,
    /// Files whose secrets are redacted everywhere.
    pub scope: SecretsScope,
    scanner: Scanner,
    allowed: Vec<Filter>,
    has_baseline: bool,
}

impl SecretsOptions {
    /// Creates options with the default confidence.
    pub fn new(mode: SecretsMode) -> Self {
        Self {
            mode,
            ..Self::default()
        }
    }

    /// Reports findings of at least this confidence.
    #[must_use]
    pub fn with_min_confidence(mut self, least: Confidence) -> Self {
        self.scanner = self.scanner.at_least(least);
        self
    }

    /// Ignores the findings of a baseline.
    #[must_use]
    pub fn with_baseline(mut self, baseline: &Baseline) -> Self {
        let allow = Allow::default().with_known(baseline.fingerprints());
        self.scanner = self.scanner.allowing(allow);
        self.has_baseline = true;
        self
    }

    /// Returns true if a baseline excludes findings.
    pub(crate) fn has_baseline(&self) -> bool {
        self.has_baseline
    }

    /// Returns true if the confidence is the default or higher.
    pub(crate) fn is_usual(&self) -> bool {
        self.scanner.least() >= Confidence::Medium
    }

    /// Does not scan files that match one of the globs.
    ///
    /// # Errors
    /// If one is not a valid glob.
    pub fn allowing(mut self, globs: &[String]) -> Result<Self, InvalidGlob> {
        let filters = globs
            .iter()
            .map(|glob| Filter::new(FilterKind::Exclude, glob));
        self.allowed = filters.collect::<Result<_, _>>()?;
        Ok(self)
    }

    /// Returns true if a scan of the file at `path` finds exactly the secrets of the default
    /// options.
    pub(crate) fn scans_by_default(&self, path: &RepoPath) -> bool {
        let least = Scanner::default().least();
        self.looks_into(path) && !self.has_baseline && self.scanner.least() == least
    }

    /// Returns the default options with the same scope. They apply to data that runs with different
    /// options share, which must not contain any secret.
    pub(crate) fn to_default(&self) -> Self {
        Self {
            scope: self.scope,
            ..Self::new(SecretsMode::Redact)
        }
    }

    /// Returns the lowest reported confidence.
    pub(crate) fn least(&self) -> Confidence {
        self.scanner.least()
    }

    /// Returns the secrets in the text of `path`; none if the options exclude the file.
    pub(crate) fn scan(&self, path: &RepoPath, text: &str) -> Vec<Finding> {
        match self.looks_into(path) {
            true => self.scanner.scan_file(&path.display(), text),
            false => Vec::new(),
        }
    }

    /// Adds copies of the secrets of other texts to `findings` in the text of `path`.
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
