//! Ctrl-C leaves no partial file.

use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use loom_testkit::Sandbox;

use crate::packed::BINARY;

/// A tree that takes long to pack and little room: one file under many names.
fn many(copies: usize) -> Sandbox {
    let sandbox = Sandbox::new();
    let line = "fn function(argument: Type) -> Result<Value, Error> { argument.call() }\n";
    sandbox.write("src/0.rs", line.repeat(14_000));
    for copy in 1..copies {
        fs::hard_link(
            sandbox.path("src/0.rs"),
            sandbox.path(format!("src/{copy}.rs")),
        )
        .unwrap();
    }
    sandbox.write("out/pack.xml", "earlier\n");
    sandbox
}

fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let started = Instant::now();
    while !is_so() {
        assert!(started.elapsed().as_secs() < 60, "never {what}");
        sleep(Duration::from_millis(1));
    }
}

/// Whether the process listens for Ctrl-C, the second bit of the caught signals.
fn listens(id: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    caught.is_some_and(|mask| mask & 0b10 != 0)
}

fn files(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

fn start(sandbox: &Sandbox) -> Child {
    let mut command = sandbox.command(BINARY);
    command.args(["pack", "src", "--line-numbers", "-o", "out/pack.xml"]);
    command.stderr(Stdio::piped()).spawn().unwrap()
}

#[track_caller]
fn check_interrupted(sandbox: &Sandbox, child: Child) {
    let signal = format!("kill -INT {}", child.id());
    assert_eq!(sandbox.run("sh", &["-c", &signal]).code, 0);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(sandbox.read("out/pack.xml"), "earlier\n");
    assert_eq!(files(&sandbox.path("out")), 1, "something is left");
}

#[test]
fn while_counting() {
    let sandbox = many(400);
    let child = start(&sandbox);
    wait_until("listening", || listens(child.id()));
    check_interrupted(&sandbox, child);
}

#[test]
fn while_writing() {
    let sandbox = many(16);
    let child = start(&sandbox);
    wait_until("writing", || files(&sandbox.path("out")) == 2);
    check_interrupted(&sandbox, child);
}
