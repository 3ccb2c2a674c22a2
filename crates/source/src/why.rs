//! Finds the rule that decides about one path.

use std::path::{Path, PathBuf};

use loom_base::RepoPath;

use crate::decide::{Decision, DirContext};
use crate::entry::EntryKind;
use crate::folder::Folder;
use crate::native;
use crate::outcome::Reason;
use crate::revision;
use crate::root::Root;
use crate::rules::{Rule, Siblings};
use crate::scan::ScanOptions;
use crate::source::Source;
use crate::tree::Tree;
use crate::walk::Walk;

/// Decision about a path, with its reason.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// The path is included; no rule matches it.
    Taken,
    /// The path is included because of this rule.
    TakenBy(Rule),
    /// The path is included because git tracks it, although this rule matches.
    TakenAsTracked(Rule),
    /// This rule skips the path; it matches `at`, the path or an ancestor.
    LeftOut {
        /// The path that the rule matches.
        at: RepoPath,
        /// The rule.
        rule: Rule,
    },
    /// The rules include the path, but it does not exist.
    Absent,
    /// The rules include the path, but its kind does not: a link, a special file, a submodule
    /// without contents, or a tracked file that the working tree lacks.
    LeftOutAs(Reason),
}

/// The path is outside the roots.
#[derive(Debug, thiserror::Error)]
#[error("{} is not inside {}", path.display(), root.display())]
pub struct WhyError {
    path: PathBuf,
    root: PathBuf,
}

impl Source {
    /// Finds the rule that decides about `path`, an absolute path or one relative to the current
    /// directory.
    ///
    /// # Errors
    /// If the path is in none of the opened roots.
    pub fn why(&self, path: &Path, options: &ScanOptions) -> Result<(RepoPath, Verdict), WhyError> {
        for (number, (root, tree)) in self.trees().iter().enumerate() {
            let relative = match tree.base() {
                Tree::Commit(_) => within(root, path),
                _ => native::repo_path(&root.dir, &absolute(path)),
            };
            if let Some(relative) = relative {
                let verdict = Walk::new(root, tree, number, options).explain(&relative);
                return Ok((relative, verdict));
            }
        }
        let root = self.roots().next().unwrap_or(Path::new("")).to_owned();
        Err(WhyError {
            path: path.to_owned(),
            root,
        })
    }
}

impl Walk<'_> {
    /// Descends to `path` like the walk, and stops at the first directory that is skipped as a
    /// whole.
    fn explain(&mut self, path: &RepoPath) -> Verdict {
        let mut folder = self.top();
        let mut verdict = Verdict::Taken;
        for part in path.components() {
            let Ok(next) = folder.path.child(part) else {
                break;
            };
            if part == b".git" {
                let rule = Rule::git_folder();
                return Verdict::LeftOut { at: next, rule };
            }
            let kind = self.folders.tree.kind(&next);
            let is_dir = kind.map_or(next != *path, |kind| kind == EntryKind::Folder);
            let decision = self.explain_entry(&folder, &next, is_dir);
            let left_out_by = match &decision {
                Decision::Leave(rule) => Some(rule.clone()),
                _ => None,
            };
            let goes_on = match &left_out_by {
                Some(rule) => is_dir && self.rules.reaches_into(&folder, &next, rule),
                None => true,
            };
            let taken = self.verdict(&folder, decision, &next, kind);
            verdict = match (taken, verdict) {
                // The rule matched at the ancestor.
                (Verdict::LeftOut { rule, .. }, Verdict::LeftOut { at, rule: above })
                    if rule == above =>
                {
                    Verdict::LeftOut { at, rule }
                }
                (verdict, _) => verdict,
            };
            if !goes_on {
                break;
            }
            let level = self.level_in(&folder);
            let below = self.folders.child(&folder, &level, next, left_out_by);
            folder = self.own_repository(below);
        }
        verdict
    }

    fn verdict(
        &self,
        folder: &Folder,
        decision: Decision,
        at: &RepoPath,
        kind: Option<EntryKind>,
    ) -> Verdict {
        if let Decision::Leave(rule) = decision {
            let at = at.clone();
            return Verdict::LeftOut { at, rule };
        }
        if let Some(reason) = self.absence(&folder.repository, at) {
            return Verdict::LeftOutAs(reason);
        }
        match (decision, kind) {
            (_, None) => Verdict::Absent,
            (_, Some(EntryKind::Link)) => Verdict::LeftOutAs(self.folders.tree.link(at)),
            (_, Some(EntryKind::Submodule)) => Verdict::LeftOutAs(Reason::SubmoduleMissing),
            (_, Some(EntryKind::Special(kind))) => Verdict::LeftOutAs(Reason::Special(kind)),
            (Decision::Keep(Some(rule)), _) => Verdict::TakenBy(rule),
            (Decision::KeepTracked(rule), _) => Verdict::TakenAsTracked(rule),
            _ => Verdict::Taken,
        }
    }

    fn explain_entry(&self, folder: &Folder, path: &RepoPath, is_dir: bool) -> Decision {
        let entries = self.entries(folder).unwrap_or_default();
        let names = entries.iter().map(|entry| entry.name.as_slice());
        let siblings = Siblings::of(names.clone(), folder.is_git_top());
        let level = self.folders.level_in(folder, names);
        let here = DirContext {
            folder,
            level: &level,
            siblings: &siblings,
        };
        match self.rules.decide(&here, path, is_dir) {
            Decision::Leave(rule) => Decision::Leave(rule),
            other if !is_dir => other,
            other => self.mark_in(folder, path).map_or(other, Decision::Leave),
        }
    }

    /// Returns the rule that skips the directory `path` because of a file in it.
    fn mark_in(&self, above: &Folder, path: &RepoPath) -> Option<Rule> {
        let level = self.level_in(above);
        let folder = self.folders.child(above, &level, path.clone(), None);
        let entries = self.entries(&folder).ok()?;
        let names = entries.iter().map(|entry| entry.name.as_slice());
        self.rules.by_mark(&folder, &Siblings::of(names, false))
    }
}

/// Returns the path in the repository of `root`, of which a commit is read.
fn within(root: &Root, path: &Path) -> Option<RepoPath> {
    let (dir, below) = revision::locate(path).ok()?;
    (dir == root.dir).then_some(below)
}

/// Resolves every link above the last component of a path: the last component may be a link, or
/// missing.
fn absolute(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let parent = path.parent().and_then(|parent| parent.canonicalize().ok());
    match (parent, path.file_name()) {
        (Some(parent), Some(name)) => parent.join(name),
        _ => path.canonicalize().unwrap_or(path),
    }
}
