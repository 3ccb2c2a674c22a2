//! The commits of a range or of the whole history, and what each brought in. What a
//! commit only passes on from one of its parents it did not bring in.

use std::collections::{HashMap, HashSet};

use gix::ObjectId;
use loom_base::RepoPath;

use super::commits::{parents, tree_of};
use super::{Change, History, HistoryError, Version, trees};
use crate::objects::Commit;

impl History {
    /// Whether commits before some are missing here, as in a shallow clone.
    pub fn is_cut(&self) -> bool {
        self.objects.handle().is_shallow().unwrap_or(false)
    }

    /// The commits that are reachable from `to` and not from `not`, the oldest first
    /// as far as their parents tell.
    ///
    /// # Errors
    /// When a commit cannot be read.
    pub fn commits(&self, to: Commit, not: Option<Commit>) -> Result<Vec<ObjectId>, HistoryError> {
        let repository = self.objects.handle();
        let cut: HashSet<ObjectId> = match repository.shallow_commits() {
            Ok(Some(commits)) => commits.iter().copied().collect(),
            _ => HashSet::new(),
        };
        let parents = |id: ObjectId| match cut.contains(&id) {
            true => Ok(Vec::new()),
            false => parents(&repository, id),
        };
        let mut excluded = HashSet::new();
        let mut stack: Vec<ObjectId> = not.iter().map(|commit| commit.id).collect();
        while let Some(id) = stack.pop() {
            if excluded.insert(id) {
                stack.extend(parents(id)?);
            }
        }
        // Depth first, a commit after all of its parents; without recursion, since
        // histories are deeper than stacks.
        let mut order = Vec::new();
        let mut met = HashSet::new();
        let mut stack = vec![(to.id, false)];
        while let Some((id, is_done)) = stack.pop() {
            if is_done {
                order.push(id);
            } else if !excluded.contains(&id) && met.insert(id) {
                stack.push((id, true));
                stack.extend(parents(id)?.into_iter().rev().map(|parent| (parent, false)));
            }
        }
        Ok(order)
    }

    /// The files whose contents `commit` brought in: in a merge, those that are as
    /// in none of its parents.
    ///
    /// # Errors
    /// When a commit or a tree cannot be read.
    pub fn introduced(&self, commit: ObjectId) -> Result<Vec<Change>, HistoryError> {
        let repository = self.objects.handle();
        let tree = Some(self.objects.commit(commit)?.tree);
        let parents = parents(&repository, commit)?;
        let known = parents
            .iter()
            .filter_map(|parent| tree_of(&repository, *parent));
        let mut known = known.collect::<Vec<_>>().into_iter();
        let first = trees::changes(&repository, known.next(), tree)?;
        let mut changes: HashMap<RepoPath, Change> = first
            .into_iter()
            .filter(|change| change.new.is_some())
            .map(|change| (change.path.clone(), change))
            .collect();
        for other in known {
            let differs = trees::changes(&repository, Some(other), tree)?;
            let differs: HashSet<RepoPath> =
                differs.into_iter().map(|change| change.path).collect();
            changes.retain(|path, _| differs.contains(path));
        }
        let mut changes: Vec<Change> = changes.into_values().collect();
        changes.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(changes)
    }
}

impl Version {
    /// Whether it is a file with contents of its own.
    pub fn is_file(&self) -> bool {
        matches!(
            self.kind,
            super::VersionKind::Plain | super::VersionKind::Executable
        )
    }
}
