//! Sections of a pack: the log, titles, commits, secrets and missing git data.

use loom_host::{HistoryOptions, PackError, PackOptions, PackRun, SectionKind, Source};
use loom_testkit::Sandbox;

use crate::fixture::{packer, password, survey, write};

fn options(history: HistoryOptions) -> PackOptions {
    PackOptions {
        history,
        ..PackOptions::default()
    }
}

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

fn log(count: usize) -> HistoryOptions {
    HistoryOptions {
        log: count,
        ..HistoryOptions::default()
    }
}

/// Returns the text of the only section.
#[track_caller]
fn section(sandbox: &Sandbox, options: PackOptions) -> String {
    let survey = survey(&packer(sandbox, options));
    let [section] = &survey.overview.sections[..] else {
        panic!("{:?}", survey.overview.sections);
    };
    section.text().to_owned()
}

#[test]
fn log_has_messages_and_line_counts_but_no_addresses() {
    let sandbox = Sandbox::new();
    sandbox
        .write("a", "one\ntwo\n")
        .write("bin", "\u{0}")
        .commit_all();
    sandbox
        .write("a", "one\n2\n3\n")
        .git(&["commit", "-qam", "Change a\n\nBecause it\nmust be."]);
    let ids = sandbox.run("git", &["log", "--format=%H"]).ok();
    let ids: Vec<_> = ids.lines().collect();
    let expected = format!(
        "commit {}\nAuthor: Test\nDate: 2026-01-02T03:04:05+00:00\n\n    Change a\n\n    Because it\n    must be.\n\n2\t1\ta\n\n\
         commit {}\nAuthor: Test\nDate: 2026-01-02T03:04:05+00:00\n\n    all\n\n2\t0\ta\n-\t-\tbin\n",
        ids[0], ids[1]
    );
    let text = section(&sandbox, options(log(5)));
    assert_eq!(text, expected);
    assert!(!text.contains("example.com"));
    assert_eq!(
        section(&sandbox, options(log(1)))
            .matches("commit ")
            .count(),
        1
    );
}

#[test]
fn log_names_the_parents_of_a_merge_and_a_hundred_files() {
    let sandbox = Sandbox::new();
    for at in 0..103 {
        sandbox.write(format!("f{at:03}"), "x\n");
    }
    sandbox.commit_all();
    let first = section(&sandbox, options(log(1)));
    assert!(
        first.contains("1\t0\tf099\n(and 3 more files)\n"),
        "{first}"
    );
    sandbox
        .git(&["switch", "-qc", "side"])
        .git(&["commit", "-q", "--allow-empty", "-m", "side"]);
    sandbox
        .git(&["switch", "-q", "main"])
        .git(&["commit", "-q", "--allow-empty", "-m", "own"]);
    sandbox.git(&["merge", "-q", "--no-ff", "-m", "join", "side"]);
    let parents = sandbox.run("git", &["log", "-1", "--format=%P"]).ok();
    let text = section(&sandbox, options(log(1)));
    assert!(
        text.contains(&format!("Merge: {}\n", parents.trim())),
        "{text}"
    );
}

#[test]
fn repository_without_commits_has_an_empty_log() {
    let sandbox = Sandbox::new();
    sandbox.write("a", "1\n").git(&["init", "-q"]);
    assert_eq!(section(&sandbox, options(log(3))), "(no commits yet)\n");
}

#[test]
fn sections_have_kinds_titles_and_repositories() {
    let sandbox = Sandbox::new();
    sandbox.write("one/a", "1\n").write("two/b", "1\n");
    for folder in ["one", "two"] {
        sandbox
            .git_in(folder, &["init", "-q"])
            .git_in(folder, &["add", "-A"]);
        sandbox.git_in(folder, &["commit", "-qm", folder]);
    }
    sandbox.write("one/a", "2\n");
    let history = HistoryOptions {
        log: 1,
        diff: true,
        ..HistoryOptions::default()
    };
    let folders = [sandbox.path("one"), sandbox.path("two")];
    let packer = loom_host::Packer::open(&folders, options(history)).unwrap();
    let survey = survey(&packer);
    let told: Vec<_> = survey
        .overview
        .sections
        .iter()
        .map(|one| {
            (
                one.repository().unwrap_or_default(),
                one.kind(),
                one.title(),
            )
        })
        .collect();
    let titles = [
        "the last 1 commits at most, newest first",
        "the working tree against the index",
    ];
    assert_eq!(
        told,
        [
            ("one", SectionKind::Log, titles[0]),
            ("one", SectionKind::Diff, titles[1]),
            ("two", SectionKind::Log, titles[0]),
            ("two", SectionKind::Diff, titles[1]),
        ]
    );
}

#[test]
fn title_names_the_commit_that_is_compared_with() {
    let sandbox = Sandbox::new();
    sandbox.write("a", "1\n").commit_all();
    let main = sandbox.run("git", &["rev-parse", "HEAD"]).ok();
    let main = main[..12].to_owned();
    let title = |sandbox: &Sandbox, revision: &str| {
        let survey = survey(&packer(sandbox, options(since(revision))));
        survey.overview.sections[0].title().to_owned()
    };
    assert_eq!(
        title(&sandbox, "main"),
        format!("the working tree against {main}")
    );
    sandbox.git(&["switch", "-qc", "topic"]).write("a", "2\n");
    sandbox
        .git(&["commit", "-qam", "two"])
        .git(&["switch", "-q", "main"]);
    sandbox
        .write("b", "1\n")
        .git(&["add", "-A"])
        .git(&["commit", "-qm", "three"]);
    sandbox.git(&["switch", "-q", "topic"]);
    assert_eq!(
        title(&sandbox, "main"),
        format!("the working tree against {main}, where it left main")
    );
}

#[test]
fn commit_has_a_log_and_changes_but_no_working_tree() {
    let sandbox = Sandbox::new();
    sandbox.write("a", "1\n").write("b", "1\n").commit_all();
    sandbox.git(&["switch", "-qc", "topic"]).write("a", "2\n");
    sandbox.git(&["commit", "-qam", "two"]).write("a", "3\n");
    sandbox
        .git(&["commit", "-qam", "three"])
        .write("a", "dirty\n");
    let of_commit = |history: HistoryOptions| {
        let source = Source::open_revision(&[sandbox.work()], "HEAD~1").unwrap();
        let packer = loom_host::Packer::new(source, options(history));
        PackRun::new(&packer, &loom_host::NoProgress, &loom_host::Cancel::new()).survey()
    };
    let text = |history: HistoryOptions| {
        let survey = of_commit(history).unwrap();
        survey.overview.sections[0].text().to_owned()
    };
    let told = text(log(5));
    assert!(
        told.contains("    two\n") && !told.contains("three"),
        "{told}"
    );
    let patch = text(since("main"));
    assert!(patch.ends_with("@@ -1 +1 @@\n-1\n+2\n"), "{patch}");
    for history in [diff(), staged()] {
        let Err(PackError::History { source, .. }) = of_commit(history) else {
            panic!("a commit has no working tree");
        };
        assert!(
            source.to_string().contains("a commit has no working tree"),
            "{source}"
        );
    }
}

#[test]
fn git_data_without_a_repository_is_an_error_with_its_flag() {
    let sandbox = Sandbox::new();
    sandbox.write("a", "x");
    for (history, flag) in [
        (diff(), "--diff"),
        (staged(), "--staged"),
        (since("main"), "--since main"),
        (log(3), "--log"),
        (
            HistoryOptions {
                changed: Some("HEAD".to_owned()),
                ..HistoryOptions::default()
            },
            "--changed HEAD",
        ),
        (
            HistoryOptions {
                highlight: true,
                ..HistoryOptions::default()
            },
            "--highlight-changes",
        ),
    ] {
        let packer = packer(&sandbox, options(history));
        let result =
            PackRun::new(&packer, &loom_host::NoProgress, &loom_host::Cancel::new()).survey();
        let Err(PackError::History {
            flag: found,
            source,
        }) = result
        else {
            panic!("{flag} needs a repository");
        };
        assert_eq!(found, flag);
        assert!(
            source.to_string().contains("is not a git repository"),
            "{source}"
        );
    }
}

/// A secret of a patch or a message is redacted in all files, and the other way round.
#[test]
fn secrets_of_sections_are_redacted_everywhere() {
    let sandbox = Sandbox::new();
    let password = password();
    sandbox
        .write("a.yaml", format!("password: {password}\n"))
        .commit_all();
    sandbox
        .write("a.yaml", "password: none\n")
        .write("b.txt", format!("we saw {password}\n"));
    let message = format!("remove {password}");
    sandbox.git(&["commit", "-q", "--allow-empty", "-m", &message]);
    let history = HistoryOptions {
        log: 2,
        diff: true,
        ..HistoryOptions::default()
    };
    let packer = packer(&sandbox, options(history));
    let survey = survey(&packer);
    let (text, _) = write(&packer, &survey);
    assert!(!text.contains(&password), "{text}");
    let sections = &survey.overview.sections;
    assert!(
        sections[0]
            .text()
            .contains("    remove [REDACTED:password:1]\n")
    );
    assert!(
        sections[1]
            .text()
            .contains("-password: [REDACTED:password:1]\n")
    );
    assert!(text.contains("we saw [REDACTED:password:1]\n"));
}
