//! Selects the form of each file: one form for all, and rules for some.

use loom_base::RepoPath;
use loom_engine::{Fit, Form};
use loom_source::{Filter, Reason, Rule, RuleSource};
use loom_syntax::{Compression, Level, Transform};

/// Effect of a rule in the settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RuleAction {
    Include,
    Exclude,
    /// Excludes files by a repository's rule, which a flag overrides.
    ExcludeUnasked,
    Transform(Transform),
}

/// Compression and transformation of files.
#[derive(Clone, Debug, Default)]
pub struct ShortenOptions {
    /// Compression of every file without a rule.
    pub how: Compression,
    /// Method of fitting into a budget.
    pub fit: Fit,
    /// Files with more tokens are truncated.
    pub max_tokens: Option<usize>,
    levels: Vec<(Filter, Level)>,
    rules: Vec<(Filter, Rule, RuleAction)>,
    /// Files that the user includes by a flag.
    asked: Vec<Filter>,
}

impl ShortenOptions {
    /// Compresses all files in the same way.
    pub fn new(how: Compression) -> Self {
        Self {
            how,
            ..Self::default()
        }
    }

    /// Adds a level for the files that `filter` matches; the last match wins.
    #[must_use]
    pub fn level_for(mut self, filter: Filter, level: Level) -> Self {
        self.levels.push((filter, level));
        self
    }

    /// Packs the files that `filter` matches unchanged, and overrides earlier rules.
    #[must_use]
    pub fn include(self, filter: Filter, pattern: &str) -> Self {
        self.rule(filter, pattern, RuleAction::Include)
    }

    /// Excludes the files that `filter` matches.
    #[must_use]
    pub fn exclude(self, filter: Filter, pattern: &str) -> Self {
        self.rule(filter, pattern, RuleAction::Exclude)
    }

    /// Excludes the files that `filter` matches, unless a flag includes them.
    #[must_use]
    pub fn exclude_unasked(self, filter: Filter, pattern: &str) -> Self {
        self.rule(filter, pattern, RuleAction::ExcludeUnasked)
    }

    /// Adds files that a flag includes: the rules of a repository do not exclude them.
    #[must_use]
    pub fn asking_for(mut self, filter: Filter) -> Self {
        self.asked.push(filter);
        self
    }

    /// Packs the files that `filter` matches in another form.
    #[must_use]
    pub fn transform(self, filter: Filter, pattern: &str, which: Transform) -> Self {
        self.rule(filter, pattern, RuleAction::Transform(which))
    }

    fn rule(mut self, filter: Filter, pattern: &str, does: RuleAction) -> Self {
        let rule = Rule {
            source: RuleSource::Transform,
            pattern: pattern.to_owned(),
            line: None,
        };
        self.rules.push((filter, rule, does));
        self
    }

    /// Returns the rule as an error if one excludes the file.
    pub(crate) fn excludes(&self, path: &RepoPath) -> Result<(), Reason> {
        let form = self.form_of(path).map(drop);
        form.map_err(|rule| Reason::Rule(rule.clone()))
    }

    /// Returns the rule that applies to a file.
    fn deciding(&self, path: &RepoPath) -> Option<&(Filter, Rule, RuleAction)> {
        let is_asked = self.asked.iter().any(|filter| filter.covers(path));
        let mut rules = self.rules.iter().rev();
        rules.find(|(filter, _, does)| {
            filter.covers(path) && !(is_asked && *does == RuleAction::ExcludeUnasked)
        })
    }

    /// Returns the form of a file.
    ///
    /// # Errors
    /// The rule that excludes the file.
    pub fn form_of(&self, path: &RepoPath) -> Result<Form, &Rule> {
        match self.deciding(path) {
            Some((_, rule, RuleAction::Exclude | RuleAction::ExcludeUnasked)) => return Err(rule),
            Some((.., RuleAction::Include)) => return Ok(Form::Whole),
            Some((.., RuleAction::Transform(which))) => return Ok(Form::Transformed(*which)),
            None => {}
        }
        let mut levels = self.levels.iter().rev();
        let level = levels.find(|(filter, _)| filter.covers(path));
        let how = Compression {
            level: level.map_or(self.how.level, |(_, level)| *level),
            ..self.how
        };
        Ok(match how.is_nothing() {
            true => Form::Whole,
            false => Form::Compressed(how),
        })
    }

    /// Returns true if no file is compressed.
    pub fn has_no_level(&self) -> bool {
        let is_none = |(_, level): &(Filter, Level)| *level == Level::None;
        self.how.is_nothing() && self.levels.iter().all(is_none)
    }

    /// Returns the form in which compression to a budget starts, for a file without a rule.
    pub(crate) fn lowering(&self, form: Form) -> Form {
        match form {
            Form::Whole => Form::Compressed(self.how),
            form => form,
        }
    }

    /// Returns true if a rule applies to a file, so that its level is fixed.
    pub(crate) fn is_fixed(&self, path: &RepoPath) -> bool {
        self.deciding(path).is_some()
    }
}
