//! `search` as users of `rg` type it.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use loom_testkit::{Run, Sandbox};

use crate::packed::{BINARY, loom};
use crate::places::as_plain_user;

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("src/a.rs", "fn alpha() {}\nfn Alpha() {}\nfn beta() {}\n");
    sandbox.write("src/b.py", "alpha = 1\nbeta = alpha\n");
    sandbox.write("lib/c.tsx", "const alpha = 1\n");
    sandbox.write("notes.txt", "alpha\n-beta\n");
    sandbox
}

fn search(args: &[&str]) -> Run {
    loom(&sandbox(), &[&["search"], args].concat())
}

#[track_caller]
fn check(args: &[&str], expected: &str) {
    let run = search(args);
    assert_eq!(run.text(), expected, "{args:?} {}", run.stderr);
}

#[test]
fn flags_that_mean_the_same() {
    check(
        &["-n", "-H", "beta", "src"],
        "src/a.rs:3:fn beta() {}\nsrc/b.py:2:beta = alpha\n",
    );
    check(
        &["-e", "^fn b", "-e", "^-b"],
        "notes.txt:2:-beta\nsrc/a.rs:3:fn beta() {}\n",
    );
    check(&["-F", "-e", "-beta"], "notes.txt:2:-beta\n");
    check(&["-e", "beta", "src/b.py"], "src/b.py:2:beta = alpha\n");
    check(&["-l", "alpha", "-g", "*.rs"], "src/a.rs\n");
    check(
        &["-l", "alpha", "-g", "*.{rs,py}", "-g", "!b.py"],
        "src/a.rs\n",
    );
    check(&["-l", "alpha", "-g", "a.rs"], "src/a.rs\n");
    check(&["-l", "alpha", "-g", ".rs"], "");
    check(&["-l", "alpha", "-t", "py"], "src/b.py\n");
    check(
        &["-l", "alpha", "-t", "rust", "-t", "ts"],
        "lib/c.tsx\nsrc/a.rs\n",
    );
    check(
        &["alpha", "-m", "1", "src"],
        "src/a.rs:1:fn alpha() {}\nsrc/b.py:1:alpha = 1\n",
    );
    check(
        &["alpha", "-c", "-m", "1", "src"],
        "src/a.rs:1\nsrc/b.py:1\n",
    );
    check(&["alpha", "-m", "0"], "");
    check(&["-i", "-s", "Alpha"], "src/a.rs:2:fn Alpha() {}\n");
    check(&["-s", "-S", "alpha", "src/a.rs", "-c"], "src/a.rs:2\n");
}

/// Globs start at the working directory, and the last one that matches decides.
#[test]
fn globs_as_rg_has_them() {
    let sandbox = sandbox();
    sandbox.write("src/deep/d.rs", "fn alpha() {}\n");
    let told = |folder: &str, globs: &[&str]| {
        let mut command = sandbox.command(BINARY);
        command.current_dir(sandbox.path(folder));
        let flags = globs.iter().flat_map(|glob| ["-g", glob]);
        command.args(["search", "-l", "alpha"]).args(flags);
        Run::from(command.output().unwrap()).text()
    };
    assert_eq!(told("", &["src/*.rs"]), "src/a.rs\n");
    assert_eq!(told("src", &["deep/*.rs"]), "deep/d.rs\n");
    assert_eq!(told("src", &["/*.rs"]), "a.rs\n");
    assert_eq!(told("", &["!*.rs", "a.rs"]), "src/a.rs\n");
    assert_eq!(told("", &["a.rs", "!*.rs"]), "");
    assert_eq!(told("", &["!src"]), "lib/c.tsx\nnotes.txt\n");
    assert_eq!(told("", &["src"]), "");
    let run = search(&["alpha", "-g", "a["]);
    assert_eq!(run.code, 2, "{}", run.stderr);
}

#[test]
fn types_that_are_no_language_of_ours() {
    let sandbox = sandbox();
    for name in ["Dockerfile", "a.adoc", "b.h", "c.thrift", "d.mdx"] {
        sandbox.write(name, "alpha\n");
    }
    let told = |kind: &str| loom(&sandbox, &["search", "-l", "alpha", "-t", kind]).ok();
    assert_eq!(told("docker"), "Dockerfile\n");
    assert_eq!(told("asciidoc"), "a.adoc\n");
    assert_eq!(told("h"), "b.h\n");
    assert_eq!(told("cpp"), "b.h\n");
    assert_eq!(told("thrift"), "c.thrift\n");
    assert_eq!(told("md"), "d.mdx\n");
    assert_eq!(told("typescript"), "lib/c.tsx\n");
}

#[test]
fn a_quiet_search_only_ends_so() {
    for (args, code) in [
        (&["-q", "alpha"][..], 0),
        (&["-q", "nowhere"], 1),
        (&["--quiet", "alpha", "-c", "--format", "json"], 0),
        (&["-q", "--ask", "alpha"], 0),
        (&["-q", "alpha", "--sort", "score"], 0),
        (&["-q", "-e", "("], 2),
    ] {
        let run = search(args);
        assert_eq!(
            (run.code, run.text()),
            (code, String::new()),
            "{args:?} {}",
            run.stderr
        );
    }
}

#[test]
fn what_ignore_files_leave_out() {
    let sandbox = sandbox();
    sandbox.write(".gitignore", "notes.txt\n").commit_all();
    let told = |args: &[&str]| loom(&sandbox, &[&["search", "-l", "alpha"], args].concat()).ok();
    assert!(!told(&[]).contains("notes.txt"));
    assert!(told(&["--no-ignore"]).contains("notes.txt"));
}

/// The word after `--changed` is a revision. If git does not know it, a hint says that it may be
/// the query.
#[test]
fn what_changed() {
    let sandbox = sandbox();
    sandbox.commit_all();
    sandbox.write("src/a.rs", "fn alpha() {}\n");
    sandbox.write("notes.txt", "alpha too\n");
    let told = |args: &[&str]| loom(&sandbox, &[&["search"], args].concat());
    for args in [
        &["alpha", "--changed", "HEAD", "src"][..],
        &["--changed", "HEAD", "alpha", "src"],
        &["alpha", "src", "--changed"],
        &["--changed", "src", "-e", "alpha"],
    ] {
        assert_eq!(told(args).text(), "src/a.rs:1:fn alpha() {}\n", "{args:?}");
    }
    let run = told(&["--changed", "alpha", "src"]);
    assert!(run.stderr.contains("before --changed"), "{}", run.stderr);
}

#[test]
fn what_to_type_instead() {
    for (args, hint) in [
        (&["-v", "alpha"][..], "--not-in"),
        (&["alpha", "--invert-match"], "files without it"),
        (&["-o", "alpha"], "--format json"),
        (&["--hidden", "alpha"], "--no-ignore"),
        (&["-t", "klingon", "alpha"], "a language or a glob"),
    ] {
        let run = search(args);
        assert_eq!(run.code, 2, "{args:?}");
        assert!(run.stderr.contains(hint), "{args:?} {}", run.stderr);
    }
}

#[test]
fn a_question_without_words_says_so() {
    for question in ["???", "the", "()"] {
        let run = search(&["--ask", question]);
        assert_eq!(run.code, 2, "{question}");
        assert!(run.stderr.contains("no searchable words"), "{}", run.stderr);
    }
}

#[test]
fn a_closed_folder_is_named() {
    let sandbox = sandbox();
    sandbox.write("closed/x.py", "def alpha():\n    pass\n");
    let commands: Vec<_> = [
        &["search", "alpha"][..],
        &["search", "--ask", "alpha"],
        &["def", "alpha"],
        &["symbols"],
        &["map"],
        &["index"],
    ]
    .into_iter()
    .map(|args| (as_plain_user(&sandbox), args))
    .collect();
    let closed = fs::Permissions::from_mode(0o000);
    fs::set_permissions(sandbox.path("closed"), closed).unwrap();
    for (mut command, args) in commands {
        let run: Run = command.args(args).output().unwrap().into();
        let warning = "warning: closed is left out: unreadable: permission denied";
        assert_eq!(
            run.stderr.matches(warning).count(),
            1,
            "{args:?}: {}",
            run.stderr
        );
    }
    let open = fs::Permissions::from_mode(0o755);
    fs::set_permissions(sandbox.path("closed"), open).unwrap();
}

#[test]
fn a_class_that_is_asked_for_comes_before_its_methods() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "core.py",
        "class Command:\n    \"\"\"What is run.\"\"\"\n\n    def command(self):\n        return Command.command_of(command)\n\n    def command_of(command):\n        return command\n",
    );
    sandbox.write("other.py", "def run(command):\n    return command\n");
    let told = loom(&sandbox, &["search", "--ask", "Command"]).ok();
    assert!(told.starts_with("core.py:1-8  Command\n"), "{told}");
}

/// Printed paths can be opened from the current directory, for every number of arguments.
#[test]
fn paths_lead_there_from_anywhere() {
    let sandbox = Sandbox::new();
    sandbox.write("g/src/a.rs", "needle\n");
    sandbox.write("g/a/b/x.rs", "needle\n");
    sandbox.write("g/a/c/y.rs", "needle\n");
    let git = sandbox.command("git").args(["init", "-q", "g"]).output();
    assert!(git.unwrap().status.success());
    for (from, paths, expected) in [
        (
            ".",
            &["g/src", "g/a"][..],
            "g/a/b/x.rs g/a/c/y.rs g/src/a.rs",
        ),
        ("g/a/b", &["../c"], "../c/y.rs"),
        ("g/a/b", &[".", "../../src"], "x.rs ../../src/a.rs"),
        ("g/a", &[], "b/x.rs c/y.rs"),
    ] {
        let mut command = sandbox.command(BINARY);
        command.current_dir(sandbox.path(from));
        command.args(["search", "-l", "needle"]).args(paths);
        let told = Run::from(command.output().unwrap()).ok();
        assert_eq!(
            told.lines().collect::<Vec<_>>().join(" "),
            expected,
            "{from} {paths:?}"
        );
    }
}
