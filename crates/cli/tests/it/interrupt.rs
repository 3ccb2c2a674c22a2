//! Ctrl-C leaves no partial file.

use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};

use loom_testkit::{Sandbox, until};

use crate::packed::BINARY;

/// Creates a tree that takes long to pack and little space: hard links to one file.
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

/// Returns whether the process handles Ctrl-C, the second bit of its caught signals.
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

/// Interrupts a run when `is_there` returns true. If the run ended before the signal, tries again
/// with more files.
fn check_interrupted(is_there: impl Fn(&Sandbox, u32) -> bool) {
    for copies in [16, 64, 256, 1024] {
        let sandbox = many(copies);
        let mut child = start(&sandbox);
        until(|| is_there(&sandbox, child.id()) || child.try_wait().unwrap().is_some());
        let signal = format!("kill -INT {}", child.id());
        sandbox.run("sh", &["-c", &signal]);
        let output = child.wait_with_output().unwrap();
        if output.status.success() {
            assert!(copies < 1024, "1 GB was packed before the signal arrived");
            continue;
        }
        assert_eq!(output.status.code(), Some(130));
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        assert_eq!(sandbox.read("out/pack.xml"), "earlier\n");
        assert_eq!(files(&sandbox.path("out")), 1, "something is left");
        return;
    }
}

#[test]
fn while_counting() {
    check_interrupted(|_, id| listens(id));
}

#[test]
fn while_writing() {
    check_interrupted(|sandbox, _| files(&sandbox.path("out")) == 2);
}
