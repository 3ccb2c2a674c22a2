//! The output of a pack, and the messages about it.

use std::fs;
use std::io::Read;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::thread;

use loom_testkit::Sandbox;

use crate::packed::{formats, json_file, loom, pack};
use crate::readers;

fn small() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox
        .write("a.txt", "some words here\n")
        .write("b/c.rs", "fn c() {}\n");
    sandbox.write("x.log", "x").write(".gitignore", "*.log\n");
    sandbox.git(&["init", "-q"]);
    sandbox
}

fn names(sandbox: &Sandbox) -> Vec<String> {
    let entries = fs::read_dir(sandbox.work()).unwrap();
    let name = |entry: fs::DirEntry| entry.file_name().into_string().unwrap();
    let mut names: Vec<_> = entries.map(|entry| name(entry.unwrap())).collect();
    names.retain(|name| name != ".git");
    names.sort();
    names
}

#[test]
fn a_file_is_replaced_whole() {
    let sandbox = small();
    sandbox.write("out.xml", "old, and much longer than nothing");
    fs::set_permissions(sandbox.path("out.xml"), fs::Permissions::from_mode(0o640)).unwrap();
    let run = loom(&sandbox, &["pack", "-o", "out.xml"]);
    assert_eq!(run.ok(), "");
    assert!(run.stderr.contains("wrote out.xml: "), "{}", run.stderr);
    let expected = loom(&sandbox, &["pack", "--exclude", "out.xml"]).ok();
    let paths = |pack: &str| {
        readers::read("xml", pack)
            .into_iter()
            .map(|file| file.0)
            .collect::<Vec<_>>()
    };
    assert_eq!(paths(&sandbox.read("out.xml")), paths(&expected));
    let mode = fs::metadata(sandbox.path("out.xml"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o640);
    assert_eq!(
        names(&sandbox),
        [".gitignore", "a.txt", "b", "out.xml", "x.log"]
    );
}

#[test]
fn a_link_is_kept_and_its_target_replaced() {
    let sandbox = small();
    sandbox.write("../elsewhere/out.xml", "old");
    symlink("../elsewhere/out.xml", sandbox.path("out.xml")).unwrap();
    loom(&sandbox, &["pack", "-o", "out.xml"]).ok();
    assert!(sandbox.path("out.xml").is_symlink());
    assert!(sandbox.read("../elsewhere/out.xml").starts_with("<?xml"));
}

/// A pipe is written to, not replaced. So is `/dev/null`.
#[test]
fn what_is_no_file_is_written_to() {
    let sandbox = small();
    let pipe = sandbox.path("../pipe");
    sandbox.run("mkfifo", &[&pipe]).ok();
    let reader = thread::spawn({
        let pipe = pipe.clone();
        move || fs::read_to_string(pipe).unwrap()
    });
    loom(&sandbox, &["pack", "-o", "../pipe"]).ok();
    let kind = fs::symlink_metadata(&pipe).unwrap().file_type();
    assert!(!kind.is_file(), "the pipe was replaced");
    assert!(reader.join().unwrap().ends_with("</repository>\n"));
}

#[test]
fn outputs_that_cannot_be_written() {
    let sandbox = small();
    for (path, message) in [
        ("b", "error: cannot write b: it is a folder\n"),
        ("no/out.xml", "error: cannot write no/out.xml: "),
        ("a.txt/out.xml", "error: cannot write a.txt/out.xml: "),
    ] {
        let run = loom(&sandbox, &["pack", "-o", path]);
        assert_eq!(run.code, 2);
        assert!(run.stderr.starts_with(message), "{}", run.stderr);
    }
    assert_eq!(names(&sandbox), [".gitignore", "a.txt", "b", "x.log"]);
}

#[test]
fn one_file_is_not_two_outputs() {
    let sandbox = small();
    for (output, report) in [("out.xml", "out.xml"), ("out.xml", "b/../out.xml")] {
        let run = loom(&sandbox, &["pack", "-o", output, "--report", report]);
        let message = "error: the pack and the report would both be written to out.xml\n\
                       hint: name another file with -o or --report\n";
        assert_eq!((run.code, run.stderr.as_str()), (2, message));
        assert!(!sandbox.path("out.xml").exists());
    }
    let both = ["pack", "-q", "-o", "/dev/null", "--report", "/dev/null"];
    loom(&sandbox, &both).ok();
}

/// Runs the command in a terminal and returns the terminal's contents.
fn in_a_terminal(sandbox: &Sandbox, line: &str) -> String {
    let script = std::path::Path::new("/usr/bin/script");
    assert!(script.exists(), "this test needs `script` of util-linux");
    let line = format!("{} {line}", crate::packed::BINARY);
    let mut terminal = sandbox.command(script);
    terminal.args(["-qc", &line, "../typescript"]);
    assert!(terminal.output().unwrap().status.success());
    sandbox.read("../typescript")
}

#[test]
fn colours_follow_the_stream_and_the_flag() {
    let sandbox = small();
    let bold = "\u{1b}[1mwork";
    assert!(in_a_terminal(&sandbox, "pack --dry-run").contains(bold));
    in_a_terminal(&sandbox, "pack --dry-run > ../dry.txt");
    assert!(sandbox.read("../dry.txt").starts_with("work: "));
    assert!(in_a_terminal(&sandbox, "pack --dry-run 2> ../said.txt").contains(bold));
    let wrong = "pack -o b --color";
    let red = "\u{1b}[31;1merror";
    assert!(in_a_terminal(&sandbox, &format!("{wrong} auto")).contains(red));
    assert!(!in_a_terminal(&sandbox, &format!("{wrong} never")).contains(red));
    let run = loom(&sandbox, &["pack", "-o", "b", "--color", "always"]);
    assert!(run.stderr.contains(red), "{}", run.stderr);
}

#[test]
fn outputs_are_never_packed() {
    let sandbox = small();
    let mut earlier = String::new();
    for format in formats() {
        let output = format!("out.{format}");
        let args = [
            "pack",
            "-f",
            format,
            "-o",
            &output,
            "--report",
            "report.json",
        ];
        loom(&sandbox, &args).ok();
        let first = sandbox.read(&output);
        loom(&sandbox, &args).ok();
        assert_eq!(sandbox.read(&output), first, "{format}");
        let report = json_file(&sandbox.path("report.json"));
        let files = report["files"].as_array().unwrap().iter();
        let paths: Vec<_> = files.map(|file| file["path"].as_str().unwrap()).collect();
        assert_eq!(paths, [".gitignore", "a.txt", "b/c.rs"], "{format}");
        earlier.push_str(&format!("{output}: earlier-pack\n"));
    }
    pack(&sandbox, &[]).check(&(earlier + "report.json: earlier-pack"));
    fs::rename(sandbox.path("out.xml"), sandbox.path("b/renamed.txt")).unwrap();
    pack(&sandbox, &["-o", "-"]).check("b/renamed.txt: earlier-pack");
}

/// An earlier pack that the user names is packed like any other file.
#[test]
fn an_earlier_pack_that_is_named_is_packed() {
    let sandbox = small();
    loom(&sandbox, &["pack", "-o", "old.xml"]).ok();
    pack(&sandbox, &[]).check("old.xml: earlier-pack");
    pack(&sandbox, &["old.xml"]).check("old.xml: packed");
    pack(&sandbox, &["--include", "old.xml"]).check("old.xml: packed");
}

#[test]
fn a_dry_run_writes_nothing() {
    let sandbox = small();
    let args = [
        "pack",
        "--dry-run",
        "-o",
        "out.xml",
        "--report",
        "report.json",
    ];
    let run = loom(&sandbox, &args);
    insta::assert_snapshot!(run.ok(), @"
    work: 3 files, 3 lines, 11 tokens (o200k_base)
    languages: Rust 36%, Text 36%, Ignore list 27%
    largest files, in tokens:
               4  a.txt
               4  b/c.rs
               3  .gitignore
    left out: 1 gitignore
      x.log: .gitignore:1: *.log
    the pack would have 1.2 kB, 365 tokens
    ");
    assert_eq!(run.stderr, "");
    assert_eq!(names(&sandbox), [".gitignore", "a.txt", "b", "x.log"]);
}

#[test]
fn what_is_said() {
    let sandbox = small();
    let said = |args: &[&str]| {
        let run = loom(&sandbox, &[&["pack", "-o", "../out.xml"], args].concat());
        run.ok();
        let timed = run.stderr.lines().filter(|line| !line.starts_with("wrote"));
        timed.map(|line| format!("{line}\n")).collect::<String>()
    };
    insta::assert_snapshot!(said(&[]), @"
    work: 3 files, 3 lines, 11 tokens (o200k_base)
    languages: Rust 36%, Text 36%, Ignore list 27%
    largest files, in tokens:
               4  a.txt
               4  b/c.rs
               3  .gitignore
    left out: 1 gitignore (-v names them)
    ");
    insta::assert_snapshot!(said(&["-v", "--top", "0"]), @"
    work: 3 files, 3 lines, 11 tokens (o200k_base)
    languages: Rust 36%, Text 36%, Ignore list 27%
    left out: 1 gitignore
      x.log: .gitignore:1: *.log
    ");
    insta::assert_snapshot!(said(&["--tree"]), @"
    work: 3 files, 3 lines, 11 tokens (o200k_base)
    languages: Rust 36%, Text 36%, Ignore list 27%
             3  .gitignore
             4  a.txt
             4  b/
             4    c.rs
    left out: 1 gitignore (-v names them)
    ");
    assert_eq!(said(&["-q"]), "");
    assert!(said(&["--color", "always"]).contains("\u{1b}[1mwork\u{1b}[0m"));
}

#[test]
fn more_than_the_window_is_warned_about() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "a b c d e f g h\n".repeat(1200));
    let run = loom(&sandbox, &["pack", "-m", "gpt-4"]);
    assert!(
        run.stderr.contains("more than the window of gpt-4 (8,192)"),
        "{}",
        run.stderr
    );
}

#[test]
fn closed_pipes_are_quiet() {
    let sandbox = small();
    sandbox.write("big.txt", "many words in a line\n".repeat(20_000));
    for args in [
        &["pack"][..],
        &["pack", "-f", "json"],
        &["completions", "bash"],
        &["--help"],
    ] {
        let mut command = sandbox.command(crate::packed::BINARY);
        command.args(args).stdout(std::process::Stdio::piped());
        let mut child = command
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut head = [0; 10];
        child.stdout.take().unwrap().read_exact(&mut head).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(!stderr.contains("error"), "{args:?}: {stderr}");
    }
}
