//! The ordered list of include and exclude rules. Which files a rule matches,
//! and what a match means, is the scanner's.

use crate::{Globs, Origin};

/// What a rule does with the files that it matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FilterKind {
    /// It keeps them.
    Include,
    /// It leaves them out.
    Exclude,
}

/// One glob from `scan.include` or `scan.exclude`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterRule {
    /// What it does.
    pub kind: FilterKind,
    /// The glob, not yet checked.
    pub glob: String,
    /// Who wrote it.
    pub origin: Origin,
}

/// All rules in the order in which they were given: the last that matches a path
/// decides. Higher layers come after lower ones; inside a file or the environment
/// excludes come after includes; flags keep the order of the command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filters {
    rules: Vec<FilterRule>,
}

impl Filters {
    /// The rules, the weakest first.
    pub fn rules(&self) -> &[FilterRule] {
        &self.rules
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Adds a rule that is stronger than all before it.
    pub fn push(&mut self, rule: FilterRule) {
        self.rules.push(rule);
    }

    pub(crate) fn extend(&mut self, kind: FilterKind, globs: Globs, origin: &Origin) {
        self.rules.extend(globs.into_iter().map(|glob| FilterRule {
            kind,
            glob,
            origin: origin.clone(),
        }));
    }

    pub(crate) fn clear(&mut self, kind: FilterKind) {
        self.rules.retain(|rule| rule.kind != kind);
    }

    pub(crate) fn globs(&self, kind: FilterKind) -> Globs {
        let of_kind = |rule: &&FilterRule| rule.kind == kind;
        let rules = self.rules.iter().filter(of_kind);
        rules.map(|rule| rule.glob.clone()).collect()
    }
}
