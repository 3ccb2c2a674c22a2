//! The commits of a range or of the whole history, and the contents that each one introduced. A
//! commit does not introduce contents that it takes from a parent.

use std::collections::{HashMap, HashSet};

use gix::ObjectId;
use loom_base::RepoPath;

use super::commits::{parents, tree_of};
use super::{Change, History, HistoryError, Version, trees};
use crate::objects::Commit;

impl History {
    /// Returns true if earlier commits are missing, as in a shallow clone.
    pub fn is_cut(&self) -> bool {
        self.objects.handle().is_shallow().unwrap_or(false)
    }

    /// Returns the commits reachable from `to` but not from `not`, parents before children.
    ///
    /// # Errors
    /// If a commit cannot be read.
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
        // Depth first, each commit after its parents; without recursion, because a long history
        // would overflow the stack.
        let mut order = Vec::new();
        let mut visited = HashSet::new();
        let mut stack = vec![(to.id, false)];
        while let Some((id, is_done)) = stack.pop() {
            if is_done {
                order.push(id);
            } else if !excluded.contains(&id) && visited.insert(id) {
                stack.push((id, true));
                stack.extend(parents(id)?.into_iter().rev().map(|parent| (parent, false)));
            }
        }
        Ok(order)
    }

    /// Returns the files whose contents `commit` introduced; for a merge, those that differ from
    /// all parents.
    ///
    /// # Errors
    /// If a commit or a tree cannot be read.
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
    /// Returns true for a file with contents, not for a link or a submodule.
    pub fn is_file(&self) -> bool {
        matches!(
            self.kind,
            super::VersionKind::Plain | super::VersionKind::Executable
        )
    }
}
