//! Compares the tree of a commit with the index. Skips directories whose tree hash the index
//! caches.

use std::ops::Range;

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice, ByteVec};
use gix::index::State;
use gix::index::entry::Stage;
use gix::index::extension::Tree as Remembered;
use loom_base::RepoPath;

use super::{Change, Version, VersionKind};
use crate::objects::ObjectsError;

/// More files than any repository has. A tree can claim any number of files by repeating the same
/// directory.
const MOST: usize = 8 << 20;

/// A directory to compare.
struct Folder<'a> {
    tree: ObjectId,
    prefix: BString,
    /// Range of its entries in the index.
    range: Range<usize>,
    remembered: Option<&'a Remembered>,
}

/// Returns the changes from `tree` to the index; without a tree, every entry of the index.
pub(super) fn staged(
    repository: &gix::Repository,
    tree: Option<ObjectId>,
    index: &State,
) -> Result<Vec<Change>, ObjectsError> {
    let mut comparing = Comparing {
        repository,
        index,
        seen: vec![false; index.entries().len()],
        changes: Vec::new(),
        budget: MOST,
    };
    if let Some(tree) = tree {
        comparing.run(Folder {
            tree,
            prefix: BString::default(),
            range: 0..index.entries().len(),
            remembered: index.tree(),
        })?;
    }
    comparing.added();
    Ok(comparing.changes)
}

struct Comparing<'a> {
    repository: &'a gix::Repository,
    index: &'a State,
    /// Marks the entries of the index that were compared.
    seen: Vec<bool>,
    changes: Vec<Change>,
    budget: usize,
}

impl<'a> Comparing<'a> {
    fn run(&mut self, top: Folder<'a>) -> Result<(), ObjectsError> {
        let mut folders = vec![top];
        while let Some(folder) = folders.pop() {
            let is_same = |node: &&Remembered| node.num_entries.is_some() && node.id == folder.tree;
            if folder.remembered.as_ref().is_some_and(is_same) {
                self.seen[folder.range].fill(true);
                continue;
            }
            self.folder(&folder, &mut folders)?;
        }
        Ok(())
    }

    fn folder(
        &mut self,
        folder: &Folder<'a>,
        below: &mut Vec<Folder<'a>>,
    ) -> Result<(), ObjectsError> {
        let object = crate::objects::find(self.repository, folder.tree)?;
        for entry in gix::objs::TreeRefIter::from_bytes(&object.data, folder.tree.kind()).flatten()
        {
            self.budget = self.budget.saturating_sub(1);
            if self.budget == 0 {
                return Err(ObjectsError::Broken {
                    id: folder.tree,
                    message: format!("more than {MOST} files"),
                });
            }
            let mut path = folder.prefix.clone();
            path.push_str(entry.filename);
            let id = entry.oid.to_owned();
            if entry.mode.is_tree() {
                // A sparse index has one entry for the directory.
                path.push(b'/');
                match self
                    .index
                    .entry_by_path_and_stage(path.as_bstr(), Stage::Unconflicted)
                {
                    Some(whole) if whole.id == id => {
                        self.mark(path.as_bstr());
                    }
                    _ => below.push(self.below(folder, path, entry.filename, id)),
                }
            } else if let Some(kind) = VersionKind::of_tree(entry.mode.kind()) {
                self.file(path.as_bstr(), Version::in_objects(kind, id));
            }
        }
        Ok(())
    }

    fn below(
        &self,
        above: &Folder<'a>,
        prefix: BString,
        name: &BStr,
        tree: ObjectId,
    ) -> Folder<'a> {
        let range = self.index.prefixed_entries_range(prefix.as_bstr());
        let children = above.remembered.map(|node| &node.children);
        let child = children.and_then(|nodes| nodes.iter().find(|node| node.name[..] == **name));
        Folder {
            tree,
            range: range.unwrap_or(0..0),
            remembered: child,
            prefix,
        }
    }

    /// Compares a file of the tree.
    fn file(&mut self, path: &BStr, old: Version) {
        let new = self.mark(path);
        if let Some(new) = &new
            && new.is_same(&old)
        {
            return;
        }
        self.push(path, Some(old), new);
    }

    /// Returns the file's version in the index and marks it as compared.
    fn mark(&mut self, path: &BStr) -> Option<Version> {
        let range = self.index.entry_range(path)?;
        self.seen[range.clone()].fill(true);
        version(&self.index.entries()[range])
    }

    /// Adds the files that only the index has.
    fn added(&mut self) {
        let unseen = |at: &usize| !self.seen[*at];
        let positions: Vec<usize> = (0..self.seen.len()).filter(unseen).collect();
        for at in positions {
            if self.seen[at] {
                continue;
            }
            let path = self.index.entries()[at].path(self.index).to_owned();
            let new = self.mark(path.as_bstr());
            if new.is_some() {
                self.push(path.as_bstr(), None, new);
            }
        }
    }

    fn push(&mut self, path: &BStr, old: Option<Version>, new: Option<Version>) {
        let range = self.index.entry_range(path);
        let entries = range.map(|range| &self.index.entries()[range]);
        // A file without a valid repository path cannot be packed.
        if let Ok(path) = RepoPath::new(path.as_bytes()) {
            self.changes.push(Change {
                path,
                old,
                new,
                is_unmerged: entries.is_some_and(is_unmerged),
            });
        }
    }
}

pub(super) fn is_unmerged(entries: &[gix::index::Entry]) -> bool {
    entries
        .iter()
        .any(|entry| entry.stage() != Stage::Unconflicted)
}

/// Returns the version in the index of a path with the stages `entries`; in a conflict, our side if
/// it exists. An intent-to-add entry has no version.
pub(super) fn version(entries: &[gix::index::Entry]) -> Option<Version> {
    let ours = entries.iter().find(|entry| entry.stage() == Stage::Ours);
    let entry = ours.or(entries.first())?;
    if entry
        .flags
        .contains(gix::index::entry::Flags::INTENT_TO_ADD)
    {
        return None;
    }
    let kind = VersionKind::of_index(entry.mode)?;
    Some(Version::in_objects(kind, entry.id))
}
