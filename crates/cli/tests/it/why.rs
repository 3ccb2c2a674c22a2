//! `why` names the rule for every kind of decision, and agrees with `pack`.

use std::fs;

use loom_testkit::{Sandbox, odd_tree};
use serde_json::Value;

use crate::packed::{BINARY, loom, pack};

fn odd() -> Sandbox {
    let sandbox = Sandbox::new();
    odd_tree(&sandbox);
    sandbox
}

fn why(sandbox: &Sandbox, args: &[&str]) -> String {
    loom(sandbox, &[&["why"], args].concat()).ok()
}

#[test]
fn every_kind_of_decision() {
    let paths = [
        "a.log",
        "keep.log",
        "tracked.log",
        "ignored-dir/untracked.txt",
        "ignored-dir/tracked.txt",
        "ignored-dir",
        "sub/nested.tmp",
        "sub/again.tmp",
        "excluded-locally.txt",
        "by-ignore.txt",
        "by-loom.txt",
        "node_modules/x/index.js",
        "drivers/target/core.c",
        "Cargo.lock",
        "docs",
        ".hidden",
        "enc/binary.dat",
        "enc/cut.txt",
        "links/passwd",
        "links/inside",
        "fifo",
        "sock",
        "code/lfs.bin",
        "no/such.txt",
        "nothing.log",
        "names/new\nline.txt",
        ".git/HEAD",
    ];
    insta::assert_snapshot!(why(&odd(), &paths), @r#"
    a.log: left out by .gitignore:1: *.log
    keep.log: packed because of .gitignore:2: !keep.log
    tracked.log: packed because git tracks it, although .gitignore:1: *.log matches
    ignored-dir/untracked.txt: left out by .gitignore:3: ignored-dir/ on ignored-dir/
    ignored-dir/tracked.txt: packed because git tracks it, although .gitignore:3: ignored-dir/ matches
    ignored-dir: left out by .gitignore:3: ignored-dir/
    sub/nested.tmp: left out by sub/.gitignore:1: *.tmp
    sub/again.tmp: packed because of sub/.gitignore:2: !again.tmp
    excluded-locally.txt: left out by .git/info/exclude:1: excluded-locally.txt
    by-ignore.txt: left out by .ignore:1: by-ignore.txt
    by-loom.txt: left out by .infiniloomignore:1: by-loom.txt
    node_modules/x/index.js: left out by built-in default: node_modules/ on node_modules/
    drivers/target/core.c: packed: no rule leaves it out
    Cargo.lock: left out by built-in default: Cargo.lock
    docs: packed: no rule leaves it out
    .hidden: packed: no rule leaves it out
    enc/binary.dat: left out: binary
    enc/cut.txt: packed: no rule leaves it out
    links/passwd: left out: symbolic link to /etc/passwd, not followed
    links/inside: left out: symbolic link to ../code/no-end.rs, not followed
    fifo: left out: named pipe, not read
    sock: left out: socket, not read
    code/lfs.bin: left out: git LFS pointer, contents not checked out
    no/such.txt: not there; no rule leaves it out
    nothing.log: left out by .gitignore:1: *.log
    "names/new\nline.txt": packed: no rule leaves it out
    .git/HEAD: left out by built-in default: .git/ on .git/
    "#);
}

#[test]
fn patterns_of_the_user() {
    let sandbox = odd();
    let mut text = String::new();
    for args in [
        &["--include", "*.md", "docs/guide.md", "bin/run"][..],
        &["--exclude", "docs", "docs/guide.md"],
        &["--no-ignore", "a.log"],
        &["--no-default-ignore", "Cargo.lock"],
        &["--max-file-size", "1", "docs/guide.md"],
    ] {
        text.push_str(&why(&sandbox, args));
    }
    insta::assert_snapshot!(text, @"
    docs/guide.md: packed because of --include: *.md
    bin/run: left out by no --include pattern matches
    docs/guide.md: left out by --exclude: docs on docs/
    a.log: packed: no rule leaves it out
    Cargo.lock: packed: no rule leaves it out
    docs/guide.md: left out: 19 bytes, more than the limit of 1
    ");
}

#[test]
fn for_programs() {
    let answer = why(
        &odd(),
        &[
            "--format",
            "json",
            "sub/nested.tmp",
            "ignored-dir/untracked.txt",
            ".hidden",
        ],
    );
    insta::assert_snapshot!(answer, @r#"
    [
      {
        "path": "sub/nested.tmp",
        "packed": false,
        "reason": "gitignore",
        "detail": "left out by sub/.gitignore:1: *.tmp",
        "rule": "sub/.gitignore:1: *.tmp",
        "matched": "sub/nested.tmp"
      },
      {
        "path": "ignored-dir/untracked.txt",
        "packed": false,
        "reason": "gitignore",
        "detail": "left out by .gitignore:3: ignored-dir/ on ignored-dir/",
        "rule": ".gitignore:3: ignored-dir/",
        "matched": "ignored-dir"
      },
      {
        "path": ".hidden",
        "packed": true,
        "reason": "no-rule",
        "detail": "packed: no rule leaves it out"
      }
    ]
    "#);
}

/// `why` agrees with `pack` about every file.
#[test]
fn it_agrees_with_pack() {
    let sandbox = odd();
    sandbox
        .write("cache/CACHEDIR.TAG", "")
        .write("cache/x/y.txt", "x");
    sandbox.write("old.xml", loom(&sandbox, &["pack"]).ok());
    sandbox.write("bundle.js", "var a=1;".repeat(2_000));
    let packed = pack(&sandbox, &[]);
    let mut paths: Vec<String> = packed.paths().into_iter().map(str::to_owned).collect();
    let left_out = packed.report["left_out"].as_array().unwrap();
    paths.extend(
        left_out
            .iter()
            .map(|left| left["path"].as_str().unwrap().to_owned()),
    );
    paths.retain(|path| !path.starts_with('"'));
    let mut command = sandbox.command(BINARY);
    let output = command
        .args(["why", "-f", "json", "--"])
        .args(&paths)
        .output()
        .unwrap();
    let answers: Value = serde_json::from_slice(&output.stdout).unwrap();
    let answers = answers.as_array().unwrap();
    assert_eq!(answers.len(), paths.len());
    for (answer, path) in answers.iter().zip(&paths) {
        assert_eq!(answer["path"], path.as_str());
        assert_eq!(
            answer["packed"],
            packed.files.contains_key(path),
            "{answer}"
        );
        if answer["packed"] == false {
            assert_eq!(answer["reason"], packed.outcome(path), "{answer}");
        }
    }
}

#[test]
fn from_any_folder() {
    let sandbox = odd();
    let mut command = sandbox.command(BINARY);
    let run = command
        .args(["why", "nested.tmp", "../a.log"])
        .current_dir(sandbox.path("sub"));
    let text = String::from_utf8(run.output().unwrap().stdout).unwrap();
    let expected = "sub/nested.tmp: left out by sub/.gitignore:1: *.tmp\na.log: left out by .gitignore:1: *.log\n";
    assert_eq!(text, expected);
    let plain = Sandbox::new();
    fs::write(plain.path("x"), "x").unwrap();
    assert_eq!(why(&plain, &["x"]), "x: packed: no rule leaves it out\n");
}

/// A pattern of the user includes a file that the built-in rules skip because of its contents.
#[test]
fn what_a_pattern_wants_is_packed() {
    let sandbox = Sandbox::new();
    sandbox.write("bundle.js", "var a=1;".repeat(2_000));
    let left_out = "bundle.js: left out: minified\n";
    assert_eq!(why(&sandbox, &["bundle.js"]), left_out);
    pack(&sandbox, &["--include", "*.js"]).check("bundle.js: packed");
    let packed = "bundle.js: packed because of --include: *.js\n";
    assert_eq!(why(&sandbox, &["--include", "*.js", "bundle.js"]), packed);
}

#[test]
fn what_the_run_writes_is_said() {
    let sandbox = Sandbox::new();
    let settings = "[pack]\noutput = 'out.xml'\nreport = 'report.json'\n";
    sandbox
        .write("infiniloom.toml", settings)
        .write("a.txt", "a\n")
        .commit_all();
    loom(&sandbox, &["pack"]).ok();
    let answer = why(&sandbox, &["out.xml", "report.json", "a.txt"]);
    insta::assert_snapshot!(answer, @"
    out.xml: left out: the output of this run
    report.json: left out: the output of this run
    a.txt: packed: no rule leaves it out
    ");
}

#[test]
fn what_the_working_tree_lacks() {
    let sandbox = Sandbox::new();
    sandbox
        .write("lib/l.txt", "l\n")
        .write("a.txt", "a\n")
        .write("gone.txt", "g\n")
        .write("far/b.txt", "b\n")
        .write("near/c.txt", "c\n");
    sandbox.git_in("lib", &["init", "-q"]);
    sandbox
        .git_in("lib", &["add", "."])
        .git_in("lib", &["commit", "-qm", "l"]);
    sandbox
        .git(&["init", "-q", "-b", "main"])
        .git(&["submodule", "--quiet", "add", "./lib", "lib"])
        .git(&["add", "."])
        .git(&["commit", "-qm", "all"]);
    sandbox.git(&["clone", "-q", ".", "../clone"]);
    let clone = "../clone";
    sandbox.git_in(clone, &["sparse-checkout", "set", "--cone", "near"]);
    std::fs::remove_file(sandbox.path("../clone/gone.txt")).unwrap();
    let folder = sandbox.path(clone).canonicalize().unwrap();
    let mut command = sandbox.command(crate::packed::BINARY);
    command.current_dir(folder);
    command.args(["why", "lib", "gone.txt", "far/b.txt", "far", "a.txt", "."]);
    let run = loom_testkit::Run::from(command.output().unwrap());
    insta::assert_snapshot!(run.ok(), @r"
    lib: left out: submodule, not checked out
    gone.txt: left out: tracked by git, deleted from the working tree
    far/b.txt: left out: outside the sparse checkout
    far: left out: outside the sparse checkout
    a.txt: packed: no rule leaves it out
    .: packed: no rule leaves it out
    ");
}
