//! A violation of a rule: location, message and remedy.

use std::fmt;

/// A violation; the order by path makes the list follow the tree.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Problem {
    path: String,
    line: usize,
    what: String,
    remedy: String,
}

impl Problem {
    pub(crate) fn new(
        path: impl Into<String>,
        line: usize,
        what: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self {
            path: path.into(),
            line,
            what: what.into(),
            remedy: remedy.into(),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            path,
            line,
            what,
            remedy,
        } = self;
        write!(formatter, "{path}:{line}: {what}, {remedy}")
    }
}

/// Formats problems for the tests of the rules.
#[cfg(test)]
pub(crate) fn shown(problems: impl IntoIterator<Item = Problem>) -> Vec<String> {
    problems
        .into_iter()
        .map(|problem| problem.to_string())
        .collect()
}
