//! Sections of a pack: in every locale, of several roots, in templates, of a commit.

use std::fs;

use loom_testkit::Sandbox;
use serde_json::Value;

use crate::packed::loom;

/// Returns the text of the one section of a pack.
#[track_caller]
fn section(sandbox: &Sandbox, args: &[&str]) -> String {
    let args = [&["pack", "-q", "-f", "json"], args].concat();
    let pack: Value = serde_json::from_str(&loom(sandbox, &args).ok()).unwrap();
    let sections = pack["sections"].as_array().unwrap();
    assert_eq!(sections.len(), 1);
    sections[0]["text"].as_str().unwrap().to_owned()
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
fn section_of_a_root_without_a_repository_is_an_error() {
    let sandbox = Sandbox::new();
    sandbox.write("one/a", "1\n");
    sandbox
        .git_in("one", &["init", "-q"])
        .git_in("one", &["add", "-A"]);
    sandbox.git_in("one", &["commit", "-qm", "one"]);
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

/// Only the user decides which other data of a repository is shown.
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

/// A commit replaces the working tree.
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
