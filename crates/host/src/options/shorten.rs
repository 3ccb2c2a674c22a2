//! Which files are made shorter, and how: one form for all, and rules for some.

use loom_base::RepoPath;
use loom_engine::{Fit, Form};
use loom_source::{Filter, Reason, Rule, RuleSource};
use loom_syntax::{Compression, Level, Transform};

/// What a rule of the settings does with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Does {
    Include,
    Exclude,
    /// The rule of a repository: a flag is over it.
    ExcludeUnasked,
    Transform(Transform),
}

/// What is left out of files.
#[derive(Clone, Debug, Default)]
pub struct ShortenOptions {
    /// What is left out of every file that no rule is about.
    pub how: Compression,
    /// How a budget is kept.
    pub fit: Fit,
    /// A file with more tokens is cut.
    pub max_tokens: Option<usize>,
    levels: Vec<(Filter, Level)>,
    rules: Vec<(Filter, Rule, Does)>,
    /// What the person at the command line asked for by name.
    asked: Vec<Filter>,
}

impl ShortenOptions {
    /// The same for every file.
    pub fn new(how: Compression) -> Self {
        Self {
            how,
            ..Self::default()
        }
    }

    /// Adds a level for the files that `filter` covers; the last one that does decides.
    #[must_use]
    pub fn level_for(mut self, filter: Filter, level: Level) -> Self {
        self.levels.push((filter, level));
        self
    }

    /// Packs the files that `filter` covers as they are, whatever came before.
    #[must_use]
    pub fn include(self, filter: Filter, pattern: &str) -> Self {
        self.rule(filter, pattern, Does::Include)
    }

    /// Leaves out the files that `filter` covers.
    #[must_use]
    pub fn exclude(self, filter: Filter, pattern: &str) -> Self {
        self.rule(filter, pattern, Does::Exclude)
    }

    /// Leaves out the files that `filter` covers, but those that were asked for.
    #[must_use]
    pub fn exclude_unasked(self, filter: Filter, pattern: &str) -> Self {
        self.rule(filter, pattern, Does::ExcludeUnasked)
    }

    /// Files that a flag asks for: the rules of a repository do not leave them out.
    #[must_use]
    pub fn asking_for(mut self, filter: Filter) -> Self {
        self.asked.push(filter);
        self
    }

    /// Packs the files that `filter` covers in another form.
    #[must_use]
    pub fn transform(self, filter: Filter, pattern: &str, which: Transform) -> Self {
        self.rule(filter, pattern, Does::Transform(which))
    }

    fn rule(mut self, filter: Filter, pattern: &str, does: Does) -> Self {
        let rule = Rule {
            source: RuleSource::Transform,
            pattern: pattern.to_owned(),
            line: None,
        };
        self.rules.push((filter, rule, does));
        self
    }

    /// Whether a rule of the settings leaves the file out; nothing where none does.
    pub(crate) fn excludes(&self, path: &RepoPath) -> Result<(), Reason> {
        let form = self.form_of(path).map(drop);
        form.map_err(|rule| Reason::Rule(rule.clone()))
    }

    /// The rule that decides about a file.
    fn deciding(&self, path: &RepoPath) -> Option<&(Filter, Rule, Does)> {
        let is_asked = self.asked.iter().any(|filter| filter.covers(path));
        let mut rules = self.rules.iter().rev();
        rules.find(|(filter, _, does)| {
            filter.covers(path) && !(is_asked && *does == Does::ExcludeUnasked)
        })
    }

    /// The form of a file, or the rule that leaves it out.
    ///
    /// # Errors
    /// The rule, where one leaves it out.
    pub fn form_of(&self, path: &RepoPath) -> Result<Form, &Rule> {
        match self.deciding(path) {
            Some((_, rule, Does::Exclude | Does::ExcludeUnasked)) => return Err(rule),
            Some((.., Does::Include)) => return Ok(Form::Whole),
            Some((.., Does::Transform(which))) => return Ok(Form::Transformed(*which)),
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

    /// Whether no file has a level, from whatever rule.
    pub fn has_no_level(&self) -> bool {
        let is_none = |(_, level): &(Filter, Level)| *level == Level::None;
        self.how.is_nothing() && self.levels.iter().all(is_none)
    }

    /// The form of a file that may be lowered: one that no rule fixed.
    pub(crate) fn lowering(&self, form: Form) -> Form {
        match form {
            Form::Whole => Form::Compressed(self.how),
            form => form,
        }
    }

    /// Whether a rule says that a file stays as it is.
    pub(crate) fn is_fixed(&self, path: &RepoPath) -> bool {
        self.deciding(path).is_some()
    }
}
