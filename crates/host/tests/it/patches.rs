//! Patches in a pack: changes, renames, and nothing of files that are not packed.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use loom_host::{FilterKind, HistoryOptions, PackOptions, ScanOptions};
use loom_testkit::Sandbox;

use crate::fixture::{filters, packer, survey};

fn options(history: HistoryOptions) -> PackOptions {
    PackOptions {
        history,
        ..PackOptions::default()
    }
}

fn diff() -> HistoryOptions {
    HistoryOptions {
        diff: true,
        ..HistoryOptions::default()
    }
}

fn staged() -> HistoryOptions {
    HistoryOptions {
        staged: true,
        ..HistoryOptions::default()
    }
}

fn since(revision: &str) -> HistoryOptions {
    HistoryOptions {
        since: Some(revision.to_owned()),
        ..HistoryOptions::default()
    }
}

/// Returns the text of the only section.
#[track_caller]
fn section(sandbox: &Sandbox, options: PackOptions) -> String {
    let survey = survey(&packer(sandbox, options));
    let [section] = &survey.overview.sections[..] else {
        panic!("{:?}", survey.overview.sections);
    };
    section.text().to_owned()
}

#[test]
fn patch_shows_changed_added_and_deleted_files() {
    let sandbox = Sandbox::new();
    sandbox
        .write("a", "1\n2\n3\n")
        .write("gone", "x\n")
        .commit_all();
    sandbox.write("a", "1\ntwo\n3\n").write("new", "n\n");
    fs::remove_file(sandbox.path("gone")).unwrap();
    let expected = "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\ndiff --git a/gone b/gone\ndeleted file mode 100644\n--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n";
    assert_eq!(section(&sandbox, options(diff())), expected);
    let with_new = format!(
        "{expected}diff --git a/new b/new\nnew file mode 100644\n--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+n\n"
    );
    assert_eq!(section(&sandbox, options(since("HEAD"))), with_new);
    assert_eq!(section(&sandbox, options(staged())), "(nothing)\n");
    sandbox.git(&["add", "-A"]);
    assert_eq!(section(&sandbox, options(staged())), with_new);
    assert_eq!(section(&sandbox, options(diff())), "(nothing)\n");
}

#[test]
fn modes_links_and_kinds_are_shown() {
    let sandbox = Sandbox::new();
    sandbox.write("file", "x\n").write("tool", "#!/bin/sh\n");
    symlink("file", sandbox.path("link")).unwrap();
    sandbox.commit_all();
    fs::remove_file(sandbox.path("link")).unwrap();
    symlink("tool", sandbox.path("link")).unwrap();
    fs::set_permissions(sandbox.path("tool"), fs::Permissions::from_mode(0o755)).unwrap();
    let patch = section(&sandbox, options(diff()));
    assert!(
        patch.contains("old mode 100644\nnew mode 100755\n"),
        "{patch}"
    );
    assert!(
        patch.contains("-file\n\\ No newline at end of file\n+tool\n"),
        "{patch}"
    );
}

#[test]
fn renames_are_found_by_equal_and_by_similar_contents() {
    let sandbox = Sandbox::new();
    let long: String = (0..40).map(|at| format!("line {at}\n")).collect();
    sandbox
        .write("a", "exactly\n")
        .write("b", &long)
        .write("e", "x\n")
        .commit_all();
    sandbox
        .git(&["mv", "a", "c"])
        .git(&["mv", "b", "d"])
        .git(&["mv", "e", "f"]);
    sandbox
        .write("d", long.replace("line 7\n", ""))
        .write("f", "entirely\nother\n")
        .git(&["add", "-A"]);
    let patch = section(&sandbox, options(staged()));
    assert!(
        patch.contains("similarity index 100%\nrename from a\nrename to c\n"),
        "{patch}"
    );
    assert!(patch.contains("rename from b\nrename to d\n"), "{patch}");
    assert!(
        patch.contains("-line 7\n") && !patch.contains("-line 8\n"),
        "{patch}"
    );
    assert!(
        patch.contains("deleted file mode") && !patch.contains("rename from e"),
        "{patch}"
    );
}

#[test]
fn too_many_files_are_not_compared_for_renames_and_the_patch_says_so() {
    let note = "# deleted files (21) and new ones (21) are too many to be compared for renames (400 comparisons)\n";
    for (files, notes) in [(20, 0), (21, 1)] {
        let sandbox = Sandbox::new();
        for at in 0..files {
            sandbox.write(format!("old{at}.txt"), format!("old {at}\n"));
        }
        sandbox.commit_all();
        for at in 0..files {
            fs::remove_file(sandbox.path(format!("old{at}.txt"))).unwrap();
            sandbox.write(format!("new{at}.txt"), format!("new {at}\n"));
        }
        sandbox.git(&["add", "-A"]);
        let patch = section(&sandbox, options(staged()));
        assert_eq!(patch.matches(note).count(), notes, "{files}: {patch}");
    }
}

#[test]
fn large_files_are_not_compared_for_renames_and_the_patch_says_so() {
    let sandbox = Sandbox::new();
    let large = "a line of a large file\n".repeat(12_000);
    sandbox.write("old.txt", &large).commit_all();
    sandbox.git(&["mv", "old.txt", "new.txt"]);
    sandbox
        .write("new.txt", format!("one more\n{large}"))
        .git(&["add", "-A"]);
    let patch = section(&sandbox, options(staged()));
    assert!(patch.starts_with("# files above 256 KiB are not compared for renames: 2\n"));
}

/// A diff shows nothing that the rules skip.
#[test]
fn skipped_files_are_named_and_not_shown() {
    let sandbox = Sandbox::new();
    let names = [
        "k.log",
        "secret.env",
        "node_modules/x.js",
        "gone.env",
        "big.txt",
        "Cargo.lock",
    ];
    for (at, name) in names.iter().enumerate() {
        sandbox.write(name, format!("HIDDEN {at}\n"));
    }
    sandbox
        .write("img.png", "\u{0}HIDDEN")
        .write("open.rs", "old\n")
        .commit_all();
    sandbox
        .write(".gitignore", "*.log\n")
        .write(".infiniloomignore", "*.env\n");
    for (at, name) in names.iter().enumerate() {
        sandbox.write(name, format!("new HIDDEN {at}\n"));
    }
    sandbox
        .write("img.png", "\u{0}\u{1}HIDDEN")
        .write("open.rs", "new\n")
        .write("big.txt", "HIDDEN\n".repeat(1_000));
    fs::remove_file(sandbox.path("gone.env")).unwrap();
    fs::rename(sandbox.path("secret.env"), sandbox.path("plain.txt")).unwrap();
    for history in [diff(), since("HEAD"), staged()] {
        if history.staged {
            sandbox.git(&["add", "-A"]);
        }
        let options = PackOptions {
            max_file_size: 5_000,
            scan: ScanOptions {
                filters: filters(FilterKind::Exclude, &["k.log", "plain.txt"]),
                ..ScanOptions::default()
            },
            ..options(history)
        };
        let patch = section(&sandbox, options);
        assert!(!patch.contains("HIDDEN"), "{patch}");
        assert!(patch.contains("-old\n+new\n"), "{patch}");
        for expected in [
            "# k.log: changed, not shown: --exclude: k.log",
            "# node_modules/x.js: changed, not shown: built-in default: node_modules/",
            "# gone.env: deleted, not shown: .infiniloomignore:1: *.env",
            "# big.txt: changed, not shown: 7000 bytes, more than the limit of 5000",
            "# Cargo.lock: changed, not shown: built-in default",
            "Binary files a/img.png and b/img.png differ",
        ] {
            assert!(patch.contains(expected), "{expected}\n{patch}");
        }
    }
}

#[test]
fn part_of_a_tree_has_a_part_of_the_diff() {
    let sandbox = Sandbox::new();
    sandbox.write("a/x", "1\n").write("b/y", "1\n").commit_all();
    sandbox.write("a/x", "2\n").write("b/y", "2\n");
    let packer = loom_host::Packer::open(&[sandbox.path("a")], options(diff())).unwrap();
    let survey = survey(&packer);
    let patch = survey.overview.sections[0].text();
    assert!(patch.contains("a/a/x") && !patch.contains("b/y"), "{patch}");
}

#[test]
fn other_encodings_and_notebooks_are_decoded() {
    let notebook = |value: &str, output: &str| {
        format!(
            r#"{{"cells": [{{"cell_type": "code", "source": "x = {value}", "outputs": ["{output}"]}}], "nbformat": 4}}"#
        )
    };
    let sandbox = Sandbox::new();
    sandbox
        .write("latin", b"caf\xe9 d\xe9j\xe0 vu\n")
        .write("n.ipynb", notebook("1", "HIDDEN"))
        .commit_all();
    sandbox
        .write("latin", b"caf\xe9s d\xe9j\xe0 vu\n")
        .write("n.ipynb", notebook("2", "OTHER"));
    let patch = section(&sandbox, options(diff()));
    assert!(
        patch.contains("# latin: decoded from windows-1252\n"),
        "{patch}"
    );
    assert!(patch.contains("-café déjà vu\n+cafés déjà vu\n"), "{patch}");
    assert!(
        patch.contains("# n.ipynb: notebook cells without outputs\n"),
        "{patch}"
    );
    assert!(
        patch.contains("+x = 2\n") && !patch.contains("OTHER"),
        "{patch}"
    );
}

/// Many programs reject a patch with an entry without a body.
#[test]
fn file_whose_encoding_changed_is_only_named() {
    let sandbox = Sandbox::new();
    sandbox.write("a", b"caf\xe9 d\xe9j\xe0 vu\n").commit_all();
    sandbox.write("a", "café déjà vu\n");
    let patch = section(&sandbox, options(diff()));
    assert!(
        patch.contains("# a: the same text: only its encoding or line ends differ\n"),
        "{patch}"
    );
    assert!(!patch.contains("diff --git"), "{patch}");
}

#[test]
fn file_in_conflict_is_compared_with_our_side() {
    let sandbox = Sandbox::new();
    sandbox.write("a", "1\n").commit_all();
    sandbox
        .git(&["switch", "-qc", "theirs"])
        .write("a", "theirs\n");
    sandbox
        .git(&["commit", "-qam", "theirs"])
        .git(&["switch", "-q", "main"]);
    sandbox
        .write("a", "ours\n")
        .git(&["commit", "-qam", "ours"]);
    let mut merge = sandbox.command("git");
    assert!(
        !merge
            .args(["merge", "-q", "theirs"])
            .output()
            .unwrap()
            .status
            .success()
    );
    let patch = section(&sandbox, options(diff()));
    assert!(
        patch.contains("# a: in conflict; the patch is against our side of the merge\n"),
        "{patch}"
    );
    assert!(patch.contains("+theirs\n"), "{patch}");
}
