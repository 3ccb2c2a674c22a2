//! Compares two trees. Skips directories that are equal in both.

use gix::ObjectId;
use gix::bstr::{BString, ByteVec};
use gix::objs::TreeRefIter;
use gix::objs::tree::EntryMode;
use loom_base::RepoPath;

use super::{Change, Version, VersionKind};
use crate::objects::ObjectsError;

/// More files than any commit changes. A tree can claim any number of files by repeating the same
/// directory.
const MOST: usize = 8 << 20;

type Entry = (BString, EntryMode, ObjectId);

/// Returns the differences between two trees, sorted by path.
pub(super) fn changes(
    repository: &gix::Repository,
    old: Option<ObjectId>,
    new: Option<ObjectId>,
) -> Result<Vec<Change>, ObjectsError> {
    let mut changes = Vec::new();
    let mut folders = vec![(BString::default(), old, new)];
    let mut budget = MOST;
    while let Some((prefix, old, new)) = folders.pop() {
        for (name, old, new) in pairs(&entries(repository, old)?, &entries(repository, new)?) {
            budget = budget.saturating_sub(1);
            if old.map(|(_, id)| id) == new.map(|(_, id)| id)
                && old.map(|(mode, _)| mode) == new.map(|(mode, _)| mode)
            {
                continue;
            }
            let mut path = prefix.clone();
            path.push_str(name);
            let is_tree =
                |side: Option<(EntryMode, ObjectId)>| side.filter(|(mode, _)| mode.is_tree());
            let (old_tree, new_tree) = (is_tree(old), is_tree(new));
            push(&path, old, new, &mut changes);
            if old_tree.is_some() || new_tree.is_some() {
                path.push(b'/');
                let id = |side: Option<(EntryMode, ObjectId)>| side.map(|(_, id)| id);
                folders.push((path, id(old_tree), id(new_tree)));
            }
        }
        if budget == 0 {
            break;
        }
    }
    changes.sort_by(|a: &Change, b: &Change| a.path.cmp(&b.path));
    Ok(changes)
}

fn push(
    path: &BString,
    old: Option<(EntryMode, ObjectId)>,
    new: Option<(EntryMode, ObjectId)>,
    changes: &mut Vec<Change>,
) {
    let version = |side: Option<(EntryMode, ObjectId)>| {
        let (mode, id) = side?;
        Some(Version::in_objects(VersionKind::of_tree(mode.kind())?, id))
    };
    let (old, new) = (version(old), version(new));
    if let (Ok(path), true) = (
        RepoPath::new(path.as_slice()),
        old.is_some() || new.is_some(),
    ) {
        changes.push(Change {
            path,
            old,
            new,
            is_unmerged: false,
        });
    }
}

fn entries(
    repository: &gix::Repository,
    tree: Option<ObjectId>,
) -> Result<Vec<Entry>, ObjectsError> {
    let Some(tree) = tree else {
        return Ok(Vec::new());
    };
    let object = crate::objects::find(repository, tree)?;
    let entries = TreeRefIter::from_bytes(&object.data, tree.kind()).flatten();
    let mut entries: Vec<Entry> = entries
        .map(|entry| (entry.filename.to_owned(), entry.mode, entry.oid.to_owned()))
        .collect();
    entries.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(entries)
}

type Pair<'a> = (
    &'a BString,
    Option<(EntryMode, ObjectId)>,
    Option<(EntryMode, ObjectId)>,
);

/// Pairs the entries of two directories by name.
fn pairs<'a>(old: &'a [Entry], new: &'a [Entry]) -> Vec<Pair<'a>> {
    let mut pairs = Vec::new();
    let (mut old, mut new) = (old.iter().peekable(), new.iter().peekable());
    let side = |entry: &Entry| (entry.1, entry.2);
    loop {
        let name = match (old.peek(), new.peek()) {
            (None, None) => return pairs,
            (Some(entry), None) | (None, Some(entry)) => &entry.0,
            (Some(one), Some(other)) => (&one.0).min(&other.0),
        };
        let before = old.next_if(|entry| entry.0 == *name).map(side);
        let after = new.next_if(|entry| entry.0 == *name).map(side);
        pairs.push((name, before, after));
    }
}
