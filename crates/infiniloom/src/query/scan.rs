//! Secrets in files, staged changes and history.

use loom_host::{ScanScope, SecretScan, SecretsMode};
use loom_wire::{NoticeInfo, ScanCall, ScanInfo};

use super::call::{callable, unknown_word};
use super::runs;
use crate::choices::Confidence;
use crate::session::{Choices, Session};
use crate::{Control, Infiniloom, Result, Snapshot, results};

/// Finds secrets. A finding never contains the secret.
#[derive(Clone, Debug)]
pub struct Scan {
    choices: Choices,
    scope: ScanScope,
}

impl Scan {
    fn new(scope: ScanScope) -> Self {
        Self {
            choices: Choices::default(),
            scope,
        }
    }

    /// Scans the files, also those that only the built-in rules skip, such as lock files.
    pub fn files() -> Self {
        Self::new(ScanScope::Tree)
    }

    /// Scans what is staged and new against `HEAD`.
    pub fn staged() -> Self {
        Self::new(ScanScope::Staged)
    }

    /// Scans the commits that are reachable from `to` and not from `from`.
    pub fn range(from: impl Into<String>, to: impl Into<String>) -> Self {
        Self::new(ScanScope::Range(from.into(), to.into()))
    }

    /// Scans every commit that is reachable from `HEAD`.
    pub fn history() -> Self {
        Self::new(ScanScope::History)
    }

    /// Reports findings of at least this confidence.
    #[must_use]
    pub fn confidence(mut self, least: Confidence) -> Self {
        let values = &mut self.choices.values;
        values.set("secrets.confidence", least.name());
        self
    }

    /// Leaves out the findings that a baseline names.
    #[must_use]
    pub fn baseline(mut self, path: impl AsRef<std::path::Path>) -> Self {
        let path = path.as_ref().as_os_str();
        self.choices.values.set("secrets.baseline", path);
        self
    }

    /// Does not scan files that match `glob`.
    #[must_use]
    pub fn allow(mut self, glob: impl AsRef<str>) -> Self {
        self.choices.values.set("secrets.allow", glob.as_ref());
        self
    }

    fn answer(&self, snapshot: &Snapshot, control: &Control) -> Result<ScanInfo> {
        let (session, scan) = self.scanned(snapshot, control)?;
        let mut info = results::scan::info(&scan);
        let warnings = scan.warnings.iter();
        info.notices = warnings
            .map(|warning| NoticeInfo::new("warning", warning))
            .chain(session.cache_notice())
            .collect();
        Ok(info)
    }

    fn scanned(&self, snapshot: &Snapshot, control: &Control) -> Result<(Session, SecretScan)> {
        let session = snapshot
            .reader()
            .session_with(&self.choices, control, |options| {
                options.secrets.mode = SecretsMode::Warn;
                // Lock files and bundles may contain secrets, too.
                options.scan.default_ignore = false;
                // The scan reads the files that the command writes, and has no history.
                options.scan.outputs.clear();
                Ok(())
            })?;
        let (progress, cancel) = (&*session.progress, &session.cancel);
        let scan = session
            .packer
            .scan_for_secrets(&self.scope, progress, cancel)?;
        Ok((session, scan))
    }
}

runs!(Scan => ScanInfo);
callable!(Scan => ScanInfo);

impl Scan {
    fn call(&self) -> Result<ScanCall> {
        let Self { choices, scope } = self;
        let (name, from, to) = match scope {
            ScanScope::Tree => ("files", None, None),
            ScanScope::Staged => ("staged", None, None),
            ScanScope::Range(from, to) => ("range", Some(from), Some(to)),
            ScanScope::History => ("history", None, None),
        };
        Ok(ScanCall {
            scope: name.to_owned(),
            from: from.cloned(),
            to: to.cloned(),
            settings: choices.values.call()?,
        })
    }

    fn of_call(call: &ScanCall, engine: &Infiniloom) -> Result<Self> {
        let ScanCall {
            scope,
            from,
            to,
            settings,
        } = call;
        let scope = match (scope.as_str(), from, to) {
            ("files", None, None) => ScanScope::Tree,
            ("staged", None, None) => ScanScope::Staged,
            ("history", None, None) => ScanScope::History,
            ("range", Some(from), Some(to)) => ScanScope::Range(from.clone(), to.clone()),
            (name, ..) => {
                let expected = "files, staged, history, or range with `from` and `to`";
                return Err(unknown_word("scope", name, expected));
            }
        };
        Ok(Self {
            choices: Choices::of_call(settings, None, engine)?,
            scope,
        })
    }
}
