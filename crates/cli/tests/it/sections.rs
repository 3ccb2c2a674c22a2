//! What git says, as sections of a pack: patches that `git apply` reads, the log,
//! and nothing of files that are not packed.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use loom_testkit::Sandbox;
use serde_json::Value;

use crate::packed::loom;

/// The text of the one section of a pack.
#[track_caller]
fn section(sandbox: &Sandbox, args: &[&str]) -> String {
    let args = [&["pack", "-q", "-f", "json"], args].concat();
    let pack: Value = serde_json::from_str(&loom(sandbox, &args).ok()).unwrap();
    let sections = pack["sections"].as_array().unwrap();
    assert_eq!(sections.len(), 1);
    sections[0]["text"].as_str().unwrap().to_owned()
}

/// Numbers that look random and are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn text(&mut self) -> String {
        let lines = self.below(30);
        let mut text: String = (0..lines)
            .map(|_| format!("line {}\n", self.below(12)))
            .collect();
        if self.below(3) == 0 {
            text.push_str("no end");
        }
        if self.below(5) == 0 {
            text = text.replace('\n', "\r\n");
        }
        text
    }
}

const NAMES: [&str; 8] = [
    "a",
    "b c",
    "dir/d",
    "dir/\"q\"",
    "é/ü",
    "tab\tx",
    "back\\slash",
    "dir/sub/e.rs",
];

fn edit(sandbox: &Sandbox, numbers: &mut Numbers) {
    for name in NAMES {
        let path = sandbox.path(name);
        match numbers.below(8) {
            0 => drop(fs::remove_file(&path)),
            1 if path.exists() => {
                let old = fs::read_to_string(&path).unwrap();
                sandbox.write(name, format!("first\n{old}"));
            }
            2 if path.exists() => {
                let mode = [0o755, 0o644][numbers.below(2)];
                fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            }
            3 if path.exists() => {
                let to = sandbox.path(format!("moved {}", numbers.below(4)));
                fs::rename(&path, to).unwrap();
            }
            4..=6 => drop(sandbox.write(name, numbers.text())),
            _ => {}
        }
    }
}

/// Every file with its mode.
fn state(folder: &Path) -> Vec<(String, u32, Vec<u8>)> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(at) = folders.pop() {
        for entry in fs::read_dir(at).unwrap().flatten() {
            let path = entry.path();
            let name = path.strip_prefix(folder).unwrap().display().to_string();
            match entry.file_type().unwrap() {
                _ if name == ".git" => {}
                kind if kind.is_dir() => folders.push(path),
                kind if kind.is_symlink() => {
                    let target = fs::read_link(&path).unwrap();
                    files.push((name, 0, target.display().to_string().into_bytes()));
                }
                _ => {
                    let mode = fs::metadata(&path).unwrap().permissions().mode() & 0o111;
                    files.push((name, mode, fs::read(&path).unwrap()));
                }
            }
        }
    }
    files.sort();
    files
}

/// `patch` turns a checkout of `commit` into the working tree.
#[track_caller]
fn check_applies(sandbox: &Sandbox, prepare: &[&[&str]], patch: &str) {
    let wanted = state(&sandbox.work());
    let (copy, file) = (sandbox.path("../copy"), sandbox.path("../patch"));
    let _ = fs::remove_dir_all(&copy);
    fs::write(&file, patch).unwrap();
    let git = |args: &[&str]| {
        let mut command = sandbox.command("git");
        command.current_dir(&copy).args(args);
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{args:?}: {said}\n{patch}");
    };
    sandbox
        .git(&["worktree", "prune"])
        .git(&["worktree", "add", "-qf", "--detach", "../copy"]);
    prepare.iter().for_each(|args| git(args));
    if !patch.starts_with("(nothing)") {
        git(&[
            "apply",
            "--check",
            "--whitespace=nowarn",
            file.to_str().unwrap(),
        ]);
        git(&["apply", "--whitespace=nowarn", file.to_str().unwrap()]);
    }
    assert_eq!(state(&copy), wanted, "{patch}");
}

#[test]
fn git_applies_the_patches() {
    for seed in 0..25 {
        let mut numbers = Numbers(seed);
        let sandbox = Sandbox::new();
        for name in NAMES {
            sandbox.write(name, numbers.text());
        }
        sandbox.commit_all();
        edit(&sandbox, &mut numbers);
        // Everything is known to git, so that the plain diff is all there is.
        sandbox.git(&["add", "-N", "--ignore-removal", "."]);
        check_applies(&sandbox, &[], &section(&sandbox, &["--diff"]));
        check_applies(&sandbox, &[], &section(&sandbox, &["--since", "HEAD"]));
        sandbox.git(&["add", "-A"]);
        check_applies(&sandbox, &[], &section(&sandbox, &["--staged"]));
        sandbox.git(&["commit", "-qm", "edited", "--allow-empty"]);
        edit(&sandbox, &mut numbers);
        let back: &[&[&str]] = &[&["reset", "-q", "--hard", "HEAD~1"]];
        check_applies(&sandbox, back, &section(&sandbox, &["--since", "HEAD~1"]));
    }
}

#[test]
fn links_modes_and_kinds() {
    let sandbox = Sandbox::new();
    sandbox
        .write("file", "x\n")
        .write("tool", "#!/bin/sh\n")
        .write("empty", "");
    symlink("file", sandbox.path("link")).unwrap();
    sandbox.commit_all();
    fs::remove_file(sandbox.path("link")).unwrap();
    symlink("tool", sandbox.path("link")).unwrap();
    fs::set_permissions(sandbox.path("tool"), fs::Permissions::from_mode(0o755)).unwrap();
    fs::remove_file(sandbox.path("file")).unwrap();
    symlink("tool", sandbox.path("file")).unwrap();
    fs::remove_file(sandbox.path("empty")).unwrap();
    sandbox
        .write("also empty", "")
        .git(&["add", "-N", "also empty"]);
    check_applies(&sandbox, &[], &section(&sandbox, &["--diff"]));
}

#[test]
fn renames_are_told() {
    let sandbox = Sandbox::new();
    let long: String = (0..40).map(|at| format!("line {at}\n")).collect();
    sandbox
        .write("a", "exactly\n")
        .write("b", &long)
        .commit_all();
    sandbox.git(&["mv", "a", "c"]).git(&["mv", "b", "d"]);
    sandbox
        .write("d", long.replace("line 7\n", ""))
        .git(&["add", "-A"]);
    let patch = section(&sandbox, &["--staged"]);
    assert!(
        patch.contains("similarity index 100%\nrename from a\nrename to c\n"),
        "{patch}"
    );
    assert!(patch.contains("rename from b\nrename to d\n"), "{patch}");
    assert!(
        patch.contains("-line 7\n") && !patch.contains("-line 8\n"),
        "{patch}"
    );
}

/// Nothing that the rules leave out is shown by way of a diff.
#[test]
fn what_is_not_packed_is_not_shown() {
    let sandbox = Sandbox::new();
    let secret = |at: usize| format!("SECRET {at}\n");
    let names = [
        "k.log",
        "secret.env",
        "node_modules/x.js",
        "gone.env",
        "img.png",
        "big.txt",
        "Cargo.lock",
    ];
    for (at, name) in names.iter().enumerate() {
        sandbox.write(name, secret(at));
    }
    sandbox
        .write("img.png", "\u{0}SECRET")
        .write("open.rs", "old\n")
        .commit_all();
    sandbox
        .write(".gitignore", "*.log\n")
        .write(".infiniloomignore", "*.env\n");
    for (at, name) in names.iter().enumerate() {
        sandbox.write(name, format!("new {}", secret(at)));
    }
    sandbox
        .write("img.png", "\u{0}\u{1}SECRET")
        .write("open.rs", "new\n");
    sandbox.write("big.txt", "SECRET\n".repeat(1000));
    fs::remove_file(sandbox.path("gone.env")).unwrap();
    fs::rename(sandbox.path("secret.env"), sandbox.path("plain.txt")).unwrap();
    for args in [&["--diff"][..], &["--since", "HEAD"], &["--staged"]] {
        if args == ["--staged"] {
            sandbox.git(&["add", "-A"]);
        }
        let args = [
            args,
            &["--max-file-size", "5kb", "--exclude", "k.log,plain.txt"],
        ]
        .concat();
        let patch = section(&sandbox, &args);
        assert!(!patch.contains("SECRET"), "{args:?}\n{patch}");
        assert!(patch.contains("-old\n+new\n"), "{patch}");
        for expected in [
            "# k.log: changed, not shown: --exclude: k.log",
            "# node_modules/x.js: changed, not shown: built-in default: node_modules/",
            "# gone.env: deleted, not shown: .infiniloomignore:1: *.env",
            "# big.txt: changed, not shown: 7000 bytes, more than the limit of 5000",
            "# Cargo.lock: changed, not shown: built-in default",
            "Binary files a/img.png and b/img.png differ",
        ] {
            assert!(patch.contains(expected), "{args:?}: {expected}\n{patch}");
        }
    }
}

#[test]
fn a_part_of_the_tree_has_a_part_of_the_diff() {
    let sandbox = Sandbox::new();
    sandbox.write("a/x", "1\n").write("b/y", "1\n").commit_all();
    sandbox.write("a/x", "2\n").write("b/y", "2\n");
    let patch = section(&sandbox, &["--diff", "a"]);
    assert!(patch.contains("a/a/x") && !patch.contains("b/y"), "{patch}");
}

#[test]
fn other_encodings_and_notebooks_are_readable() {
    let sandbox = Sandbox::new();
    sandbox
        .write("latin", b"caf\xe9 d\xe9j\xe0 vu\n")
        .write("n.ipynb", notebook("1", "SECRET"))
        .commit_all();
    sandbox
        .write("latin", b"caf\xe9s d\xe9j\xe0 vu\n")
        .write("n.ipynb", notebook("2", "OTHER"));
    let patch = section(&sandbox, &["--diff"]);
    assert!(
        patch.contains("# latin: decoded from windows-1252\n"),
        "{patch}"
    );
    assert!(patch.contains("-café déjà vu\n+cafés déjà vu\n"), "{patch}");
    assert!(
        patch.contains("+x = 2\n") && !patch.contains("OTHER"),
        "{patch}"
    );
}

fn notebook(value: &str, output: &str) -> String {
    format!(
        r#"{{"cells": [{{"cell_type": "code", "source": "x = {value}", "outputs": ["{output}"]}}], "nbformat": 4}}"#
    )
}

/// The hashes, dates, messages and counts are those of git.
#[test]
fn the_log() {
    let sandbox = Sandbox::new();
    sandbox
        .write("a", "one\ntwo\n")
        .write("bin", "\u{0}")
        .commit_all();
    sandbox
        .write("a", "one\n2\n3\n")
        .git(&["commit", "-qam", "Change a\n\nBecause it\nmust be."]);
    let log = section(&sandbox, &["--log", "5"]);
    let git = |format: &str| sandbox.run("git", &["log", format]).ok();
    let ids = git("--format=%H");
    let ids: Vec<_> = ids.lines().collect();
    let expected = format!(
        "commit {}\nAuthor: Test\nDate: 2026-01-02T03:04:05+00:00\n\n    Change a\n\n    Because it\n    must be.\n\n2\t1\ta\n\n\
         commit {}\nAuthor: Test\nDate: 2026-01-02T03:04:05+00:00\n\n    all\n\n2\t0\ta\n-\t-\tbin\n",
        ids[0], ids[1]
    );
    assert_eq!(log, expected);
    assert!(!log.contains("example.com"));
    let one = section(&sandbox, &["--log", "1"]);
    assert_eq!(one.matches("commit ").count(), 1);
}

#[test]
fn the_same_for_any_threads_zone_and_language() {
    let sandbox = Sandbox::new();
    for at in 0..50 {
        sandbox.write(format!("f{at}"), format!("{at}\n"));
    }
    sandbox.commit_all();
    for at in 0..50 {
        sandbox.write(format!("f{at}"), format!("{at}\nx\n"));
    }
    let pack = |threads: &str, zone: &str, language: &str| {
        let mut command = sandbox.command(crate::packed::BINARY);
        command
            .env("TZ", zone)
            .env("LC_ALL", language)
            .env("LANG", language);
        command.args([
            "pack",
            "-q",
            "-j",
            threads,
            "--log",
            "3",
            "--diff",
            "--changed",
            "--highlight-changes",
        ]);
        command.output().unwrap().stdout
    };
    let one = pack("1", "UTC", "C");
    assert!(!one.is_empty());
    assert_eq!(one, pack("7", "Asia/Kolkata", "de_DE.UTF-8"));
}

#[test]
fn several_trees_are_named() {
    let sandbox = Sandbox::new();
    sandbox.write("one/a", "1\n").write("two/b", "1\n");
    for folder in ["one", "two"] {
        sandbox
            .git_in(folder, &["init", "-q"])
            .git_in(folder, &["add", "-A"]);
        sandbox.git_in(folder, &["commit", "-qm", folder]);
    }
    sandbox.write("one/a", "2\n");
    let text = loom(
        &sandbox,
        &["pack", "-f", "json", "--diff", "--log", "1", "one", "two"],
    )
    .ok();
    let pack: Value = serde_json::from_str(&text).unwrap();
    let sections = pack["sections"].as_array().unwrap().iter();
    let names: Vec<_> = sections
        .map(|one| format!("{} {}", one["repository"], one["kind"]))
        .collect();
    assert_eq!(
        names,
        [
            "\"one\" \"log\"",
            "\"one\" \"diff\"",
            "\"two\" \"log\"",
            "\"two\" \"diff\""
        ]
    );
    sandbox.write("three/c", "x");
    let run = loom(&sandbox, &["pack", "--diff", "one", "three"]);
    assert_eq!(run.code, 2);
    assert!(
        run.stderr.contains("three is not a git repository"),
        "{}",
        run.stderr
    );
}

#[test]
fn templates_see_the_sections() {
    let sandbox = Sandbox::new();
    sandbox.write("a", "1\n").commit_all().write("a", "2\n");
    let template = "{% for s in sections %}{{ s.kind }}/{{ s.title }}/{{ s.repository is none }}\n{{ s.text }}{% endfor %}{{ marks is none }}";
    fs::write(sandbox.path("../t"), template).unwrap();
    let said = loom(&sandbox, &["pack", "-q", "--diff", "--template", "../t"]).ok();
    let expected = "diff/the working tree against the index/True\ndiff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+2\nTrue";
    assert_eq!(said, expected);
}

/// The owner of a repository must not decide what else of it a user gives away.
#[test]
fn a_repository_may_not_ask_for_sections() {
    for setting in [
        "[pack]\nlog = 5",
        "[pack]\ndiff = true",
        "[scan]\nchanged = \"HEAD\"",
    ] {
        let sandbox = Sandbox::new();
        sandbox
            .write("a", "x")
            .write("infiniloom.toml", setting)
            .commit_all();
        assert_eq!(loom(&sandbox, &["pack"]).code, 2, "{setting}");
    }
}

/// A commit in the place of the working tree.
#[test]
fn a_commit_has_a_log_and_changes() {
    let sandbox = Sandbox::new();
    sandbox.write("a", "1\n").write("b", "1\n").commit_all();
    sandbox.git(&["switch", "-qc", "topic"]).write("a", "2\n");
    sandbox.git(&["commit", "-qam", "two"]).write("a", "3\n");
    sandbox
        .git(&["commit", "-qam", "three"])
        .write("a", "dirty\n");
    let log = section(&sandbox, &["--rev", "HEAD~1", "--log", "5"]);
    assert!(log.contains("    two\n") && !log.contains("three"), "{log}");
    let patch = section(&sandbox, &["--rev", "HEAD~1", "--since", "main"]);
    assert!(patch.ends_with("@@ -1 +1 @@\n-1\n+2\n"), "{patch}");
    let changed = loom(
        &sandbox,
        &[
            "pack",
            "-f",
            "json",
            "--rev",
            "HEAD~1",
            "--changed",
            "main",
            "--highlight-changes",
        ],
    );
    let files = crate::readers::json(&changed.ok());
    let expected = ("a".to_owned(), "-(1 line removed)\n+2\n".to_owned());
    assert_eq!(files, [expected]);
    for flag in ["--diff", "--staged"] {
        let run = loom(&sandbox, &["pack", "--rev", "HEAD", flag]);
        assert_eq!(run.code, 2);
        assert!(
            run.stderr.contains("a commit has no working tree"),
            "{}",
            run.stderr
        );
    }
}
