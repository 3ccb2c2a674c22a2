//! Opens a store that an earlier build wrote, and expects all of its contents.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod model;

use std::fs;
use std::path::Path;

use loom_store::{Digest, HashChoice, Options, Seal, Store, ValueKind, Version};

const KIND: ValueKind = ValueKind {
    name: "fixture",
    version: 1,
};

#[test]
fn store_of_an_earlier_build_is_readable() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut versions = 0;
    for kept in fs::read_dir(fixtures).unwrap() {
        versions += 1;
        is_read(&kept.unwrap().path());
    }
    assert_eq!(versions, 2, "the store of each version is kept");
}

#[test]
fn stores_of_earlier_versions_can_be_removed() {
    let folder = tempfile::tempdir().unwrap();
    drop(Store::open(folder.path(), Options::default()).unwrap());
    fs::write(folder.path().join("store-1.db"), "rubbish").unwrap();
    drop(Store::open(folder.path(), Options::default()).unwrap());
    assert_eq!(Store::remove_earlier(folder.path()).unwrap(), 7);
    assert!(Store::file_in(folder.path()).exists());
    assert!(Store::remove(folder.path()).unwrap() > 0);
    assert!(!Store::file_in(folder.path()).exists());
}

fn is_read(kept: &Path) {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(kept, folder.path().join(kept.file_name().unwrap())).unwrap();
    let store = Store::open(folder.path(), Options::default()).unwrap();
    for at in 0..3 {
        let contents = format!("contents {at}\n");
        let digest = Digest::of(HashChoice::Blake3, contents.as_bytes());
        let content = store.find(&digest).unwrap();
        let value = format!("value {at} ").repeat(50);
        let plain = store.get(&content, KIND, 7);
        assert_eq!(plain.as_deref(), Some(value.as_bytes()), "{at}");
        let seal = Seal::of(contents.as_bytes());
        let sealed = store.get_sealed(&content, KIND, 8, &seal);
        assert_eq!(sealed.as_deref(), Some(value.as_bytes()), "{at}");
        let other = Seal::of(b"other contents");
        assert_eq!(store.get_sealed(&content, KIND, 8, &other), None);
    }
    let known = store.snapshot(b"/a/tree");
    let message: Vec<_> = known
        .iter()
        .map(|known| (known.path.to_string(), known.stamp.modified))
        .collect();
    let expected = ["logo.png", "src/0.txt", "src/1.txt", "src/2.txt"];
    let expected = expected.map(str::to_owned).into_iter();
    let expected: Vec<_> = expected.zip([1_000, 1_000, 1_001, 1_002]).collect();
    assert_eq!(message, expected);
    assert!(matches!(known[0].version, Version::Binary));
    assert!(matches!(known[1].version, Version::Content(..)));
    assert_eq!(store.note(b"/a/tree").as_deref(), Some(&b"a note"[..]));
    let verified = store.verify().unwrap();
    assert_eq!((verified.values, verified.wrong), (6, 0));
    assert!(!verified.was_broken);
    assert_eq!(store.trouble(), None);
}
