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
    /// Options that set nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets a value as a settings file would have it, such as `scan.max_file_size` to `2mb`.
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

    /// Includes only files that match `glob`, whatever the ignore files say.
    #[must_use]
    pub fn include(self, glob: &str) -> Self {
        self.set("scan.include", glob)
    }

    /// Decides what is done about secrets.
    #[must_use]
    pub fn secrets(self, mode: Secrets) -> Self {
        self.set("privacy.secrets", mode.name())
    }

    /// Names a file that the program writes: no query reads it.
    #[must_use]
    pub fn output(mut self, path: impl Into<PathBuf>) -> Self {
        self.outputs.push(path.into());
        self
    }

    /// The files that the program writes.
    pub(crate) fn outputs(&self) -> &[PathBuf] {
        &self.outputs
    }

    /// The flags of a command line, which name their own origins.
    #[doc(hidden)]
    pub fn from_flags(flags: Result<Layer, Vec<Problem>>) -> Self {
        Self {
            flags: Some(flags),
            ..Self::default()
        }
    }

    /// The flags, with the values over them.
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

    /// Returns the same with the origin of each value in a comment.
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

    /// Returns the variables `INFINILOOM_*` of the environment that have no meaning, each with
    /// the name that was probably meant.
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

    /// Returns a settings file of a repository, with every setting that it may have in a
    /// comment. [`SettingsFile`](crate::SettingsFile) has the user's, too, and writes them.
    pub fn template() -> String {
        commented_file(FileTrust::Repository)
    }

    /// The settings as the edges of this repository read them.
    #[doc(hidden)]
    pub fn resolved(&self) -> &Resolved {
        &self.resolved
    }
}
