//! Options for the git data of a pack.

/// Selects the git data of a pack.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HistoryOptions {
    /// Number of recent commits to list.
    pub log: usize,
    /// Shows unstaged changes of the working tree.
    pub diff: bool,
    /// Shows staged changes.
    pub staged: bool,
    /// Shows changes since the merge base of `HEAD` and this revision.
    pub since: Option<String>,
    /// Packs only files that changed since the merge base of `HEAD` and this revision; `HEAD`
    /// selects uncommitted changes.
    pub changed: Option<String>,
    /// Marks changes in the contents.
    pub highlight: bool,
}

impl HistoryOptions {
    /// Returns the revision to compare with.
    pub(crate) fn base(&self) -> &str {
        let named = self.changed.as_deref().or(self.since.as_deref());
        named.unwrap_or("HEAD")
    }

    /// Returns the flag that requires a repository, as a user writes it; `None` if no flag does.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_is_the_named_revision_or_head() {
        let of = |changed: Option<&str>, since: Option<&str>| {
            let options = HistoryOptions {
                changed: changed.map(str::to_owned),
                since: since.map(str::to_owned),
                ..HistoryOptions::default()
            };
            (options.base().to_owned(), options.flag())
        };
        assert_eq!(of(None, None), ("HEAD".to_owned(), None));
        assert_eq!(
            of(None, Some("a")),
            ("a".to_owned(), Some("--since a".to_owned()))
        );
        assert_eq!(
            of(Some("b"), Some("a")),
            ("b".to_owned(), Some("--changed b".to_owned()))
        );
    }

    #[test]
    fn first_option_that_needs_a_repository_is_named() {
        let mut options = HistoryOptions::default();
        let mut flags = vec![options.flag()];
        options.highlight = true;
        flags.push(options.flag());
        options.log = 2;
        flags.push(options.flag());
        options.staged = true;
        flags.push(options.flag());
        options.diff = true;
        flags.push(options.flag());
        let flags: Vec<&str> = flags
            .iter()
            .map(|flag| flag.as_deref().unwrap_or("none"))
            .collect();
        assert_eq!(
            flags,
            ["none", "--highlight-changes", "--log", "--staged", "--diff"]
        );
    }
}
