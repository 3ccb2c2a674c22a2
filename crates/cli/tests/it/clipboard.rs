//! `pack --copy` with fake clipboard programs, and through a terminal.

#![cfg(target_os = "linux")]

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use loom_testkit::{Run, Sandbox};

use crate::packed::BINARY;

/// Creates a repository, and an `xclip` that saves its input.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("repo/a.rs", "fn a() {}\n");
    program(&sandbox, "bin/xclip", "echo \"$@\" > args; cat > clip");
    sandbox
}

fn program(sandbox: &Sandbox, path: &str, body: &str) {
    sandbox.write(path, format!("#!/bin/sh\n{body}\n"));
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(sandbox.path(path), mode).unwrap();
}

fn pack(sandbox: &Sandbox, args: &[&str]) -> Command {
    let mut command = sandbox.command(BINARY);
    let path = format!("{}:/usr/bin:/bin", sandbox.path("bin").display());
    command
        .args(["pack", "repo", "-f", "compact", "--copy"])
        .args(args)
        .env("DISPLAY", ":0")
        .env("PATH", path);
    command
}

fn run(mut command: Command) -> Run {
    command.output().unwrap().into()
}

#[test]
fn a_program_gets_the_whole_pack() {
    let sandbox = sandbox();
    let run = run(pack(&sandbox, &[]));
    assert_eq!(run.ok(), "");
    assert!(
        run.stderr.contains("copied to the clipboard with xclip"),
        "{}",
        run.stderr
    );
    assert_eq!(sandbox.read("args"), "-selection clipboard\n");
    assert!(sandbox.read("clip").ends_with("@1 a.rs\nfn a() {}\n"));
}

#[test]
fn a_file_or_standard_output_gets_it_too() {
    let sandbox = sandbox();
    run(pack(&sandbox, &["-o", "out"])).ok();
    assert_eq!(sandbox.read("clip"), sandbox.read("out"));
    let text = run(pack(&sandbox, &["-o", "-"])).ok();
    assert_eq!(sandbox.read("clip"), text);
}

#[test]
fn what_fails_is_said() {
    let sandbox = sandbox();
    program(
        &sandbox,
        "bin/xclip",
        "echo \"Can't open display\" >&2; exit 1",
    );
    let run = run(pack(&sandbox, &[]));
    assert_eq!(run.code, 2);
    assert!(
        run.stderr.contains("xclip: Can't open display"),
        "{}",
        run.stderr
    );
}

#[test]
fn without_a_program_it_says_what_to_install() {
    let sandbox = sandbox();
    let mut command = pack(&sandbox, &[]);
    command.env("PATH", sandbox.path("nothing"));
    let run = run(command);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("xclip or xsel"), "{}", run.stderr);
}

#[test]
fn a_program_of_the_repository_is_never_run() {
    let sandbox = sandbox();
    program(&sandbox, "repo/xclip", "cat > ../stolen");
    for path in [".".to_owned(), sandbox.path("repo").display().to_string()] {
        let mut command = sandbox.command(BINARY);
        command
            .args(["pack", ".", "--copy"])
            .current_dir(sandbox.path("repo"))
            .env("DISPLAY", ":0")
            .env("PATH", path);
        assert_eq!(run(command).code, 2);
        assert!(!sandbox.path("stolen").exists());
    }
}

#[test]
fn over_ssh_the_terminal_gets_it() {
    let script = Path::new("/usr/bin/script");
    assert!(script.exists(), "this test needs `script` of util-linux");
    let sandbox = sandbox();
    let line = format!("{BINARY} pack repo -f compact --copy -q");
    let mut terminal = sandbox.command(script);
    terminal
        .args(["-qec", &line, "typescript"])
        .env("SSH_TTY", "/dev/pts/0")
        .env("SHELL", "/bin/sh");
    run(terminal).ok();
    let typed = sandbox.read("typescript");
    let start = typed.find("\u{1b}]52;c;").unwrap() + "\u{1b}]52;c;".len();
    let sent = &typed[start..start + typed[start..].find('\u{7}').unwrap()];
    let text = run(pack(&sandbox, &["-o", "-"])).ok();
    assert_eq!(sent, encoded(&sandbox, &text));
    assert!(!sent.is_empty());
}

/// Encodes `text` in base64 with another program.
fn encoded(sandbox: &Sandbox, text: &str) -> String {
    sandbox.write("plain", text);
    let encoded = sandbox.run("base64", &["-w0", "plain"]).ok();
    encoded.trim_end().to_owned()
}
