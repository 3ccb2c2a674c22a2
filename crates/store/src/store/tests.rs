//! Opening stores, and sharing one between processes.

use super::*;
use crate::test_store::{KIND, ROOT, digest, get, on, value, write};

#[test]
fn invalid_file_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let file = Store::file_in(folder.path());
    for rubbish in [&b"rubbish"[..], &[0; 8192]] {
        fs::write(&file, rubbish).unwrap();
        let store = Store::open(folder.path(), on(1)).unwrap();
        write(&store, 0..1);
        assert_eq!(get(&store, 0), Some(value(0)));
    }
}

#[test]
fn a_store_of_another_program_or_a_later_version_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    for change in ["PRAGMA application_id = 7", "PRAGMA user_version = 99"] {
        let store = Store::open(folder.path(), on(1)).unwrap();
        write(&store, 0..1);
        store.with(|db| db.execute_batch(change)).unwrap();
        drop(store);
        let store = Store::open(folder.path(), on(1)).unwrap();
        assert_eq!(get(&store, 0), None, "{change}");
        assert_eq!(store.trouble(), None);
    }
}

#[test]
fn file_in_place_of_the_directory_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let error = Store::open(&file.join("store"), on(1)).unwrap_err();
    assert!(matches!(error, StoreError::Folder { .. }), "{error}");
    assert!(error.to_string().contains("file"));
}

/// A process sees kinds that another process adds.
#[test]
fn two_processes_see_each_others_kinds() {
    let folder = tempfile::tempdir().unwrap();
    let [first, second] = [1, 2].map(|day| Store::open(folder.path(), on(day)).unwrap());
    write(&first, 0..1);
    let later = ValueKind {
        name: "later",
        version: 1,
    };
    let content = second.find(&digest(0)).unwrap();
    assert_eq!(second.get(&content, later, 0), None);
    assert!(!second.has(&content, later, 0));
    let mut batch = first.batch();
    batch.put(&digest(0), later, 0, b"later");
    first.write(&batch);
    assert_eq!(
        second.get(&content, later, 0).as_deref(),
        Some(&b"later"[..])
    );
    assert_eq!(second.get(&content, KIND, 0), Some(value(0)));
}

#[test]
fn threads_and_processes_write_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let stores = [1, 2].map(|day| Store::open(folder.path(), on(day)).unwrap());
    let memory = Store::in_memory(on(1));
    std::thread::scope(|scope| {
        for part in 0..4 {
            let (stores, memory) = (&stores, &memory);
            scope.spawn(move || {
                for number in part * 20..part * 20 + 20 {
                    for store in [&stores[part % 2], memory] {
                        write(store, number..number + 1);
                        assert_eq!(get(store, number), Some(value(number)));
                        assert!(!store.snapshot(ROOT).is_empty());
                    }
                }
            });
        }
    });
    for store in stores.iter().chain([&memory]) {
        assert_eq!(store.snapshot(ROOT).len(), 80);
        assert!((0..80).all(|number| get(store, number) == Some(value(number))));
        assert_eq!(store.verify().unwrap().wrong, 0);
    }
}

#[test]
fn damaged_store_reports_the_cause_and_fails_no_call() {
    let store = Store::in_memory(on(1));
    write(&store, 0..1);
    store
        .with(|db| db.execute_batch("DROP TABLE value"))
        .unwrap();
    let content = store.find(&digest(0)).unwrap();
    assert_eq!(store.get(&content, KIND, 0), None);
    assert!(store.trouble().unwrap().contains("value"));
    let mut batch = store.batch();
    batch.put(&digest(1), KIND, 0, b"lost");
    store.write(&batch);
    assert_eq!(store.find(&digest(0)), None);
    assert!(store.snapshot(ROOT).is_empty());
}

#[test]
fn a_write_that_fails_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path(), on(1)).unwrap();
    write(&store, 0..1);
    // Makes writes of values succeed and writes of files fail.
    store
        .with(|db| {
            db.execute_batch(
                "CREATE TRIGGER refuse BEFORE INSERT ON file
                 BEGIN SELECT RAISE(ABORT, 'refused'); END",
            )
        })
        .unwrap();
    let mut batch = store.batch();
    batch.put(&digest(1), KIND, 0, &value(1));
    let path = crate::test_store::path(1);
    batch.file(ROOT, &path, crate::test_store::stamp(1), None);
    store.write(&batch);
    assert!(store.trouble().unwrap().contains("refused"));
    let store = Store::open(folder.path(), on(1)).unwrap();
    assert_eq!(get(&store, 0), Some(value(0)));
    assert_eq!(store.find(&digest(1)), None);
    assert_eq!(store.snapshot(ROOT).len(), 1);
}
