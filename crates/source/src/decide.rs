//! Which rule decides about an entry. The user's patterns come first, then our
//! own ignore files, those shared with other tools, git's (for what git does not
//! track), and last the built-in defaults.

use loom_base::RepoPath;

use crate::folder::Folder;
use crate::rules::{
    FilterKind, Filters, Level, ListKind, Rule, RuleSource, Says, Siblings, default_for,
};

/// Why an entry is taken or not.
#[derive(Debug)]
pub(crate) enum Decision {
    /// It is taken; the rule that says so, where one does.
    Keep(Option<Rule>),
    /// Git tracks it, although this rule matches.
    KeepTracked(Rule),
    /// It is left out.
    Leave(Rule),
}

/// The folder whose entries are being decided about.
pub(crate) struct Here<'a> {
    pub(crate) folder: &'a Folder,
    pub(crate) level: &'a Level,
    pub(crate) siblings: &'a Siblings,
}

/// The rules that hold in the whole tree.
pub(crate) struct Rules {
    pub(crate) filters: Filters,
    pub(crate) default_ignore: bool,
}

impl Rules {
    /// Decides about `path`, an entry of the folder `here`.
    pub(crate) fn decide(&self, here: &Here<'_>, path: &RepoPath, is_dir: bool) -> Decision {
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
            match here.level.says(kind, path, is_dir) {
                Some((Says::Keep, rule)) => return Decision::Keep(Some(rule)),
                Some((Says::Ignore, rule)) => return Decision::Leave(rule),
                None => {}
            }
        }
        self.by_git_or_default(here, path, is_dir)
    }

    fn by_git_or_default(&self, here: &Here<'_>, path: &RepoPath, is_dir: bool) -> Decision {
        let says = match here.folder.left_out_by.clone() {
            Some(rule) => Some((Says::Ignore, rule)),
            None => here.level.says(ListKind::Git, path, is_dir),
        };
        let ignored_by = match says {
            Some((Says::Keep, rule)) => return Decision::Keep(Some(rule)),
            Some((Says::Ignore, rule)) => Some(rule),
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

    fn by_default(&self, here: &Here<'_>, path: &RepoPath, is_dir: bool) -> Option<Rule> {
        let rule = default_for(path.file_name(), is_dir, here.siblings);
        rule.filter(|_| self.default_ignore)
    }

    /// The default that leaves out the whole of a folder because of a file in it,
    /// unless a pattern of the user or of an ignore file takes the folder.
    pub(crate) fn by_mark(&self, folder: &Folder, siblings: &Siblings) -> Option<Rule> {
        let mark = siblings.mark.filter(|_| self.default_ignore)?;
        if let Some((FilterKind::Include, _)) = self.filters.decide(&folder.path, true) {
            return None;
        }
        let says = |kind| folder.level.says(kind, &folder.path, true);
        let kinds = [ListKind::Infiniloom, ListKind::Ignore, ListKind::Git];
        if let Some((Says::Keep, _)) = kinds.into_iter().find_map(says) {
            return None;
        }
        Some(Rule {
            source: RuleSource::Default,
            pattern: format!("a folder with {mark}"),
            line: None,
        })
    }

    /// Whether something in the folder `path`, which `rule` leaves out, may be
    /// wanted all the same: git tracks it, or a pattern of the user names it.
    pub(crate) fn reaches_into(&self, folder: &Folder, path: &RepoPath, rule: &Rule) -> bool {
        rule.source.is_git() && folder.repository.tracks_below(path)
            || self.filters.reaches_into(path, &rule.source)
    }
}
