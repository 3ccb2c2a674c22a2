//! Checks the files of the index: round trips, damage, and the removal of unused files.

use std::fs::{File, FileTimes};

use proptest::prelude::*;
use tempfile::TempDir;

use super::*;

fn location(cache: &TempDir, root: &str) -> Location {
    Location::new(&cache.path().join(folder_name()), Path::new(root))
}

/// Makes a file older than any time for which it is spared.
fn age(path: &Path) {
    let time = SystemTime::now() - UNUSED - GRACE;
    let file = File::options().append(true).open(path).unwrap();
    file.set_times(FileTimes::new().set_modified(time)).unwrap();
}

fn name(digit: char) -> String {
    digit.to_string().repeat(32)
}

#[test]
fn roots_have_names_of_their_own() {
    let cache = tempfile::tempdir().unwrap();
    let [one, two] = ["/one", "/two"].map(|root| location(&cache, root));
    assert_ne!(one.tree, two.tree);
    assert_eq!(one.tree, location(&cache, "/one").tree);
    write_tree(&one, &[name('a')]).unwrap();
    assert_eq!(read_tree(&two), None);
}

#[test]
fn segment_is_named_by_its_bytes_and_written_once() {
    let cache = tempfile::tempdir().unwrap();
    let location = location(&cache, "/one");
    let first = write_segment(&location, b"bytes").unwrap();
    assert_eq!(first, blake3::hash(b"bytes").to_hex()[..32]);
    age(&location.segment_file(&first));
    let before = modified(&location.segment_file(&first));
    assert_eq!(write_segment(&location, b"bytes").unwrap(), first);
    assert_eq!(modified(&location.segment_file(&first)), before);
    // It is no segment, so it is removed when it is opened.
    assert!(open_segment(&location, &first).is_none());
    assert!(!location.segment_file(&first).exists());
    assert!(open_segment(&location, "missing").is_none());
}

#[test]
fn whole_files_replace_earlier_ones_and_leave_no_other() {
    let cache = tempfile::tempdir().unwrap();
    let location = location(&cache, "/one");
    for names in [vec![name('a')], vec![name('b'), name('c')], vec![]] {
        write_tree(&location, &names).unwrap();
        assert_eq!(read_tree(&location), Some(names));
    }
    let failed = location.keep_context(|_| Err(io::Error::other("the disk is full")));
    assert!(failed.is_err() && location.context().is_none());
    assert_eq!(fs::read_dir(&location.folder).unwrap().count(), 1);
}

/// Opening a pipe or a directory would block or fail.
#[test]
fn only_regular_files_are_mapped() {
    let cache = tempfile::tempdir().unwrap();
    let file = cache.path().join("file");
    fs::write(&file, "words").unwrap();
    assert_eq!(open_map(&file).as_deref(), Some(&b"words"[..]));
    assert!(open_map(cache.path()).is_none() && open_map(&cache.path().join("no")).is_none());
    #[cfg(unix)]
    {
        let link = cache.path().join("link");
        std::os::unix::fs::symlink(&file, &link).unwrap();
        assert!(open_map(&link).is_none());
    }
}

/// Another process may be about to reference a new segment.
#[test]
fn unreferenced_segments_are_removed_if_they_are_old() {
    let cache = tempfile::tempdir().unwrap();
    let location = location(&cache, "/one");
    let [used, old, new] =
        [b"used", b"old.", b"new."].map(|bytes| write_segment(&location, bytes).unwrap());
    for name in [&used, &old] {
        age(&location.segment_file(name));
    }
    write_tree(&location, std::slice::from_ref(&used)).unwrap();
    tidy(&location);
    let mut expected = vec![used, new];
    expected.sort();
    assert_eq!(all_segments(&location), expected);
}

/// Indexes of other builds are removed a week after their last use.
#[test]
fn unused_indexes_of_other_builds_are_removed() {
    let cache = tempfile::tempdir().unwrap();
    let location = location(&cache, "/one");
    write_tree(&location, &[]).unwrap();
    let put = |folder: &str, name: &str| {
        let folder = cache.path().join(folder);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(name), "x").unwrap();
        folder.join(name)
    };
    let old = put("search-00000001", "a.segment");
    age(&old);
    let recent = put("search-00000002", "a.segment");
    let foreign = put("something", "a.segment");
    age(&foreign);
    let mine = put("search-00000003", "mine.txt");
    tidy(&location);
    assert!(!old.exists() && recent.exists() && foreign.exists() && mine.exists());
}

#[test]
fn names_are_listed_by_their_ending() {
    let cache = tempfile::tempdir().unwrap();
    for file in ["a.tree", "b.segment", "c.tree", "d.tree.old", "tree"] {
        fs::write(cache.path().join(file), "").unwrap();
    }
    let mut names = names_in(cache.path(), "tree");
    names.sort();
    assert_eq!(names, ["a", "c"]);
    assert!(names_in(&cache.path().join("no"), "tree").is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn names_of_segments_are_read_as_they_were_written(digits in prop::collection::vec("[0-9a-f]{32}", 0..6)) {
        let cache = tempfile::tempdir().unwrap();
        let location = location(&cache, "/one");
        write_tree(&location, &digits).unwrap();
        prop_assert_eq!(read_tree(&location), Some(digits));
    }

    #[test]
    fn damaged_list_of_segments_is_refused(digits in prop::collection::vec("[0-9a-f]{32}", 0..4), at in any::<prop::sample::Index>()) {
        let cache = tempfile::tempdir().unwrap();
        let location = location(&cache, "/one");
        write_tree(&location, &digits).unwrap();
        let whole = fs::read(location.tree_file()).unwrap();
        let at = at.index(whole.len());
        let mut damaged = whole.clone();
        damaged[at] ^= 0x21;
        for bytes in [&damaged[..], &whole[..at], &[&whole[..], b"x"].concat()] {
            fs::write(location.tree_file(), bytes).unwrap();
            prop_assert_eq!(read_tree(&location), None);
        }
    }
}
