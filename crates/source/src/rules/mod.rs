//! Rules that include or skip a path, and their description for people.

mod defaults;
mod descent_filter;
mod filter;
mod ignore_file;
mod level;
mod wildmatch;

use std::fmt;

use loom_base::printable;

pub use filter::{Filter, FilterKind, InvalidGlob};

pub(crate) use defaults::{Siblings, default_for};
pub(crate) use filter::Filters;
pub(crate) use ignore_file::{IgnoreFile, LIMIT as IGNORE_FILE_LIMIT, ListKind, PatternDecision};
pub(crate) use level::Level;

/// A rule that decided about a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Origin of the rule.
    pub source: RuleSource,
    /// Pattern as written, or the name of the built-in rule.
    pub pattern: String,
    /// Line in a file, from 1.
    pub line: Option<usize>,
}

/// Origin of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RuleSource {
    /// `--include`, or the setting of that name.
    Include,
    /// `--exclude`, or the setting of that name.
    Exclude,
    /// A `[[transform]]` rule of the settings.
    Transform,
    /// There are include patterns, and none matches.
    NotIncluded,
    /// A `.infiniloomignore` file, by its path in the repository.
    InfiniloomIgnore(String),
    /// A `.ignore` file.
    Ignore(String),
    /// A `.gitignore` file.
    GitIgnore(String),
    /// The repository's `info/exclude`.
    GitExclude,
    /// The user's git ignore file.
    GlobalExcludes,
    /// A built-in rule.
    Default,
}

impl RuleSource {
    /// Returns true for git's rules, which do not affect tracked files.
    pub(crate) fn is_git(&self) -> bool {
        matches!(
            self,
            Self::GitIgnore(_) | Self::GitExclude | Self::GlobalExcludes
        )
    }

    /// Returns a stable short name, for counting and for programs.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Include => "include",
            Self::Exclude => "exclude",
            Self::Transform => "transform",
            Self::NotIncluded => "not-included",
            Self::InfiniloomIgnore(_) => "infiniloomignore",
            Self::Ignore(_) => "ignore-file",
            Self::GitIgnore(_) | Self::GitExclude | Self::GlobalExcludes => "gitignore",
            Self::Default => "default",
        }
    }
}

impl fmt::Display for RuleSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Include => f.write_str("--include"),
            Self::Exclude => f.write_str("--exclude"),
            Self::Transform => f.write_str("[[transform]]"),
            Self::NotIncluded => f.write_str("no --include pattern matches"),
            Self::InfiniloomIgnore(path) | Self::Ignore(path) | Self::GitIgnore(path) => {
                f.write_str(path)
            }
            Self::GitExclude => f.write_str(".git/info/exclude"),
            Self::GlobalExcludes => f.write_str("the user's git ignore file"),
            Self::Default => f.write_str("built-in default"),
        }
    }
}

impl Rule {
    /// Returns the pattern, and the path of its file.
    pub(crate) fn quoted(&mut self) -> Vec<&mut String> {
        let mut quoted = vec![&mut self.pattern];
        match &mut self.source {
            RuleSource::InfiniloomIgnore(path)
            | RuleSource::Ignore(path)
            | RuleSource::GitIgnore(path) => quoted.push(path),
            _ => {}
        }
        quoted
    }

    /// Returns the rule that always skips git's own directory.
    pub(crate) fn git_folder() -> Self {
        Self {
            source: RuleSource::Default,
            pattern: ".git/".to_owned(),
            line: None,
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.source)?;
        match self.line {
            Some(line) => write!(f, ":{line}: {}", printable(&self.pattern)),
            None if self.pattern.is_empty() => Ok(()),
            None => write!(f, ": {}", printable(&self.pattern)),
        }
    }
}
