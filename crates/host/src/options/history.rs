//! What git knows and a pack shows.

/// What of git's knowledge goes into a pack.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HistoryOptions {
    /// How many of the last commits are listed.
    pub log: usize,
    /// Whether changes of the working tree that are not staged are shown.
    pub diff: bool,
    /// Whether staged changes are shown.
    pub staged: bool,
    /// Changes since the line of `HEAD` left this revision are shown.
    pub since: Option<String>,
    /// Only files that changed since the line of `HEAD` left this revision are
    /// packed; `HEAD` for what is not committed.
    pub changed: Option<String>,
    /// Whether changes are marked in the contents.
    pub highlight: bool,
}

impl HistoryOptions {
    /// What changes are told against.
    pub(crate) fn base(&self) -> &str {
        let named = self.changed.as_deref().or(self.since.as_deref());
        named.unwrap_or("HEAD")
    }

    /// The flag that needs a repository, as a user writes it; `None` when none does.
    pub(crate) fn flag(&self) -> Option<String> {
        let named = |flag: &str, value: &Option<String>| {
            value.as_ref().map(|value| format!("{flag} {value}"))
        };
        let asked = |is: bool, flag: &str| is.then(|| flag.to_owned());
        named("--changed", &self.changed)
            .or_else(|| named("--since", &self.since))
            .or_else(|| asked(self.diff, "--diff"))
            .or_else(|| asked(self.staged, "--staged"))
            .or_else(|| asked(self.log > 0, "--log"))
            .or_else(|| asked(self.highlight, "--highlight-changes"))
    }
}
