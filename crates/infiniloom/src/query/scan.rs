//! Secrets in files, staged changes and history.

use loom_host::{ScanScope, SecretScan, SecretsMode, pack_options, scan_for_secrets};
use loom_wire::{NoticeInfo, ScanCall, ScanInfo};

use super::call::{callable, unknown_word};
use super::runs;
use crate::choices::Confidence;
use crate::session::{Choices, Session};
use crate::{Control, Error, Infiniloom, Result, Snapshot, Text, results};

/// A query for secrets. A finding never contains the secret.
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

    /// Scans staged changes for lines that are not in `HEAD`.
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

    /// Skips the findings that a baseline names.
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

    /// Scans a text that does not belong to a repository.
    ///
    /// # Errors
    /// If a value is invalid, or the query is about staged changes or history.
    pub fn run_text(&self, engine: &Infiniloom, text: &Text) -> Result<ScanInfo> {
        Control::new().run(|| {
            if self.scope != ScanScope::Tree {
                let message = "a text has no staged changes and no history";
                return Err(Error::invalid("scope_of_text", message));
            }
            let layer = self.choices.values.checked_layer()?;
            let resolved = engine.settings().resolved().overlaid(&layer);
            let mut secrets = pack_options(&resolved, &[])?.secrets;
            secrets.mode = SecretsMode::Warn;
            let scan = secrets.scan_text(text.name(), text.text());
            Ok(results::scan::info(&scan))
        })
    }

    fn answer(&self, snapshot: &Snapshot, control: &Control) -> Result<ScanInfo> {
        let (session, scan) = self.scanned(snapshot, control)?;
        let mut info = results::scan::info(&scan);
        let warnings = scan.warnings.iter();
        let warnings = warnings.map(|warning| NoticeInfo::new("warning", warning));
        let unread = info.skipped.iter().filter(|one| !one.is_expected);
        let unread = unread.map(|one| {
            let message = format!("{} was not scanned: {}", one.path, one.detail);
            NoticeInfo::new(&one.reason, message).about(one.path.clone())
        });
        let notices = warnings.chain(session.cache_notice()).chain(unread);
        info.notices = notices.collect();
        Ok(info)
    }

    fn scanned(&self, snapshot: &Snapshot, control: &Control) -> Result<(Session, SecretScan)> {
        let reader = snapshot.reader();
        let layer = self.choices.values.checked_layer()?;
        let resolved = reader.resolved.overlaid(&layer);
        let session = reader.session_with(&self.choices, control, |options| {
            options.secrets.mode = SecretsMode::Warn;
            // Lock files and bundles may contain secrets, too.
            options.scan.default_ignore = false;
            // The scan reads the program's output files, but not its cache.
            let unnamed = reader.engine.with_cache(pack_options(&resolved, &[])?);
            options.scan.outputs = unnamed.scan.outputs;
            Ok(())
        })?;
        let (progress, cancel) = (&*session.progress, &session.cancel);
        let scan = scan_for_secrets(&session.packer, &self.scope, progress, cancel)?;
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
