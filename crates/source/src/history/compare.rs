//! Compares two states of a repository.

use std::collections::BTreeMap;
use std::path::Path;

use gix::ObjectId;
use loom_base::RepoPath;

use super::cleaned::Cleaner;
use super::staged::{is_unmerged, staged, version};
use super::work_tree::{Suspect, Trust};
use super::{Change, ContentLocation, History, HistoryError, Version, VersionKind};
use crate::native;
use crate::objects::Blob;
use crate::outcome::Reason;
use crate::read::{self, plain_message};

/// A repository that is compared.
pub struct Comparison<'a> {
    history: &'a History,
    /// `None` if a commit is packed.
    work: Option<Work>,
}

/// The index, and the configuration about files.
struct Work {
    repository: gix::Repository,
    index: gix::index::File,
    trust: Trust,
    cleaner: Option<Cleaner>,
}

impl History {
    /// Reads the index for comparisons.
    ///
    /// # Errors
    /// If the repository or its index cannot be read.
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
    /// Returns warnings about attribute files that the comparisons so far did not use.
    pub fn warnings(&self) -> Vec<String> {
        let cleaner = self.work.as_ref().and_then(|work| work.cleaner.as_ref());
        let skipped = cleaner.into_iter().flat_map(|cleaner| &cleaner.skipped);
        skipped
            .map(|file| {
                let path = native::repo_path(Path::new(""), &file.path);
                let path = match path {
                    Some(path) if file.path.is_relative() => self.history.shown(&path).to_string(),
                    _ => file.path.display().to_string(),
                };
                format!("{path} {}: its attributes do not hold", file.reason)
            })
            .collect()
    }

    /// Compares the working tree with the index.
    ///
    /// # Errors
    /// If a commit is packed.
    pub fn unstaged(&mut self) -> Result<Vec<Change>, HistoryError> {
        let work = self.work.as_mut().ok_or(HistoryError::NoWorkTree)?;
        Ok(work.unstaged(self.history))
    }

    /// Compares the index with a tree; without a tree, all files are new.
    ///
    /// # Errors
    /// If a commit is packed, or a tree cannot be read.
    pub fn staged(&self, tree: Option<ObjectId>) -> Result<Vec<Change>, HistoryError> {
        let work = self.work.as_ref().ok_or(HistoryError::NoWorkTree)?;
        work.staged(self.history, tree)
    }

    /// Compares the packed working tree or commit with a tree. Untracked paths in `found` count as
    /// new.
    ///
    /// # Errors
    /// If a tree cannot be read.
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

    /// Returns the contents of one side of a change in git's stored form, at most `limit` bytes.
    ///
    /// # Errors
    /// The reason why they cannot be shown.
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
            (ContentLocation::Objects, _, Some(id)) => match self.history.objects.blob(id, limit) {
                Ok(Blob::Bytes(bytes)) => Ok(bytes),
                Ok(Blob::TooLarge(size)) => Err(Reason::TooLarge { size, limit }),
                Err(error) => Err(unreadable(error.to_string())),
            },
            (ContentLocation::Objects, _, None) => Err(unreadable("it is not known".to_owned())),
            (ContentLocation::WorkTree, VersionKind::Link, _) => {
                let target = self.history.link_target(path);
                target.map_err(|error| unreadable(plain_message(&error)))
            }
            (ContentLocation::WorkTree, ..) => match &mut self.work {
                Some(work) => work.read(self.history, path, limit),
                None => Err(Reason::Vanished),
            },
        }
    }
}

impl Work {
    /// Compares the working tree with the index.
    fn unstaged(&mut self, history: &History) -> Vec<Change> {
        let suspects = history.suspects(&self.index, self.trust);
        suspects
            .into_iter()
            .filter_map(|suspect| self.examined(history, suspect))
            .collect()
    }

    /// Compares the index with a tree; without a tree, all files are new.
    fn staged(
        &self,
        history: &History,
        tree: Option<ObjectId>,
    ) -> Result<Vec<Change>, HistoryError> {
        let handle = history.objects.handle();
        Ok(sorted(staged(&handle, tree, &self.index)?))
    }

    /// Compares the working tree with a tree. Untracked paths in `found` count as new.
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
        // A change that was reverted is not a change.
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

    /// Reads a file that may have changed, and returns its change.
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
        // Git considers a file deleted if it is unreadable or a parent is a link.
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

    /// Computes git's hash of a file.
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

/// Larger files are compared byte for byte; converting their line endings is not worthwhile.
const CONVERTED: u64 = 64 << 20;

fn sorted(mut changes: Vec<Change>) -> Vec<Change> {
    changes.sort_by(|a, b| a.path.cmp(&b.path));
    changes
}
