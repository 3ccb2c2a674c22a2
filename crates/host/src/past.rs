//! Git data about the packed files: changes, and the previous contents.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use loom_base::RepoPath;
use loom_engine::{Marks, Note, cells};
use loom_source::{
    Change, Commit, FoundFile, History, HistoryError, LeftOut, ObjectId, Reason, Scan, Version,
    decode,
};

use crate::load::Loaded;
use crate::{PackError, Packer, Run};

mod renames;

pub(crate) use renames::{COMPARISONS, Moved, join_renames};

/// Maximum size in bytes of a text that is compared to find a rename.
const COMPARED: u64 = 1 << 20;

/// The repositories of a run and the changes in them.
pub(crate) struct Past {
    pub(crate) histories: Vec<History>,
    /// Changed files since the base, by displayed path: the number of the repository and the
    /// previous version. Empty if no option needs them.
    changes: BTreeMap<RepoPath, (usize, Option<Version>)>,
    /// Files that were deleted since the base.
    gone: Vec<RepoPath>,
    /// Files that were renamed since the base, with their new paths.
    renamed: BTreeMap<RepoPath, RepoPath>,
    /// Warnings about attribute files that git would apply.
    warnings: Vec<String>,
    /// Number of files that were skipped because they did not change.
    pub(crate) unchanged: usize,
}

impl Packer {
    /// Reads the git data that the options require. If they select only changed files, removes the
    /// others from `scan`.
    pub(crate) fn past(&self, scan: &mut Scan) -> Result<Option<Past>, PackError> {
        let options = &self.options.history;
        let Some(flag) = options.flag() else {
            return Ok(None);
        };
        let failed = |source: HistoryError| PackError::History { flag, source };
        let histories = self.source.histories(scan).map_err(failed.clone())?;
        let mut past = Past {
            histories,
            changes: BTreeMap::new(),
            gone: Vec::new(),
            renamed: BTreeMap::new(),
            warnings: Vec::new(),
            unchanged: 0,
        };
        if options.changed.is_some() || options.highlight {
            past.find_changes(options.base(), scan).map_err(failed)?;
            scan.warnings.extend(past.warnings.iter().cloned());
        }
        if options.changed.is_some() {
            past.keep_changed(scan);
        }
        Ok(Some(past))
    }

    /// Removes unchanged files from `scan` if the options select only changed ones.
    pub(crate) fn keep_changed(&self, scan: &mut Scan) -> Result<(), PackError> {
        match self.options.history.changed {
            Some(_) => self.past(scan).map(|_| ()),
            None => Ok(()),
        }
    }

    /// Returns the files that differ from the last commit.
    pub(crate) fn changed_files(
        &self,
        scan: &Scan,
        run: &Run,
    ) -> Result<Vec<RepoPath>, HistoryError> {
        let mut past = Past {
            histories: self.source.histories(scan)?,
            changes: BTreeMap::new(),
            gone: Vec::new(),
            renamed: BTreeMap::new(),
            warnings: Vec::new(),
            unchanged: 0,
        };
        past.find_changes("HEAD", scan)?;
        run.unread.warn(past.warnings);
        Ok(past.changes.into_keys().collect())
    }
}

pub(crate) fn tree(commit: Option<Commit>) -> Option<ObjectId> {
    commit.map(|commit| commit.tree)
}

/// Returns the commit to compare with. A nested repository has its own history, in which the user's
/// revision has no meaning: it uses `HEAD`.
pub(crate) fn base_of(history: &History, revision: &str) -> Result<Option<Commit>, HistoryError> {
    if revision == "HEAD" || history.is_inner() {
        history.head()
    } else {
        history.left(revision).map(Some)
    }
}

impl Past {
    fn find_changes(&mut self, revision: &str, scan: &Scan) -> Result<(), HistoryError> {
        for (number, history) in self.histories.iter().enumerate() {
            let base = base_of(history, revision)?;
            let found = scan.files.iter().filter_map(|file| history.owns(file));
            let mut comparison = history.comparison()?;
            let changes = comparison.since(tree(base), found)?;
            self.warnings.extend(comparison.warnings());
            let mut comparisons = COMPARISONS;
            let joined = join_renames(changes, &mut comparisons, |change| {
                let version = change.old.or(change.new)?;
                let bytes = comparison.contents(&change.path, &version, COMPARED).ok()?;
                Some(decode(bytes).ok()?.text)
            });
            for Moved { from, change } in joined.moved {
                let Change { path, old, new, .. } = change;
                let is_gone = from != path || new.is_none();
                if is_gone && history.is_asked_for(&from) {
                    let (from, to) = (history.shown(&from), history.shown(&path));
                    match new {
                        Some(_) => drop(self.renamed.insert(from, to)),
                        None => self.gone.push(from),
                    }
                }
                if new.is_some() {
                    self.changes.insert(history.shown(&path), (number, old));
                }
            }
        }
        Ok(())
    }

    /// Removes unchanged files from `scan` and lists deleted and renamed ones as skipped.
    fn keep_changed(&mut self, scan: &mut Scan) {
        let before = scan.files.len();
        let is_known = |file: &FoundFile| self.histories.iter().any(|one| one.owns(file).is_some());
        // A file outside all repositories has no previous version: it counts as new.
        scan.files
            .retain(|file| self.changes.contains_key(&file.path) || !is_known(file));
        self.unchanged = before - scan.files.len();
        let renamed = |to: &RepoPath| Reason::Renamed { to: to.to_string() };
        for left in &mut scan.left_out {
            if let (Reason::Deleted, Some(to)) = (&left.reason, self.renamed.get(&left.path)) {
                left.reason = renamed(to);
            }
        }
        let named: HashSet<RepoPath> = scan.left_out.iter().map(|left| left.path.clone()).collect();
        let gone = self.gone.iter().map(|path| (path, Reason::Deleted));
        let moved = self.renamed.iter().map(|(path, to)| (path, renamed(to)));
        let missing = gone.chain(moved).filter(|(path, _)| !named.contains(path));
        scan.left_out.extend(missing.map(|(path, reason)| LeftOut {
            path: path.clone(),
            is_dir: false,
            reason,
        }));
    }

    /// Marks the changes in a file.
    pub(crate) fn mark(&self, found: &FoundFile, loaded: &mut Loaded, limit: u64) {
        let Some((number, old)) = self.changes.get(&found.path) else {
            return;
        };
        let Some(old) = old else {
            return loaded.meta.notes.push(Note::New);
        };
        let bytes = self.histories[*number].stored(old, limit);
        let Some(before) = bytes.and_then(|bytes| decode(bytes).ok()) else {
            return;
        };
        let before = match loaded.meta.notes.contains(&Note::NotebookCells) {
            true => cells(&before.text).unwrap_or_default(),
            false => before.text,
        };
        if let Some(marks) = Marks::between(&before, &loaded.text) {
            loaded.meta.marks = Some(Arc::new(marks));
            loaded.meta.notes.push(Note::Marked);
        }
    }
}
