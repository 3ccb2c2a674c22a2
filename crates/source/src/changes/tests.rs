//! Both backends, with real directories. `notify` runs here on Linux.

use std::fs;

use loom_testkit::Sandbox;

use super::inotify::Inotify;
use super::notifier::Notifier;
use super::*;
use crate::{ScanOptions, Source};

/// Far longer than any event needs.
const LONG: Duration = Duration::from_secs(300);

fn tree() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox
        .write(".gitignore", "skipped/\n")
        .write("src/deep/a.rs", "")
        .write("skipped/b.rs", "")
        .git(&["init", "-q"]);
    sandbox
}

fn watched(sandbox: &Sandbox) -> WatchedFolders {
    let source = Source::open(&[sandbox.work()]).unwrap();
    let scan = source.scan(&ScanOptions::default());
    source.watched_folders(&scan)
}

/// Runs `change` and waits until both backends report it.
#[track_caller]
fn check(change: impl Fn(&Sandbox), is_outdated: bool) {
    let sandbox = tree();
    let watched = watched(&sandbox);
    let inotify = Inotify::watch(&watched).unwrap();
    let notifier = Notifier::watch(&watched).unwrap();
    assert_eq!(inotify.wait(Duration::ZERO), Waited::Quiet);
    change(&sandbox);
    assert_eq!(inotify.wait(Duration::ZERO), Waited::Changed, "at once");
    assert_eq!(notifier.wait(LONG), Waited::Changed);
    assert_eq!(inotify.is_outdated(), is_outdated);
    if is_outdated {
        // One change may cause several events.
        while !notifier.is_outdated() {
            assert_eq!(notifier.wait(LONG), Waited::Changed);
        }
    }
}

#[test]
fn a_file_that_is_written_made_or_removed_is_a_change() {
    let write = |path: &'static str| {
        move |sandbox: &Sandbox| {
            sandbox.write(path, "new");
        }
    };
    check(write("src/deep/a.rs"), false);
    check(write("src/new.rs"), false);
    let remove = |sandbox: &Sandbox| fs::remove_file(sandbox.path("src/deep/a.rs")).unwrap();
    check(remove, false);
}

#[test]
fn a_folder_that_comes_or_goes_outdates_the_watch() {
    let create = |sandbox: &Sandbox| fs::create_dir(sandbox.path("src/new")).unwrap();
    check(create, true);
    let remove = |sandbox: &Sandbox| fs::remove_dir_all(sandbox.path("src")).unwrap();
    check(remove, true);
    let rename = |sandbox: &Sandbox| {
        fs::rename(sandbox.path("src/deep"), sandbox.path("src/other")).unwrap();
    };
    check(rename, true);
}

#[test]
fn gits_index_is_watched() {
    let add = |sandbox: &Sandbox| {
        sandbox.git(&["add", "."]);
    };
    check(add, false);
}

#[test]
fn a_skipped_folder_is_not_watched() {
    let sandbox = tree();
    let watched = watched(&sandbox);
    assert!(!watched.folders.contains(&sandbox.path("skipped")));
    let inotify = Inotify::watch(&watched).unwrap();
    let notifier = Notifier::watch(&watched).unwrap();
    sandbox.write("skipped/b.rs", "new");
    assert_eq!(inotify.wait(Duration::ZERO), Waited::Quiet);
    // A reported change that comes after unreported ones.
    sandbox.write("src/deep/a.rs", "new");
    assert_eq!(notifier.wait(LONG), Waited::Changed);
    assert!(!notifier.is_outdated());
}

#[test]
fn a_root_must_be_there() {
    let sandbox = tree();
    let watched = watched(&sandbox);
    fs::remove_dir_all(sandbox.path("src")).unwrap();
    assert!(Inotify::watch(&watched).is_some());
    assert!(Notifier::watch(&watched).is_some());
    let missing = sandbox.path("missing");
    let watched = WatchedFolders {
        roots: BTreeSet::from([missing.clone()]),
        folders: BTreeSet::from([missing]),
    };
    assert!(Inotify::watch(&watched).is_none());
    assert!(Notifier::watch(&watched).is_none());
}
