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
///
/// # Errors
/// If a tree cannot be read, or if the trees claim more files than any repository has.
pub(super) fn changes(
    repository: &gix::Repository,
    old: Option<ObjectId>,
    new: Option<ObjectId>,
) -> Result<Vec<Change>, ObjectsError> {
    changes_within(repository, old, new, MOST)
}

/// Returns the differences between two trees, which have at most `most` entries to compare.
fn changes_within(
    repository: &gix::Repository,
    old: Option<ObjectId>,
    new: Option<ObjectId>,
    most: usize,
) -> Result<Vec<Change>, ObjectsError> {
    let mut changes = Vec::new();
    let mut folders = vec![(BString::default(), old, new)];
    let mut compared = 0;
    while let Some((prefix, old_folder, new_folder)) = folders.pop() {
        let old_entries = entries(repository, old_folder)?;
        let new_entries = entries(repository, new_folder)?;
        for (name, old, new) in pairs(&old_entries, &new_entries) {
            compared += 1;
            if compared > most {
                return Err(too_many(new_folder.or(old_folder), most));
            }
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
    }
    changes.sort_by(|a: &Change, b: &Change| a.path.cmp(&b.path));
    Ok(changes)
}

/// A part of the changes would look complete: a scan of the history would miss secrets.
fn too_many(folder: Option<ObjectId>, most: usize) -> ObjectsError {
    ObjectsError::Broken {
        id: folder.unwrap_or(ObjectId::null(gix::hash::Kind::Sha1)),
        message: format!("more than {most} files"),
    }
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

#[cfg(test)]
mod tests {
    use loom_testkit::Sandbox;

    use super::*;
    use crate::{ScanOptions, Source};

    #[test]
    fn trees_above_the_limit_are_an_error_and_never_a_part_of_the_changes() {
        let sandbox = Sandbox::new();
        sandbox
            .write("a/one.txt", "1\n")
            .write("a/two.txt", "2\n")
            .write("three.txt", "3\n")
            .commit_all();
        let source = Source::open(&[sandbox.work()]).unwrap();
        let history = source
            .histories(&source.scan(&ScanOptions::default()))
            .unwrap()
            .remove(0);
        let tree = history.head().unwrap().unwrap().tree;
        let repository = history.objects.handle();
        // The directory is an entry too.
        let whole = changes_within(&repository, None, Some(tree), 4).unwrap();
        assert_eq!(whole.len(), 3);
        for (old, new) in [(None, Some(tree)), (Some(tree), None)] {
            for most in 0..4 {
                let error = changes_within(&repository, old, new, most).unwrap_err();
                let expected = format!("more than {most} files");
                assert!(
                    matches!(&error, ObjectsError::Broken { message, .. } if *message == expected),
                    "{error:?}"
                );
            }
        }
    }
}
