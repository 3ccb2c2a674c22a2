//! Limits of a repository's own settings.

use std::fs;
use std::os::unix::fs::symlink;

use loom_testkit::Sandbox;

use crate::packed::{BINARY, formats, loom};

/// The output of another program, with a field of the same name as ours.
const PLAN: &str = "{\n  \"format_version\": \"1.2\",\n  \"planned_values\": {}\n}\n";

fn packed_with(settings: &str) -> (Sandbox, String) {
    let sandbox = Sandbox::new();
    sandbox
        .write("a.txt", "mine\n")
        .write("infiniloom.toml", settings)
        .commit_all();
    symlink("/tmp", sandbox.path("out")).unwrap();
    symlink("../elsewhere.xml", sandbox.path("link.xml")).unwrap();
    symlink(".git/info", sandbox.path("info")).unwrap();
    sandbox.write("plan.json", PLAN);
    let run = loom(&sandbox, &["pack"]);
    let outcome = format!(
        "{} {}",
        run.code,
        run.stderr.lines().next().unwrap_or_default()
    );
    (sandbox, outcome)
}

#[test]
fn a_repository_may_not() {
    for (settings, refused) in [
        (
            "[ui]\nquiet = true",
            "infiniloom.toml:2:1: `ui.quiet` may not be set by a repository's file",
        ),
        (
            "[ui]\ncolor = 'never'",
            "infiniloom.toml:2:1: `ui.color` may not be set",
        ),
        (
            "[pack]\noutput = '/tmp/x'",
            "infiniloom.toml:2:10: `pack.output`: expected a path inside",
        ),
        (
            "[pack]\noutput = '../x'",
            "expected a path inside the repository, found \"../x\"",
        ),
        (
            "[pack]\nreport = '.git/hooks/x'",
            "expected a path inside the repository",
        ),
        (
            "[pack]\noutput = 'out/x'",
            "the repository's settings would write through the link ",
        ),
        (
            "[pack]\noutput = 'link.xml'",
            "the repository's settings would write through the link ",
        ),
        (
            "[pack]\noutput = 'info/attributes'",
            "the repository's settings would write through the link ",
        ),
        (
            "[pack]\nreport = 'plan.json'",
            "plan.json, which is not an earlier output",
        ),
        (
            "[pack]\noutput = 'a.txt'",
            "a.txt, which is not an earlier output",
        ),
        (
            "[pack]\nreport = 'infiniloom.toml'",
            "infiniloom.toml, which is not an earlier output",
        ),
        ("[scan]\nmax_file_size = '10gb'", "`scan.max_file_size`"),
    ] {
        let (sandbox, outcome) = packed_with(settings);
        assert!(outcome.starts_with("2 error: "), "{settings}: {outcome}");
        assert!(outcome.contains(refused), "{settings}: {outcome}");
        assert_eq!(sandbox.read("a.txt"), "mine\n");
        assert!(!sandbox.path("../elsewhere.xml").exists());
        assert!(!sandbox.path(".git/info/attributes").exists());
        assert_eq!(sandbox.read("plan.json"), PLAN);
        loom(&sandbox, &["pack", "--no-config"]).ok();
    }
}

#[test]
fn a_repository_may() {
    for format in formats() {
        let settings =
            format!("[pack]\nformat = '{format}'\noutput = 'pack.out'\nreport = 'report.json'");
        let (sandbox, outcome) = packed_with(&settings);
        assert!(outcome.starts_with('0'), "{outcome}");
        let first = sandbox.read("pack.out");
        // A repository may overwrite its own outputs, from any working directory.
        fs::create_dir(sandbox.path("sub")).unwrap();
        let mut command = sandbox.command(crate::packed::BINARY);
        let run = command
            .args(["pack", ".."])
            .current_dir(sandbox.path("sub"))
            .output()
            .unwrap();
        assert!(
            run.status.success(),
            "{}",
            String::from_utf8_lossy(&run.stderr)
        );
        assert_eq!(sandbox.read("pack.out"), first);
        assert!(!sandbox.path("sub/pack.out").exists());
    }
}

#[test]
fn a_settings_file_that_is_a_link_is_not_read() {
    let sandbox = Sandbox::new();
    sandbox.write("../theirs.toml", "[pack]\ntop = 3\n");
    symlink("../theirs.toml", sandbox.path("infiniloom.toml")).unwrap();
    assert_eq!(loom(&sandbox, &["config", "get", "pack.top"]).ok(), "10\n");
}

/// Reading any of these pipes would block forever.
#[test]
fn pipes_among_the_files_of_git_hang_nothing() {
    for place in [
        "packed-refs",
        "objects/info/alternates",
        "sharedindex.x",
        "refs/heads/y",
    ] {
        let sandbox = Sandbox::new();
        sandbox.write("a.txt", "packed\n").commit_all();
        let pipe = sandbox.path(".git").join(place);
        sandbox.run("mkfifo", &[&pipe]).ok();
        let mut command = sandbox.command("timeout");
        command.args(["60", BINARY, "pack", "-f", "plain"]);
        let run = loom_testkit::Run::from(command.output().unwrap());
        assert!(run.ok().contains("packed\n"), "{place}");
    }
}
