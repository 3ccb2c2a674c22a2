//! Snapshots: stamps, notes and days of use.

use proptest::prelude::*;

use super::*;
use crate::test_store::{ROOT, digest, on, path, stamp, write};

fn used(store: &Store, number: usize) -> i64 {
    let used = store.with(|db| {
        db.query_row(
            "SELECT used FROM content WHERE digest = ?1",
            [digest(number).as_bytes()],
            |row| row.get(0),
        )
    });
    used.unwrap()
}

proptest! {
    #[test]
    fn every_stamp_comes_back(numbers: (u64, i64, i64, u64, u64), name in "[a-z\u{e9}]{1,20}") {
        let (size, modified, changed, file, device) = numbers;
        let stamp = Stamp { size, modified, changed, file, device };
        let path = RepoPath::new(name).unwrap();
        let bytes = stamp_bytes(&path, &stamp, None);
        prop_assert_eq!(bytes.len(), STAMP + CHECK);
        prop_assert_eq!(stamp_of(&bytes), Some(stamp));
    }

    /// The sum covers the path, the digest and the hash, each with its length.
    #[test]
    fn different_rows_have_different_checksums(
        path in "[a-c]{1,3}", digest in "[a-c]{0,3}", hash in "[a-c]{0,3}",
        other_path in "[a-c]{1,3}", other_digest in "[a-c]{0,3}", other_hash in "[a-c]{0,3}",
    ) {
        let sum = |path: &str, digest: &str, hash: &str| {
            let path = RepoPath::new(path).unwrap();
            stamp_bytes(&path, &stamp(1), Some((digest.as_bytes(), hash.as_bytes())))
        };
        let is_same = (&path, &digest, &hash) == (&other_path, &other_digest, &other_hash);
        let sums = [sum(&path, &digest, &hash), sum(&other_path, &other_digest, &other_hash)];
        prop_assert_eq!(sums[0] == sums[1], is_same);
    }
}

#[test]
fn a_touch_counts_once_a_day_and_never_backwards() {
    let folder = tempfile::tempdir().unwrap();
    let open = |day| Store::open(folder.path(), on(day)).unwrap();
    write(&open(5), 0..2);
    open(7).touch(b"/another");
    assert_eq!(used(&open(7), 0), 5);
    open(7).touch(ROOT);
    assert_eq!([0, 1].map(|number| used(&open(7), number)), [7, 7]);
    // A machine with an earlier clock touches it.
    open(6).touch(ROOT);
    write(&open(6), 0..1);
    assert_eq!(used(&open(7), 0), 7);
}

#[test]
fn a_note_belongs_to_its_tree_and_stays() {
    let store = Store::in_memory(on(1));
    store.set_note(ROOT, b"no tree yet");
    assert_eq!(store.note(ROOT), None);
    write(&store, 0..1);
    assert_eq!(store.note(ROOT), None);
    store.set_note(ROOT, b"first");
    store.set_note(ROOT, b"second");
    write(&store, 0..2);
    assert_eq!(store.note(ROOT).as_deref(), Some(&b"second"[..]));
    assert_eq!(store.note(b"/another"), None);
}

/// A row of an older store with a path outside the root.
#[test]
fn path_outside_the_root_is_not_read() {
    let store = Store::in_memory(on(1));
    write(&store, 0..2);
    let sum = stamp_bytes(&path(0), &stamp(0), None);
    store
        .with(|db| {
            db.execute(
                "UPDATE file SET path = CAST('../0000.rs' AS BLOB), stamp = ?1, content = 0
                 WHERE path = CAST('0000.rs' AS BLOB)",
                [sum],
            )
        })
        .unwrap();
    let known = store.snapshot(ROOT);
    assert_eq!(known.len(), 1);
    assert_eq!(known[0].path, path(1));
}
