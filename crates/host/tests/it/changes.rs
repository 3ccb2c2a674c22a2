//! Packs of changed files, and changes marked in the contents.

use std::fs;

use loom_host::{FilterKind, HistoryOptions, PackOptions, ScanOptions, Survey, unmark};
use loom_testkit::Sandbox;

use crate::fixture::{files_of, filters, pack, packer, paths, reasons, survey};

fn committed() -> Sandbox {
    let sandbox = Sandbox::new();
    for name in ["a.rs", "b.rs", "dir/c.txt", "gone.rs", "old.rs"] {
        sandbox.write(name, format!("// {name}\none\ntwo\nthree\n"));
    }
    sandbox.write(".gitignore", "*.log\n").commit_all();
    sandbox
}

fn since(revision: &str) -> PackOptions {
    PackOptions {
        history: HistoryOptions {
            changed: Some(revision.to_owned()),
            ..HistoryOptions::default()
        },
        ..PackOptions::default()
    }
}

fn changed(sandbox: &Sandbox, revision: &str) -> Survey {
    survey(&packer(sandbox, since(revision)))
}

#[test]
fn only_changed_files_are_packed() {
    let sandbox = committed();
    sandbox
        .write("a.rs", "other\n")
        .write("new.rs", "x\n")
        .write("ignored.log", "x\n")
        .write("dir/c.txt", "staged\n")
        .git(&["add", "dir/c.txt"]);
    fs::remove_file(sandbox.path("gone.rs")).unwrap();
    fs::rename(sandbox.path("old.rs"), sandbox.path("renamed.rs")).unwrap();
    let survey = changed(&sandbox, "HEAD");
    assert_eq!(
        paths(&survey),
        ["a.rs", "dir/c.txt", "new.rs", "renamed.rs"]
    );
    assert_eq!(
        reasons(&survey.left_out),
        [
            "gone.rs: deleted",
            "ignored.log: gitignore",
            "old.rs: renamed"
        ]
    );
    assert_eq!(survey.unchanged, 2);
    let shares = survey.overview.left_out.iter();
    let unchanged = shares
        .filter(|share| share.reason == "unchanged")
        .map(|share| share.count);
    assert_eq!(unchanged.sum::<usize>(), 2);
    let rust = PackOptions {
        scan: ScanOptions {
            filters: filters(FilterKind::Include, &["*.rs"]),
            ..ScanOptions::default()
        },
        ..since("HEAD")
    };
    assert_eq!(
        paths(&crate::fixture::survey(&packer(&sandbox, rust))),
        ["a.rs", "new.rs", "renamed.rs"]
    );
}

#[test]
fn committed_rename_is_no_deletion() {
    let sandbox = committed();
    sandbox
        .git(&["switch", "-qc", "topic"])
        .git(&["mv", "old.rs", "dir/new.rs"])
        .git(&["mv", "a.rs", "z.rs"])
        .git(&["rm", "-q", "gone.rs"]);
    sandbox.write("z.rs", "// a.rs\none\n2\nthree\n");
    sandbox.git(&["commit", "-qam", "rename"]);
    let survey = changed(&sandbox, "main");
    assert_eq!(paths(&survey), ["dir/new.rs", "z.rs"]);
    let told = |left: &loom_host::LeftOut| format!("{}: {}", left.path, left.reason);
    let told: Vec<String> = survey.left_out.iter().map(told).collect();
    assert_eq!(
        told,
        [
            "a.rs: renamed to z.rs",
            "gone.rs: tracked by git, deleted from the working tree",
            "old.rs: renamed to dir/new.rs",
        ]
    );
    // Marks compare with the text under the old path.
    let mut options = marking();
    options.history.changed = Some("main".to_owned());
    let files = files_of(&pack(&sandbox, options));
    assert_eq!(
        files["z.rs"],
        " // a.rs\n one\n-(1 line removed)\n+2\n three\n"
    );
    let mut options = PackOptions::default();
    options.history.log = 1;
    let text = pack(&sandbox, options);
    assert!(text.contains("\n1\t1\ta.rs => z.rs\n"), "{text}");
    assert!(text.contains("\n0\t0\told.rs => dir/new.rs\n"), "{text}");
    assert!(text.contains("\n0\t4\tgone.rs\n"), "{text}");
}

/// A branch is compared with the commit at which it left the other one.
#[test]
fn revision_means_the_merge_base() {
    let sandbox = committed();
    sandbox
        .git(&["switch", "-qc", "topic"])
        .write("a.rs", "topic\n");
    sandbox.git(&["commit", "-qam", "topic"]);
    sandbox
        .git(&["switch", "-q", "main"])
        .write("b.rs", "main\n");
    sandbox.git(&["commit", "-qam", "main"]);
    sandbox
        .git(&["switch", "-q", "topic"])
        .write("new.rs", "x\n");
    assert_eq!(paths(&changed(&sandbox, "main")), ["a.rs", "new.rs"]);
    assert_eq!(paths(&changed(&sandbox, "HEAD")), ["new.rs"]);
    assert_eq!(paths(&changed(&sandbox, "HEAD~1")), ["a.rs", "new.rs"]);
}

#[test]
fn selection_without_a_changed_file_is_a_warning() {
    let survey = changed(&committed(), "HEAD");
    assert!(paths(&survey).is_empty());
    assert_eq!(
        survey.warnings,
        ["no file to pack changed since HEAD: the pack holds no files"]
    );
}

#[test]
fn every_file_is_new_before_the_first_commit() {
    let sandbox = Sandbox::new();
    sandbox
        .git(&["init", "-q"])
        .write("a", "x\n")
        .write("b", "y\n")
        .git(&["add", "a"]);
    assert_eq!(paths(&changed(&sandbox, "HEAD")), ["a", "b"]);
}

/// A nested repository has its own history, in which the user's revision has no meaning.
#[test]
fn nested_repository_is_compared_with_its_own_head() {
    let sandbox = committed();
    sandbox.write("inner/x", "x\n").write("inner/y", "y\n");
    sandbox
        .git_in("inner", &["init", "-q"])
        .git_in("inner", &["add", "-A"]);
    sandbox
        .git_in("inner", &["commit", "-qm", "x"])
        .write("inner/y", "z\n");
    assert_eq!(paths(&changed(&sandbox, "main")), ["inner/y"]);
}

#[test]
fn unknown_revision_is_an_error() {
    let sandbox = committed();
    let packer = packer(&sandbox, since("nope"));
    let result = packer.survey(&loom_host::NoProgress, &loom_host::Cancel::new());
    let Err(loom_host::PackError::History { flag, source }) = result else {
        panic!("there is no such revision");
    };
    assert_eq!(flag, "--changed nope");
    assert!(source.to_string().contains("no revision nope"), "{source}");
}

fn marking() -> PackOptions {
    PackOptions {
        format: loom_host::Format::Json,
        history: HistoryOptions {
            highlight: true,
            ..HistoryOptions::default()
        },
        ..PackOptions::default()
    }
}

/// The marks can be removed again, byte for byte.
#[test]
fn marks_show_changes_and_can_be_removed() {
    let sandbox = Sandbox::new();
    let texts = [
        (
            "changed",
            "one\ntwo\nthree\n",
            "one\n2\nthree\nfour\n",
            true,
        ),
        ("open", "one\ntwo\nthree\n", "one", true),
        ("crlf", "one\r\ntwo\r\n", "two\r\nthree\r\n", true),
        ("looks like marks", "a\n", "-a\n+b\n c\n", true),
        ("same", "same\n", "same\n", false),
        ("emptied", "one\ntwo\n", "", true),
        ("ends", "one\ntwo\n", "one\r\ntwo\r\n", false),
    ];
    for (name, old, ..) in texts {
        sandbox.write(name, old);
    }
    sandbox.commit_all();
    for (name, _, new, _) in texts {
        sandbox.write(name, new);
    }
    sandbox.write("unknown", "new\n");
    let shown = files_of(&pack(&sandbox, marking()));
    for (name, _, new, is_marked) in texts {
        match is_marked {
            true => {
                assert_ne!(shown[name], new, "{name}");
                assert_eq!(unmark(&shown[name]), new, "{name}");
            }
            false => assert_eq!(shown[name], new, "{name}"),
        }
    }
    assert_eq!(
        shown["changed"],
        " one\n-(1 line removed)\n+2\n three\n+four\n"
    );
    let survey = survey(&packer(&sandbox, marking()));
    let note = |name: &str| {
        let mut files = survey.files();
        files
            .find(|file| file.path.display() == name)
            .unwrap()
            .note()
    };
    assert_eq!(note("changed").as_deref(), Some("changes marked"));
    assert_eq!(note("unknown").as_deref(), Some("new file"));
    assert_eq!(note("same"), None);
    assert_eq!(survey.overview.marked_since.as_deref(), Some("HEAD"));
}

#[test]
fn notebook_is_marked_by_its_cells() {
    let notebook = |value: &str, output: &str| {
        format!(
            r#"{{"cells": [{{"cell_type": "code", "source": "x = {value}\n", "outputs": ["{output}"]}}], "nbformat": 4}}"#
        )
    };
    let sandbox = Sandbox::new();
    sandbox
        .write("n.ipynb", notebook("1", "a"))
        .write("o.ipynb", notebook("1", "a"))
        .commit_all();
    sandbox
        .write("n.ipynb", notebook("2", "a"))
        .write("o.ipynb", notebook("1", "b"));
    let shown = files_of(&pack(&sandbox, marking()));
    assert!(shown["n.ipynb"].contains("+x = 2"), "{}", shown["n.ipynb"]);
    assert!(!shown["o.ipynb"].contains('+'), "{}", shown["o.ipynb"]);
}
