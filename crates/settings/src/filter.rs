//! The ordered list of include and exclude rules. The scanner decides which files a rule matches,
//! and applies it.

use crate::{Globs, Origin};

/// Effect of a rule on the files that it matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FilterKind {
    /// Includes the files.
    Include,
    /// Excludes the files.
    Exclude,
}

/// One glob from `scan.include` or `scan.exclude`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterRule {
    /// Effect of the rule.
    pub kind: FilterKind,
    /// Glob, not yet validated.
    pub glob: String,
    /// Origin of the rule.
    pub origin: Origin,
}

/// All rules, weakest first: the last one that matches a path decides. Higher layers come after
/// lower ones. Inside a file or the environment, excludes come after includes; flags keep the order
/// of the command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filters {
    rules: Vec<FilterRule>,
}

impl Filters {
    /// Returns the rules, weakest first.
    pub fn rules(&self) -> &[FilterRule] {
        &self.rules
    }

    /// Returns whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Adds a rule that is stronger than all rules before it.
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
