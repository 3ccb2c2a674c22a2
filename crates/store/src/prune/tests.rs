//! Pruning removes the least recently used values first, and no more than necessary.

use super::*;
use crate::test_store::{KIND, ROOT, digest, get, on, value, write};
use crate::{Options, ValueKind};

/// More than one step removes, so that the order matters.
const MANY: usize = 3 * STEP as usize;

fn is_there(store: &Store, number: usize) -> bool {
    get(store, number).is_some()
}

#[test]
fn the_least_recently_used_goes_first() {
    let folder = tempfile::tempdir().unwrap();
    for (day, start) in [(2, 0), (1, MANY), (3, 2 * MANY)] {
        let store = Store::open(folder.path(), on(day)).unwrap();
        write(&store, start..start + MANY);
    }
    let store = Store::open(folder.path(), on(4)).unwrap();
    let before = store.bytes().unwrap();
    let pruned = store.prune(before / 5 * 3);
    assert!(store.bytes().unwrap() <= before / 5 * 3);
    assert_eq!(pruned.bytes, before - store.bytes().unwrap());
    // Everything of day 1 is removed before anything of day 2, and nothing of day 3.
    assert!(pruned.contents >= MANY, "{pruned:?}");
    assert!((MANY..2 * MANY).all(|number| !is_there(&store, number)));
    assert!((2 * MANY..3 * MANY).all(|number| is_there(&store, number)));
    let left = (0..MANY).filter(|number| is_there(&store, *number)).count();
    assert_eq!(left, 2 * MANY - pruned.contents);
    // Removing contents also removes the files that have them.
    assert_eq!(store.snapshot(ROOT).len(), 3 * MANY - pruned.contents);
}

#[test]
fn used_contents_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let open = |day| Store::open(folder.path(), on(day)).unwrap();
    write(&open(1), 0..MANY);
    let mut batch = open(2).batch();
    for number in MANY..2 * MANY {
        batch.put(&digest(number), KIND, 0, &value(number));
    }
    open(2).write(&batch);
    open(3).touch(ROOT);
    let store = open(4);
    store.prune(store.bytes().unwrap() - 1);
    assert!((0..MANY).all(|number| is_there(&store, number)));
    assert!(!is_there(&store, MANY));
}

/// Contents without a file are removed before others that were used on the same day.
#[test]
fn contents_of_files_stay_longer() {
    let store = Store::in_memory(on(1));
    let mut batch = store.batch();
    for number in MANY..MANY + 10 {
        batch.put(&digest(number), KIND, 0, &value(number));
    }
    let ours = batch;
    write(&store, 0..MANY);
    store.write(&ours);
    let pruned = store.prune(store.bytes().unwrap() - 1);
    assert_eq!(pruned.contents, STEP as usize);
    assert!((MANY..MANY + 10).all(|number| !is_there(&store, number)));
}

#[test]
fn values_of_earlier_versions_are_removed_at_any_limit() {
    let store = Store::in_memory(on(1));
    write(&store, 0..2);
    let newer = ValueKind { version: 2, ..KIND };
    let mut batch = store.batch();
    batch.put(&digest(0), newer, 0, b"new");
    store.write(&batch);
    assert_eq!(store.prune(u64::MAX).contents, 0);
    assert!(!is_there(&store, 0) && !is_there(&store, 1));
    let content = store.find(&digest(0)).unwrap();
    assert_eq!(store.get(&content, newer, 0).as_deref(), Some(&b"new"[..]));
    assert_eq!(store.snapshot(ROOT).len(), 2);
}

#[test]
fn a_store_stays_within_its_limit() {
    let folder = tempfile::tempdir().unwrap();
    let limit = 1_500_000;
    let options = Options { limit, ..on(1) };
    let store = Store::open(folder.path(), options).unwrap();
    for start in (0..8 * MANY).step_by(MANY) {
        write(&store, start..start + MANY);
        assert!(store.bytes().unwrap() <= limit);
    }
    assert!(!is_there(&store, 0), "the oldest goes");
    assert!(is_there(&store, 8 * MANY - 1), "the newest stays");
    // The file on disk shrinks, too.
    drop(store);
    let file = Store::file_in(folder.path());
    assert!(std::fs::metadata(file).unwrap().len() <= limit);
}
