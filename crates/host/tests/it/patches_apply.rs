//! Patches of random edits: `git apply` accepts them and restores the working tree.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use loom_host::HistoryOptions;
use loom_host::PackOptions;
use loom_testkit::Sandbox;

use crate::fixture::{Chance, packer, survey};

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
fn section(sandbox: &Sandbox, history: HistoryOptions) -> String {
    let options = PackOptions {
        history,
        ..PackOptions::default()
    };
    let survey = survey(&packer(sandbox, options));
    survey.overview.sections[0].text().to_owned()
}

impl Chance {
    fn lines_of_text(&mut self) -> String {
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

fn edit(sandbox: &Sandbox, numbers: &mut Chance) {
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
            4..=6 => drop(sandbox.write(name, numbers.lines_of_text())),
            _ => {}
        }
    }
}

/// Returns every file with its mode.
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

/// Checks that a patch turns a checkout of the last commit into the working tree.
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
fn git_applies_every_patch() {
    for seed in 0..6 {
        let mut numbers = Chance(seed);
        let sandbox = Sandbox::new();
        for name in NAMES {
            sandbox.write(name, numbers.lines_of_text());
        }
        sandbox.commit_all();
        edit(&sandbox, &mut numbers);
        // Everything is known to git, so that the plain diff is all there is.
        sandbox.git(&["add", "-N", "--ignore-removal", "."]);
        check_applies(&sandbox, &[], &section(&sandbox, diff()));
        check_applies(&sandbox, &[], &section(&sandbox, since("HEAD")));
        sandbox.git(&["add", "-A"]);
        check_applies(&sandbox, &[], &section(&sandbox, staged()));
        sandbox.git(&["commit", "-qm", "edited", "--allow-empty"]);
        edit(&sandbox, &mut numbers);
        let back: &[&[&str]] = &[&["reset", "-q", "--hard", "HEAD~1"]];
        check_applies(&sandbox, back, &section(&sandbox, since("HEAD~1")));
    }
}

#[test]
fn git_applies_links_modes_and_kinds() {
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
    check_applies(&sandbox, &[], &section(&sandbox, diff()));
}
