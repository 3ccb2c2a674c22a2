//! Verification finds, counts and removes damaged rows, and nothing else.

use std::fs;

use super::*;
use crate::test_store::{KIND, ROOT, get, on, path, value, write};

fn damaged(statement: &str) -> Store {
    let store = Store::in_memory(on(1));
    write(&store, 0..3);
    store.with(|db| db.execute_batch(statement)).unwrap();
    store
}

#[track_caller]
fn check(statement: &str, wrong: usize, values: [Option<usize>; 3], files: &[usize]) {
    let store = damaged(statement);
    let values = values.map(|number| number.map(value));
    let paths: Vec<_> = files.iter().map(|number| path(*number)).collect();
    for round in [wrong, 0] {
        // A damaged value is a cache miss before and after its removal.
        assert_eq!(
            [0, 1, 2].map(|number| get(&store, number)),
            values,
            "{statement}"
        );
        let known = store.snapshot(ROOT).into_iter().map(|known| known.path);
        assert_eq!(known.collect::<Vec<_>>(), paths, "{statement}");
        let verified = store.verify().unwrap();
        assert_eq!(verified.wrong, round, "{statement}");
        assert!(!verified.was_broken);
    }
    assert_eq!(store.trouble(), None);
}

#[test]
fn a_sound_store_stays_as_it_is() {
    check("", 0, [Some(0), Some(1), Some(2)], &[0, 1, 2]);
}

#[test]
fn a_value_that_was_changed_is_removed() {
    check(
        "UPDATE value SET packed = CAST(packed || x'00' AS BLOB) WHERE content = 2",
        1,
        [Some(0), None, Some(2)],
        &[0, 1, 2],
    );
}

#[test]
fn a_value_under_another_address_is_removed() {
    check(
        "UPDATE value SET variant = 1 WHERE content = 3",
        1,
        [Some(0), Some(1), None],
        &[0, 1, 2],
    );
}

#[test]
fn values_of_a_kind_that_is_gone_are_removed() {
    let store = damaged("DELETE FROM kind");
    assert_eq!(store.verify().unwrap().wrong, 3);
    assert_eq!(store.stats().unwrap().values.len(), 0);
}

/// A reused content number must not give a file the values of other contents.
#[test]
fn a_file_with_the_number_of_other_contents_is_removed() {
    check(
        "UPDATE file SET content = 1 WHERE path = CAST('0001.rs' AS BLOB)",
        1,
        [Some(0), Some(1), Some(2)],
        &[0, 2],
    );
}

#[test]
fn a_file_with_a_changed_stamp_or_path_is_removed() {
    check(
        "UPDATE file SET stamp = zeroblob(48) WHERE path = CAST('0000.rs' AS BLOB)",
        1,
        [Some(0), Some(1), Some(2)],
        &[1, 2],
    );
    check(
        "UPDATE file SET path = CAST('0009.rs' AS BLOB) WHERE path = CAST('0000.rs' AS BLOB)",
        1,
        [Some(0), Some(1), Some(2)],
        &[1, 2],
    );
}

#[test]
fn damaged_database_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path(), on(1)).unwrap();
    write(&store, 0..2000);
    // Moves everything from the log into the file.
    store.prune(u64::MAX);
    drop(store);
    let file = Store::file_in(folder.path());
    let mut bytes = fs::read(&file).unwrap();
    // Keeps the header and the tables intact, so that the database opens.
    let middle = bytes.len() / 2..bytes.len() * 3 / 4;
    bytes[middle].fill(0x5a);
    fs::write(&file, &bytes).unwrap();
    let store = Store::open(folder.path(), on(1)).unwrap();
    assert!(store.verify().unwrap().was_broken);
    let store = Store::open(folder.path(), on(1)).unwrap();
    assert_eq!(store.stats().unwrap().contents, 0);
    write(&store, 0..1);
    assert_eq!(get(&store, 0), Some(value(0)));
}

#[test]
fn stats_count_values_and_files() {
    let store = damaged("");
    let mut batch = store.batch();
    batch.put(&crate::test_store::digest(0), KIND, 1, b"another");
    store.write(&batch);
    let stats = store.stats().unwrap();
    assert_eq!((stats.contents, stats.trees, stats.files), (3, 1, 3));
    let (count, bytes) = stats.values["words 1"];
    assert_eq!(count, 4);
    // Flags and checksum are counted with the values.
    assert_eq!(bytes, 3 * (9 + 7) + 9 + 7);
    assert_eq!(store.bytes(), Some(stats.bytes));
}
