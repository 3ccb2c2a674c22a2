//! Finds the rule that decides about an entry. The order is: patterns of the user, Infiniloom's
//! ignore files, ignore files shared with other tools, git's (for untracked files), and the
//! built-in rules.

use loom_base::RepoPath;

use crate::folder::Folder;
use crate::rules::{
    FilterKind, Filters, Level, ListKind, PatternDecision, Rule, RuleSource, Siblings, default_for,
};

/// Decision about an entry, with its reason.
#[derive(Debug)]
pub(crate) enum Decision {
    /// Include the entry, with the rule if one matched.
    Keep(Option<Rule>),
    /// Include the entry because git tracks it, although this rule matches.
    KeepTracked(Rule),
    /// Skip the entry.
    Leave(Rule),
}

/// The directory of the entry that is decided.
pub(crate) struct DirContext<'a> {
    pub(crate) folder: &'a Folder,
    pub(crate) level: &'a Level,
    pub(crate) siblings: &'a Siblings,
}

/// The rules that apply to the whole root.
pub(crate) struct Rules {
    pub(crate) filters: Filters,
    pub(crate) default_ignore: bool,
}

impl Rules {
    /// Decides about `path`, an entry of the directory `here`.
    pub(crate) fn decide(&self, here: &DirContext<'_>, path: &RepoPath, is_dir: bool) -> Decision {
        if let Some((kind, rule)) = self.filters.decide(path, is_dir) {
            return match kind {
                FilterKind::Include => Decision::Keep(Some(rule)),
                FilterKind::Exclude => Decision::Leave(rule),
            };
        }
        let inherited = here.folder.left_out_by.as_ref();
        if let Some(rule) = inherited.filter(|rule| !rule.source.is_git()) {
            return Decision::Leave(rule.clone());
        }
        for kind in [ListKind::Infiniloom, ListKind::Ignore] {
            match here.level.decide(kind, path, is_dir) {
                Some((PatternDecision::Keep, rule)) => return Decision::Keep(Some(rule)),
                Some((PatternDecision::Ignore, rule)) => return Decision::Leave(rule),
                None => {}
            }
        }
        self.by_git_or_default(here, path, is_dir)
    }

    fn by_git_or_default(&self, here: &DirContext<'_>, path: &RepoPath, is_dir: bool) -> Decision {
        let decision = match here.folder.left_out_by.clone() {
            Some(rule) => Some((PatternDecision::Ignore, rule)),
            None => here.level.decide(ListKind::Git, path, is_dir),
        };
        let ignored_by = match decision {
            Some((PatternDecision::Keep, rule)) => return Decision::Keep(Some(rule)),
            Some((PatternDecision::Ignore, rule)) => Some(rule),
            None => None,
        };
        match ignored_by {
            Some(rule) if here.folder.repository.tracked(path).is_none() => Decision::Leave(rule),
            ignored_by => match (self.by_default(here, path, is_dir), ignored_by) {
                (Some(rule), _) => Decision::Leave(rule),
                (None, Some(rule)) => Decision::KeepTracked(rule),
                (None, None) => Decision::Keep(None),
            },
        }
    }

    fn by_default(&self, here: &DirContext<'_>, path: &RepoPath, is_dir: bool) -> Option<Rule> {
        let rule = default_for(path.file_name(), is_dir, here.siblings);
        rule.filter(|_| self.default_ignore)
    }

    /// Returns the built-in rule that skips a whole directory because of a file in it, unless a
    /// pattern of the user or of an ignore file includes the directory.
    pub(crate) fn by_mark(&self, folder: &Folder, siblings: &Siblings) -> Option<Rule> {
        let mark = siblings.mark.filter(|_| self.default_ignore)?;
        if let Some((FilterKind::Include, _)) = self.filters.decide(&folder.path, true) {
            return None;
        }
        let decide = |kind| folder.level.decide(kind, &folder.path, true);
        let kinds = [ListKind::Infiniloom, ListKind::Ignore, ListKind::Git];
        if let Some((PatternDecision::Keep, _)) = kinds.into_iter().find_map(decide) {
            return None;
        }
        Some(Rule {
            source: RuleSource::Default,
            pattern: format!("a folder with {mark}"),
            line: None,
        })
    }

    /// Returns true if the directory `path`, which `rule` skips, may contain an included file: git
    /// tracks one, or a pattern of the user names one.
    pub(crate) fn reaches_into(&self, folder: &Folder, path: &RepoPath, rule: &Rule) -> bool {
        rule.source.is_git() && folder.repository.tracks_below(path)
            || self.filters.reaches_into(path, &rule.source)
    }
}
