//! `index --watch`: updates after changes of files.

use std::fs;
use std::process::Stdio;

use loom_testkit::Sandbox;

use crate::packed::BINARY;
use crate::remembered::tree;

#[test]
fn a_watch_goes_on_with_what_changes() {
    let sandbox = tree();
    let mut command = sandbox.command(BINARY);
    command
        .args(["index", "--watch"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut out = std::io::BufReader::new(child.stdout.take().unwrap());
    let mut line = || {
        let mut text = String::new();
        std::io::BufRead::read_line(&mut out, &mut text).unwrap();
        text
    };
    assert!(line().starts_with("13 files"));
    assert!(line().starts_with("13 added"));
    sandbox.write("new/folder/more.py", "def more(): pass\n");
    assert!(line().starts_with("14 files"));
    assert!(line().starts_with("1 added, 0 changed"));
    sandbox.write("new/folder/more.py", "def more(): return 1\n");
    assert!(line().starts_with("14 files"));
    assert!(line().starts_with("0 added, 1 changed"));
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_watch_sees_a_folder_that_comes_back() {
    let sandbox = Sandbox::new();
    sandbox.write("tree/a.py", "def a(): pass\n");
    let mut command = sandbox.command(BINARY);
    command
        .args(["index", "--watch", "tree"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut out = std::io::BufReader::new(child.stdout.take().unwrap());
    let mut told = std::io::BufReader::new(child.stderr.take().unwrap());
    let mut line = || {
        let mut text = String::new();
        std::io::BufRead::read_line(&mut out, &mut text).unwrap();
        text
    };
    assert!(line().starts_with("1 file"));
    assert!(line().starts_with("1 added"));
    fs::rename(sandbox.path("tree"), sandbox.path("away")).unwrap();
    let mut warning = String::new();
    std::io::BufRead::read_line(&mut told, &mut warning).unwrap();
    assert!(warning.contains("waiting until it is back"), "{warning}");
    fs::rename(sandbox.path("away"), sandbox.path("tree")).unwrap();
    sandbox.write("tree/b.py", "def b(): pass\n");
    assert!(line().starts_with("2 files"));
    assert!(line().starts_with("1 added"));
    // Another directory replaces it.
    fs::rename(sandbox.path("tree"), sandbox.path("away")).unwrap();
    sandbox.write("tree/c.py", "def c(): pass\n");
    assert!(line().starts_with("1 file"));
    assert!(line().starts_with("1 added, 0 changed, 2 removed"));
    child.kill().unwrap();
    child.wait().unwrap();
}
