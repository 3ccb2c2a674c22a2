//! The user's `--include` and `--exclude` patterns. The last one that matches a path or an ancestor
//! decides, and overrides every ignore file.

use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};
use loom_base::RepoPath;

use super::descent_filter::DescentFilter;
use super::{Rule, RuleSource};

/// Longer than any pattern that a person writes; memory grows with the length.
const LONGEST: usize = 1024;

/// More than a person writes; the matcher rejects hundreds of nested braces.
const MOST_BRACES: usize = 32;

/// Effect of a filter on the paths that it matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilterKind {
    /// Includes them, and excludes paths that no filter includes.
    Include,
    /// Excludes them.
    Exclude,
}

/// One pattern of the user.
#[derive(Clone, Debug)]
pub struct Filter {
    kind: FilterKind,
    pattern: String,
    matcher: GlobMatcher,
    dirs_only: bool,
    descent: DescentFilter,
}

/// A pattern that is not a glob.
#[derive(Debug, thiserror::Error)]
#[error("{pattern:?} is not a valid pattern: {message}")]
pub struct InvalidGlob {
    /// Pattern as written.
    pub pattern: String,
    /// The problem.
    pub message: String,
}

impl Filter {
    /// Compiles a glob with the syntax of a `.gitignore` file plus `{a,b}`. Without a slash it
    /// matches names in any directory; with a slash it is relative to the root of the repository.
    ///
    /// # Errors
    /// If the pattern is not a valid glob.
    pub fn new(kind: FilterKind, pattern: &str) -> Result<Self, InvalidGlob> {
        let trimmed = pattern.strip_prefix("./").unwrap_or(pattern);
        let dirs_only = trimmed.ends_with('/');
        let glob = trimmed.trim_end_matches('/');
        let anchored = glob.contains('/');
        let glob = glob.strip_prefix('/').unwrap_or(glob);
        let full = if anchored {
            glob.to_owned()
        } else {
            format!("**/{glob}")
        };
        let glob_error = |error: globset::Error| error.kind().to_string();
        let invalid = |message| InvalidGlob {
            pattern: pattern.to_owned(),
            message,
        };
        let build = |glob: &str| {
            let mut builder = GlobBuilder::new(glob);
            builder.literal_separator(true).backslash_escape(true);
            let built = builder.build().map_err(|error| invalid(glob_error(error)));
            built.map(|glob| glob.compile_matcher())
        };
        if glob.is_empty() {
            return Err(invalid("it is empty".to_owned()));
        }
        if glob.len() > LONGEST {
            let message = format!("it is longer than {LONGEST} bytes");
            return Err(invalid(message));
        }
        if glob.matches('{').count() > MOST_BRACES {
            let message = format!("it has more than {MOST_BRACES} braces");
            return Err(invalid(message));
        }
        Ok(Self {
            kind,
            pattern: pattern.to_owned(),
            matcher: build(&full)?,
            dirs_only,
            descent: DescentFilter::new(&full, build)?,
        })
    }

    /// Returns the effect of the filter.
    pub fn kind(&self) -> FilterKind {
        self.kind
    }

    /// Returns true if the filter matches the file at `path` or an ancestor.
    pub fn covers(&self, path: &RepoPath) -> bool {
        self.matches(&Candidates::of(path), false)
    }

    fn matches(&self, path: &Candidates, is_dir: bool) -> bool {
        let mut at_is_dir = is_dir;
        path.0.iter().any(|path| {
            let may_match = at_is_dir || !self.dirs_only;
            at_is_dir = true;
            may_match && self.matcher.is_match(path)
        })
    }

    fn rule(&self) -> Rule {
        let source = match self.kind {
            FilterKind::Include => RuleSource::Include,
            FilterKind::Exclude => RuleSource::Exclude,
        };
        Rule {
            source,
            pattern: self.pattern.clone(),
            line: None,
        }
    }
}

/// A path and its ancestors, converted once for all filters.
struct Candidates(Vec<PathBuf>);

impl Candidates {
    fn of(path: &RepoPath) -> Self {
        let full = crate::native::relative(path);
        let above = full.ancestors().filter(|path| !path.as_os_str().is_empty());
        Self(above.map(Path::to_owned).collect())
    }
}

/// All filters, in the user's order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Filters {
    filters: Vec<Filter>,
    includes: bool,
}

impl Filters {
    pub(crate) fn new(filters: &[Filter]) -> Self {
        Self {
            filters: filters.to_vec(),
            includes: filters
                .iter()
                .any(|filter| filter.kind == FilterKind::Include),
        }
    }

    /// Returns the decision of the filters about `path`, if any. A directory that no pattern
    /// matches is left to the ignore files, because it may contain a match.
    pub(crate) fn decide(&self, path: &RepoPath, is_dir: bool) -> Option<(FilterKind, Rule)> {
        if self.filters.is_empty() {
            return None;
        }
        let candidates = Candidates::of(path);
        let mut filters = self.filters.iter().rev();
        let hit = filters.find(|filter| filter.matches(&candidates, is_dir));
        match hit {
            Some(filter) => Some((filter.kind, filter.rule())),
            None if self.includes && !is_dir => Some((FilterKind::Exclude, not_included())),
            None => None,
        }
    }

    /// Returns true if an include pattern may match a file in the directory `path`, which a rule of
    /// the kind `by` skips: the pattern names a path below it, or it comes after the exclude
    /// pattern that matches the directory.
    pub(crate) fn reaches_into(&self, path: &RepoPath, by: &RuleSource) -> bool {
        let excluded = *by == RuleSource::Exclude;
        let candidates = Candidates::of(path);
        let is_exclude = |filter: &Filter| {
            filter.kind == FilterKind::Exclude && filter.matches(&candidates, true)
        };
        let after = self
            .filters
            .iter()
            .rposition(is_exclude)
            .filter(|_| excluded);
        let mut later = self.filters[after.unwrap_or(0)..].iter();
        later.any(|filter| {
            filter.kind == FilterKind::Include
                && (excluded || filter.descent.is_named)
                && filter.descent.may_match_in(path)
        })
    }
}

fn not_included() -> Rule {
    Rule {
        source: RuleSource::NotIncluded,
        pattern: String::new(),
        line: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decide(filters: &str, path: &str) -> Option<FilterKind> {
        let filters: Vec<_> = filters
            .split_whitespace()
            .map(|word| match word.strip_prefix('!') {
                Some(glob) => Filter::new(FilterKind::Exclude, glob).unwrap(),
                None => Filter::new(FilterKind::Include, word).unwrap(),
            })
            .collect();
        let is_dir = path.ends_with('/');
        let path = RepoPath::new(path.trim_end_matches('/')).unwrap();
        Filters::new(&filters)
            .decide(&path, is_dir)
            .map(|(kind, _)| kind)
    }

    #[test]
    fn the_last_match_decides() {
        use FilterKind::{Exclude, Include};
        for (filters, path, expected) in [
            ("", "a.rs", None),
            ("*.rs", "src/a.rs", Some(Include)),
            ("*.rs", "src/a.py", Some(Exclude)),
            ("*.rs", "src/", None),
            ("!tests", "tests/a.rs", Some(Exclude)),
            ("!tests", "src/a.rs", None),
            ("!tests tests/keep.rs", "tests/keep.rs", Some(Include)),
            ("tests/keep.rs !tests", "tests/keep.rs", Some(Exclude)),
            ("src", "src/deep/a.py", Some(Include)),
            ("src/", "src/deep/a.py", Some(Include)),
            ("*.{ts,tsx}", "web/a.tsx", Some(Include)),
            ("/a.rs", "src/a.rs", Some(Exclude)),
            ("./src/*.rs", "src/a.rs", Some(Include)),
            ("src/**", "src/x/y", Some(Include)),
        ] {
            assert_eq!(decide(filters, path), expected, "{filters} on {path}");
        }
    }

    #[test]
    fn invalid_pattern_is_an_error() {
        for wrong in ["", "/", "[", "{a"] {
            assert!(Filter::new(FilterKind::Include, wrong).is_err(), "{wrong}");
        }
    }
}
