//! Small stores for the tests of this crate.

use loom_base::{ContentHash, RepoPath, Stamp};

use crate::{Digest, HashChoice, Options, Store, ValueKind};

pub(crate) const KIND: ValueKind = ValueKind {
    name: "words",
    version: 1,
};
pub(crate) const ROOT: &[u8] = b"/tree";

pub(crate) fn digest(number: usize) -> Digest {
    Digest::of(HashChoice::Blake3, &number.to_le_bytes())
}

pub(crate) fn value(number: usize) -> Vec<u8> {
    format!("value {number}").into_bytes()
}

pub(crate) fn stamp(number: usize) -> Stamp {
    Stamp {
        size: number as u64,
        modified: 1,
        changed: 2,
        file: 3,
        device: 4,
    }
}

pub(crate) fn path(number: usize) -> RepoPath {
    RepoPath::new(format!("{number:04}.rs")).unwrap()
}

pub(crate) fn on(day: i64) -> Options {
    Options {
        day,
        ..Options::default()
    }
}

/// Writes files `numbers` below [`ROOT`], each with a plain value.
pub(crate) fn write(store: &Store, numbers: std::ops::Range<usize>) {
    let mut batch = store.batch();
    for number in numbers {
        let hash = ContentHash::from_bytes([number as u8; 32]);
        batch.put(&digest(number), KIND, 0, &value(number));
        let content = Some((digest(number), hash));
        batch.file(ROOT, &path(number), stamp(number), content);
    }
    store.write(&batch);
    assert_eq!(store.trouble(), None);
}

pub(crate) fn get(store: &Store, number: usize) -> Option<Vec<u8>> {
    store.get(&store.find(&digest(number))?, KIND, 0)
}
