//! Two states of a repository side by side.

use std::collections::BTreeMap;

use gix::ObjectId;
use loom_base::RepoPath;

use super::cleaned::Cleaner;
use super::staged::{is_unmerged, staged, version};
use super::work_tree::{Suspect, Trust};
use super::{Change, History, HistoryError, Place, Version, VersionKind};
use crate::objects::Blob;
use crate::outcome::Reason;
use crate::read::{self, plain_message};

/// A repository that is being compared.
pub struct Comparison<'a> {
    history: &'a History,
    /// `None` where a commit is packed.
    work: Option<Work>,
}

/// The index, and what the configuration says about files.
struct Work {
    repository: gix::Repository,
    index: gix::index::File,
    trust: Trust,
    cleaner: Option<Cleaner>,
}

impl History {
    /// Reads the index, to compare with.
    ///
    /// # Errors
    /// When the repository or its index cannot be read.
    pub fn comparison(&self) -> Result<Comparison<'_>, HistoryError> {
        let work = match self.packed_commit() {
            Some(_) => None,
            None => Some(self.work()?),
        };
        Ok(Comparison {
            history: self,
            work,
        })
    }

    fn work(&self) -> Result<Work, HistoryError> {
        let unusable = |message: String| HistoryError::Unusable {
            path: self.dir.clone(),
            message,
        };
        let repository = crate::git::open(&self.dir)
            .ok_or_else(|| unusable("it cannot be opened".to_owned()))?;
        let index = match repository.index_path().exists() {
            true => repository
                .open_index()
                .map_err(|error| unusable(error.probable_cause().to_string()))?,
            false => gix::index::File::from_state(
                gix::index::State::new(repository.object_hash()),
                repository.index_path(),
            ),
        };
        let executable_bit = repository.config_snapshot().boolean("core.fileMode");
        let trust = Trust {
            stat: repository.stat_options().unwrap_or_default(),
            executable_bit: executable_bit.unwrap_or(cfg!(unix)),
        };
        Ok(Work {
            repository,
            index,
            trust,
            cleaner: None,
        })
    }
}

impl Comparison<'_> {
    /// The working tree against the index.
    ///
    /// # Errors
    /// When a commit is packed.
    pub fn unstaged(&mut self) -> Result<Vec<Change>, HistoryError> {
        let work = self.work.as_mut().ok_or(HistoryError::NoWorkTree)?;
        Ok(work.unstaged(self.history))
    }

    /// The index against a tree; without one, everything is new.
    ///
    /// # Errors
    /// When a commit is packed, or a tree cannot be read.
    pub fn staged(&self, tree: Option<ObjectId>) -> Result<Vec<Change>, HistoryError> {
        let work = self.work.as_ref().ok_or(HistoryError::NoWorkTree)?;
        work.staged(self.history, tree)
    }

    /// What is packed, the working tree or a commit, against a tree. Of the paths
    /// `found` those that git does not track count as new.
    ///
    /// # Errors
    /// When a tree cannot be read.
    pub fn since(
        &mut self,
        tree: Option<ObjectId>,
        found: impl IntoIterator<Item = RepoPath>,
    ) -> Result<Vec<Change>, HistoryError> {
        match (&mut self.work, self.history.packed_commit()) {
            (Some(work), _) => work.since(self.history, tree, found),
            (None, commit) => self.history.between(tree, commit.map(|commit| commit.tree)),
        }
    }

    /// The contents of one side of a change, as git has or would have them, of at
    /// most `limit` bytes.
    ///
    /// # Errors
    /// The reason for which they cannot be shown.
    pub fn contents(
        &mut self,
        path: &RepoPath,
        version: &Version,
        limit: u64,
    ) -> Result<Vec<u8>, Reason> {
        let unreadable = |message: String| Reason::Unreadable { message };
        match (version.place, version.kind, version.id) {
            (_, VersionKind::Submodule, id) => {
                let id = id.map(|id| id.to_string()).unwrap_or_default();
                Ok(format!("Subproject commit {id}\n").into_bytes())
            }
            (Place::Objects, _, Some(id)) => match self.history.objects.blob(id, limit) {
                Ok(Blob::Bytes(bytes)) => Ok(bytes),
                Ok(Blob::TooLarge(size)) => Err(Reason::TooLarge { size, limit }),
                Err(error) => Err(unreadable(error.to_string())),
            },
            (Place::Objects, _, None) => Err(unreadable("it is not known".to_owned())),
            (Place::WorkTree, VersionKind::Link, _) => {
                let target = self.history.link_target(path);
                target.map_err(|error| unreadable(plain_message(&error)))
            }
            (Place::WorkTree, ..) => match &mut self.work {
                Some(work) => work.read(self.history, path, limit),
                None => Err(Reason::Vanished),
            },
        }
    }
}

impl Work {
    /// The working tree against the index.
    fn unstaged(&mut self, history: &History) -> Vec<Change> {
        let suspects = history.suspects(&self.index, self.trust);
        suspects
            .into_iter()
            .filter_map(|suspect| self.examined(history, suspect))
            .collect()
    }

    /// The index against a tree; without one, everything is new.
    fn staged(
        &self,
        history: &History,
        tree: Option<ObjectId>,
    ) -> Result<Vec<Change>, HistoryError> {
        let handle = history.objects.handle();
        Ok(sorted(staged(&handle, tree, &self.index)?))
    }

    /// The working tree against a tree. Of the paths `found` those that git does not
    /// track count as new.
    fn since(
        &mut self,
        history: &History,
        tree: Option<ObjectId>,
        found: impl IntoIterator<Item = RepoPath>,
    ) -> Result<Vec<Change>, HistoryError> {
        let staged = self.staged(history, tree)?;
        let by_path = |change: Change| (change.path.clone(), change);
        let mut changes: BTreeMap<_, _> = staged.into_iter().map(by_path).collect();
        for change in self.unstaged(history) {
            let entry = changes.entry(change.path.clone());
            let known = entry.or_insert_with(|| change.clone());
            known.new = change.new;
            known.is_unmerged |= change.is_unmerged;
        }
        for path in found {
            if self.index.entry_range(path.as_bytes().into()).is_none() {
                self.untracked(history, path, &mut changes);
            }
        }
        // What was changed and changed back is no change.
        let is_same = |change: &Change| match (&change.old, &change.new) {
            (Some(old), Some(new)) => new.is_same(old) && !change.is_unmerged,
            (None, None) => true,
            _ => false,
        };
        Ok(changes
            .into_values()
            .filter(|change| !is_same(change))
            .collect())
    }

    fn untracked(
        &mut self,
        history: &History,
        path: RepoPath,
        changes: &mut BTreeMap<RepoPath, Change>,
    ) {
        let meta = gix::index::fs::Metadata::from_path_no_follow(&history.on_disk(&path));
        let Ok(meta) = meta else { return };
        let kind = match meta.is_executable() && self.trust.executable_bit {
            true => VersionKind::Executable,
            false => VersionKind::Plain,
        };
        let id = self.hash(history, &path, kind, None);
        let change = changes.entry(path.clone()).or_insert(Change {
            path,
            old: None,
            new: None,
            is_unmerged: false,
        });
        change.new = Some(Version::in_work_tree(kind, id));
    }

    /// Whether a file that may have changed did.
    fn examined(&mut self, history: &History, suspect: Suspect) -> Option<Change> {
        let path = suspect.path;
        let range = self
            .index
            .entry_range(self.index.entries()[suspect.at].path(&self.index));
        let entries = &self.index.entries()[range.unwrap_or(suspect.at..suspect.at + 1)];
        let (old, unmerged) = (version(entries), is_unmerged(entries));
        let Some(found) = suspect.found else {
            let change = Change {
                path,
                old,
                new: None,
                is_unmerged: unmerged,
            };
            return (old.is_some() || unmerged).then_some(change);
        };
        let id = match (found.kind, found.raw) {
            (_, None) => None,
            (VersionKind::Link, raw) => raw,
            (kind, _) => self.hash(history, &path, kind, old),
        };
        // It cannot be read, or a link stands on the way to it: to git it is gone.
        let new = id.map(|id| Version::in_work_tree(found.kind, Some(id)));
        if let (Some(old), Some(new)) = (&old, &new)
            && new.is_same(old)
            && !unmerged
        {
            return None;
        }
        Some(Change {
            path,
            old,
            new,
            is_unmerged: unmerged,
        })
    }

    /// The hash that git would give to a file.
    fn hash(
        &mut self,
        history: &History,
        path: &RepoPath,
        kind: VersionKind,
        old: Option<Version>,
    ) -> Option<ObjectId> {
        let hash = self.repository.object_hash();
        let raw = history.raw_hash(path, kind, hash)?;
        if old.and_then(|old| old.id) == Some(raw) {
            return Some(raw);
        }
        let beneath = history.beneath()?;
        let Ok(reading) = read::read_whole(beneath, path, CONVERTED) else {
            return Some(raw);
        };
        let (bytes, _) = self.clean(history, path, reading, old);
        gix::objs::compute_hash(hash, gix::objs::Kind::Blob, &bytes).ok()
    }

    fn clean(
        &mut self,
        history: &History,
        path: &RepoPath,
        bytes: Vec<u8>,
        old: Option<Version>,
    ) -> (Vec<u8>, Option<String>) {
        let stored = old.and_then(|old| history.stored(&old, CONVERTED));
        if self.cleaner.is_none() {
            let dir = history.dir.clone();
            self.cleaner = Cleaner::new(&self.repository, &self.index, dir);
        }
        match &mut self.cleaner {
            Some(cleaner) => {
                let cleaned =
                    cleaner.clean(&self.repository, path, bytes, &stored.unwrap_or_default());
                (cleaned.bytes, cleaned.filter)
            }
            None => (bytes, None),
        }
    }

    fn read(&mut self, history: &History, path: &RepoPath, limit: u64) -> Result<Vec<u8>, Reason> {
        let beneath = history.beneath().ok_or(Reason::Vanished)?;
        let bytes = read::read_whole(beneath, path, limit)?;
        let range = self.index.entry_range(path.as_bytes().into());
        let old = range.and_then(|range| version(&self.index.entries()[range]));
        match self.clean(history, path, bytes, old) {
            (_, Some(filter)) => Err(Reason::Unreadable {
                message: format!("git would pass it through the filter {filter}, which is not run"),
            }),
            (bytes, None) => Ok(bytes),
        }
    }
}

/// Larger files are compared byte for byte: nobody converts the line ends of those.
const CONVERTED: u64 = 64 << 20;

fn sorted(mut changes: Vec<Change>) -> Vec<Change> {
    changes.sort_by(|a, b| a.path.cmp(&b.path));
    changes
}
