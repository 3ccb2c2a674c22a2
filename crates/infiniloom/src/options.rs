//! Settings of all queries of an engine: the values that edges and programs set, and the
//! resolved settings that a repository shows.

use std::path::PathBuf;
use std::sync::Arc;

use loom_settings::{
    FileTrust, Layer, Problem, Resolved, commented_file, json_schema, nearest_key,
};
use loom_wire::SettingInfo;

use crate::values::Values;
use crate::{Error, ErrorProblem, Secrets, results};

/// Values for all queries, by the keys of their settings. They are checked when an engine is
/// built.
#[derive(Clone, Debug, Default)]
pub struct Options {
    values: Values,
    flags: Option<Result<Layer, Vec<Problem>>>,
    outputs: Vec<PathBuf>,
}

impl Options {
    /// Creates options that set nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets a value in the syntax of a settings file, such as `scan.max_file_size` to `2mb`.
    #[must_use]
    pub fn set(mut self, key: &str, value: &str) -> Self {
        self.values.set(key, value);
        self
    }

    /// Skips files that match `glob`.
    #[must_use]
    pub fn exclude(self, glob: &str) -> Self {
        self.set("scan.exclude", glob)
    }

    /// Includes only files that match `glob`, even if an ignore file excludes them.
    #[must_use]
    pub fn include(self, glob: &str) -> Self {
        self.set("scan.include", glob)
    }

    /// Sets the handling of secrets.
    #[must_use]
    pub fn secrets(self, mode: Secrets) -> Self {
        self.set("privacy.secrets", mode.name())
    }

    /// Names a file that the program writes. Queries do not read it.
    #[must_use]
    pub fn output(mut self, path: impl Into<PathBuf>) -> Self {
        self.outputs.push(path.into());
        self
    }

    /// Returns the files that the program writes.
    pub(crate) fn outputs(&self) -> &[PathBuf] {
        &self.outputs
    }

    /// Creates options from the flags of a command line, which have their own origins.
    #[doc(hidden)]
    pub fn from_flags(flags: Result<Layer, Vec<Problem>>) -> Self {
        Self {
            flags: Some(flags),
            ..Self::default()
        }
    }

    /// Returns the flags, and the values that override them.
    pub(crate) fn layers(&self) -> (Result<Layer, Vec<Problem>>, Option<&Values>) {
        match &self.flags {
            Some(flags) => (flags.clone(), Some(&self.values)),
            None => (self.values.layer(), None),
        }
    }
}

/// Resolved settings, each with the origin of its value.
#[derive(Clone, Debug)]
pub struct Settings {
    resolved: Arc<Resolved>,
}

impl Settings {
    pub(crate) fn new(resolved: Arc<Resolved>) -> Self {
        Self { resolved }
    }

    /// Returns one setting; `None` if no setting has this key.
    pub fn get(&self, key: &str) -> Option<SettingInfo> {
        let listed = self.resolved.get(key)?;
        Some(results::settings::info(&listed))
    }

    /// Returns one setting.
    ///
    /// # Errors
    /// If no setting has this key; the hint names the nearest key.
    pub fn require(&self, key: &str) -> crate::Result<SettingInfo> {
        self.get(key).ok_or_else(|| {
            let error = Error::invalid("unknown_setting", format!("no setting {key:?}"));
            error.with_hint(nearest_key(key).map(|nearest| format!("did you mean {nearest}?")))
        })
    }

    /// Returns every setting, in the order of declaration.
    pub fn list(&self) -> Vec<SettingInfo> {
        let all = self.resolved.list();
        all.map(|one| results::settings::info(&one)).collect()
    }

    /// Returns every setting as a line of a settings file, `key = value`.
    pub fn to_toml(&self) -> String {
        let lines = self.resolved.list();
        lines
            .map(|one| format!("{} = {}\n", one.setting.key, one.toml))
            .collect()
    }

    /// Returns every setting as a line, with the origin of its value in a comment.
    pub fn to_toml_with_origins(&self) -> String {
        let lines = self.resolved.list();
        lines
            .map(|one| format!("{} = {}  # {}\n", one.setting.key, one.toml, one.origin))
            .collect()
    }

    /// Returns warnings about settings files that are ignored.
    pub fn warnings(&self) -> &[String] {
        self.resolved.warnings()
    }

    /// Returns the environment variables `INFINILOOM_*` that are unknown, each with the probably
    /// intended name.
    pub fn unknown_variables() -> Vec<ErrorProblem> {
        let problems = loom_host::unknown_variables().into_iter();
        let problems = problems.map(|problem| ErrorProblem {
            message: problem.to_string(),
            hint: problem.hint(),
        });
        problems.collect()
    }

    /// Returns the JSON schema of a settings file.
    pub fn schema() -> serde_json::Value {
        json_schema()
    }

    /// Returns the text of a repository's settings file, with every allowed setting in a comment.
    /// [`SettingsFile`](crate::SettingsFile) also has the user's file, and writes both.
    pub fn template() -> String {
        commented_file(FileTrust::Repository)
    }

    /// Returns the settings in the form that the edges of this repository read.
    #[doc(hidden)]
    pub fn resolved(&self) -> &Resolved {
        &self.resolved
    }
}
