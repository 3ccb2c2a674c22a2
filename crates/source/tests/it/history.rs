//! Changes in git repositories, compared with git's own output.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use loom_source::{Change, History, HistoryError, ScanOptions, Source};
use loom_testkit::Sandbox;

fn history(sandbox: &Sandbox) -> History {
    let source = Source::open(&[sandbox.work()]).unwrap();
    let scan = source.scan(&ScanOptions::default());
    source.histories(&scan).unwrap().remove(0)
}

/// Formats changes like git's `--name-status`: `A path`, `M path`, `D path`.
fn lines(changes: &[Change]) -> Vec<String> {
    let line = |change: &Change| {
        let letter = match (&change.old, &change.new) {
            (None, _) => 'A',
            (_, None) => 'D',
            (Some(old), Some(new)) if is_link(old) != is_link(new) => 'T',
            _ => 'M',
        };
        format!("{letter}\t{}", change.path)
    };
    let mut lines: Vec<_> = changes.iter().map(line).collect();
    lines.sort();
    lines
}

fn is_link(version: &loom_source::Version) -> bool {
    version.kind == loom_source::VersionKind::Link
}

fn git(sandbox: &Sandbox, args: &[&str]) -> Vec<String> {
    let said = sandbox.run("git", args).ok();
    let mut lines: Vec<_> = said.lines().map(str::to_owned).collect();
    lines.sort();
    lines
}

#[track_caller]
fn check(sandbox: &Sandbox) {
    let history = history(sandbox);
    let mut comparison = history.comparison().unwrap();
    let diff = ["diff", "--name-status", "--no-renames"];
    assert_eq!(lines(&comparison.unstaged().unwrap()), git(sandbox, &diff));
    let head = history.head().unwrap();
    let staged = comparison.staged(head.map(|head| head.tree)).unwrap();
    let expected = git(sandbox, &[&diff[..], &["--cached"]].concat());
    assert_eq!(lines(&staged), expected);
    let since = comparison.since(head.map(|head| head.tree), []).unwrap();
    if head.is_some() {
        let expected = git(sandbox, &[&diff[..], &["HEAD"]].concat());
        assert_eq!(lines(&since), expected);
    }
}

#[test]
fn changes_equal_those_of_git() {
    let sandbox = Sandbox::new();
    for name in [
        "a",
        "b",
        "dir/c",
        "dir/sub/d",
        "e",
        "f",
        "g",
        "mode",
        "link",
    ] {
        sandbox.write(name, format!("contents of {name}\n"));
    }
    sandbox.commit_all();
    check(&sandbox);
    sandbox
        .write("a", "other\n")
        .write("dir/sub/d", "other\n")
        .write("new", "x\n");
    fs::remove_file(sandbox.path("b")).unwrap();
    fs::set_permissions(sandbox.path("mode"), fs::Permissions::from_mode(0o755)).unwrap();
    fs::remove_file(sandbox.path("link")).unwrap();
    symlink("a", sandbox.path("link")).unwrap();
    check(&sandbox);
    sandbox
        .git(&["add", "a", "new"])
        .git(&["rm", "-q", "--cached", "e"]);
    sandbox
        .write("a", "third\n")
        .write("f", "staged\n")
        .git(&["add", "f"]);
    // Reverted in the working tree: no change against HEAD, but two changes in between.
    sandbox.write("f", "contents of f\n");
    check(&sandbox);
    // A directory replaces a file, and a link is in the path of a file.
    fs::remove_file(sandbox.path("g")).unwrap();
    sandbox.write("g/inside", "x\n");
    fs::rename(sandbox.path("dir"), sandbox.path("moved")).unwrap();
    symlink("moved", sandbox.path("dir")).unwrap();
    sandbox.write("meant", "y\n").git(&["add", "-N", "meant"]);
    check(&sandbox);
}

#[test]
fn before_the_first_commit() {
    let sandbox = Sandbox::new();
    sandbox.git(&["init", "-q"]);
    check(&sandbox);
    sandbox.write("a", "x\n").git(&["add", "a"]);
    check(&sandbox);
    assert!(history(&sandbox).head().unwrap().is_none());
}

/// A file that is written twice within one tick of the clock.
#[test]
fn a_racy_write_is_seen() {
    for _ in 0..20 {
        let sandbox = Sandbox::new();
        sandbox.write("a", "one\n").commit_all().write("a", "two\n");
        check(&sandbox);
    }
}

#[test]
fn touched_files_are_not_changed() {
    let sandbox = Sandbox::new();
    sandbox.write("a", "one\n").commit_all();
    let file = fs::File::options()
        .write(true)
        .open(sandbox.path("a"))
        .unwrap();
    file.set_modified(std::time::SystemTime::UNIX_EPOCH)
        .unwrap();
    let history = history(&sandbox);
    assert_eq!(history.comparison().unwrap().unstaged().unwrap(), []);
}

#[test]
fn line_endings_under_autocrlf_are_no_change() {
    for (setting, attributes) in [
        ("true", ""),
        ("false", "* text=auto\n"),
        ("false", "*.txt text eol=crlf\n"),
    ] {
        let sandbox = Sandbox::new();
        sandbox
            .write("a.txt", "one\ntwo\n")
            .write(".gitattributes", attributes);
        sandbox
            .commit_all()
            .git(&["config", "core.autocrlf", setting]);
        sandbox.write("a.txt", "one\r\ntwo\r\n");
        check(&sandbox);
        let history = history(&sandbox);
        let mut comparison = history.comparison().unwrap();
        assert_eq!(comparison.unstaged().unwrap(), [], "{setting} {attributes}");
        sandbox.write("a.txt", "one\r\nthree\r\n");
        let changes = comparison.unstaged().unwrap();
        assert_eq!(lines(&changes), ["M\ta.txt"]);
        let new = changes[0].new.unwrap();
        let bytes = comparison.contents(&changes[0].path, &new, 100).unwrap();
        assert_eq!(bytes, b"one\nthree\n");
    }
}

/// A filter would run a program.
#[test]
fn filters_are_not_run() {
    let sandbox = Sandbox::new();
    sandbox
        .write("a", "x\n")
        .write(".gitattributes", "a filter=evil\n");
    sandbox.commit_all();
    let mark = sandbox.path("../ran");
    let command = format!("touch {}; cat", mark.display());
    for key in [
        "filter.evil.clean",
        "filter.evil.process",
        "core.fsmonitor",
        "diff.external",
    ] {
        sandbox.git(&["config", key, &command]);
    }
    sandbox.write("a", "y\n");
    let history = history(&sandbox);
    let mut comparison = history.comparison().unwrap();
    let changes = comparison.unstaged().unwrap();
    assert_eq!(lines(&changes), ["M\ta"]);
    let error = comparison.contents(&changes[0].path, &changes[0].new.unwrap(), 100);
    assert!(error.unwrap_err().to_string().contains("filter evil"));
    assert!(!mark.exists());
}

#[test]
fn conflicts_are_reported() {
    let sandbox = Sandbox::new();
    sandbox.write("a", "one\n").commit_all();
    sandbox
        .git(&["switch", "-qc", "side"])
        .write("a", "side\n")
        .git(&["commit", "-qam", "side"]);
    sandbox
        .git(&["switch", "-q", "main"])
        .write("a", "main\n")
        .git(&["commit", "-qam", "main"]);
    assert_ne!(sandbox.run("git", &["merge", "side"]).code, 0);
    let history = history(&sandbox);
    let changes = history.comparison().unwrap().unstaged().unwrap();
    assert!(changes[0].is_unmerged && changes.len() == 1);
}

#[test]
fn merge_base_is_found() {
    let sandbox = Sandbox::new();
    sandbox.write("a", "one\n").commit_all();
    let base = sandbox.run("git", &["rev-parse", "HEAD"]).ok();
    sandbox
        .git(&["switch", "-qc", "side"])
        .write("b", "x\n")
        .git(&["add", "b"])
        .git(&["commit", "-qm", "b"]);
    sandbox
        .git(&["switch", "-q", "main"])
        .write("c", "x\n")
        .git(&["add", "c"])
        .git(&["commit", "-qm", "c"]);
    sandbox.git(&["switch", "-q", "side"]);
    let history = history(&sandbox);
    let left = history.left("main").unwrap();
    assert_eq!(left.id.to_string(), base.trim());
    let mut comparison = history.comparison().unwrap();
    assert_eq!(
        lines(&comparison.since(Some(left.tree), []).unwrap()),
        ["A\tb"]
    );
    sandbox.git(&["switch", "-q", "--orphan", "alone"]).git(&[
        "commit",
        "-qm",
        "x",
        "--allow-empty",
    ]);
    let error = history.left("main").unwrap_err();
    assert!(matches!(error, HistoryError::NothingInCommon { .. }));
}

#[test]
fn a_folder_without_git_has_no_history() {
    let sandbox = Sandbox::new();
    sandbox.write("a", "x");
    let source = Source::open(&[sandbox.work()]).unwrap();
    let error = source
        .histories(&source.scan(&ScanOptions::default()))
        .unwrap_err();
    assert!(matches!(error, HistoryError::NoRepository { .. }));
}

fn commit(sandbox: &Sandbox, message: &str, seconds: usize) {
    let mut command = sandbox.command("git");
    let date = format!("2026-01-02T03:{:02}:{:02}+0530", seconds / 60, seconds % 60);
    command
        .env("GIT_COMMITTER_DATE", date)
        .args(["commit", "-qam", message, "--allow-empty"]);
    assert!(command.status().unwrap().success());
}

/// Branches, merges, and clocks that go backwards or stop.
fn branched() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("a", "0\n").commit_all();
    for (at, seconds) in [5, 5, 3, 9, 1, 9, 9].into_iter().enumerate() {
        sandbox.git(&["switch", "-qc", &format!("b{at}"), "main"]);
        for step in 0..2 {
            sandbox
                .write(format!("f{at}"), format!("{step}\n"))
                .git(&["add", "-A"]);
            commit(
                &sandbox,
                &format!("subject {at}\n\nbody {step}"),
                seconds * 10 + step,
            );
        }
        sandbox
            .git(&["switch", "-q", "main"])
            .write("a", format!("{at}\nx\n"));
        commit(&sandbox, "on main", seconds * 20);
        sandbox.git(&["merge", "-q", "--no-ff", "-m", "merged", &format!("b{at}")]);
    }
    sandbox
}

#[test]
fn the_log_is_in_the_order_of_git() {
    let sandbox = branched();
    let history = history(&sandbox);
    let head = history.head().unwrap().unwrap();
    for count in [0, 1, 7, 1000] {
        let log = history.log(head, count).unwrap();
        let ours: Vec<_> = log
            .iter()
            .map(|entry| format!("{} {} {}", entry.id, entry.author, entry.message.trim_end()))
            .collect();
        let format = "--format=%H %an %B%x00";
        let said = sandbox
            .run("git", &["log", &format!("-{count}"), format])
            .ok();
        let theirs: Vec<_> = said
            .split('\0')
            .map(str::trim)
            .filter(|text| !text.is_empty())
            .collect();
        assert_eq!(ours, theirs);
        let dates: Vec<_> = log
            .iter()
            .map(|entry| entry.date.clone().unwrap())
            .collect();
        let said = sandbox
            .run("git", &["log", &format!("-{count}"), "--format=%cI"])
            .ok();
        assert_eq!(
            dates,
            said.replace('Z', "+00:00").lines().collect::<Vec<_>>()
        );
    }
}

#[test]
fn the_files_of_commits_are_those_of_git() {
    let sandbox = branched();
    let history = history(&sandbox);
    let log = history.log(history.head().unwrap().unwrap(), 1000).unwrap();
    for entry in log {
        let id = entry.id.to_string();
        let args = [
            "show",
            "--format=",
            "--name-status",
            "--no-renames",
            "--diff-merges=off",
            &id,
        ];
        assert_eq!(lines(&entry.files), git(&sandbox, &args), "{id}");
    }
}

#[test]
fn a_shallow_clone_is_cut() {
    let sandbox = branched();
    let url = format!("file://{}", sandbox.work().display());
    sandbox.git_in("..", &["clone", "-q", "--depth", "3", &url, "clone"]);
    let source = Source::open(&[sandbox.path("../clone")]).unwrap();
    let history = source
        .histories(&source.scan(&ScanOptions::default()))
        .unwrap()
        .remove(0);
    let log = history.log(history.head().unwrap().unwrap(), 1000).unwrap();
    let mut command = sandbox.command("git");
    let said = command
        .current_dir(sandbox.path("../clone"))
        .args(["log", "--format=%H"])
        .output();
    let said = String::from_utf8(said.unwrap().stdout).unwrap();
    let ours: Vec<_> = log.iter().map(|entry| entry.id.to_string()).collect();
    assert_eq!(ours, said.lines().collect::<Vec<_>>());
    assert!(log.iter().any(|entry| entry.is_cut));
    assert!(history.left("HEAD").is_ok());
}

#[test]
fn odd_encodings_are_decoded() {
    let sandbox = Sandbox::new();
    sandbox
        .write("a", "x")
        .commit_all()
        .git(&["config", "i18n.commitEncoding", "ISO-8859-1"]);
    let mut bytes: Vec<u8> = b"caf\xe9\n".to_vec();
    let file = sandbox.path("../message");
    fs::write(&file, &mut bytes).unwrap();
    sandbox.git(&[
        "commit",
        "-q",
        "--allow-empty",
        "-F",
        file.to_str().unwrap(),
    ]);
    let history = history(&sandbox);
    let log = history.log(history.head().unwrap().unwrap(), 1).unwrap();
    assert_eq!(log[0].message, "café\n");
}

#[test]
fn several_and_inner_repositories() {
    let sandbox = Sandbox::new();
    sandbox
        .write("one/a", "x\n")
        .write("two/b", "x\n")
        .write("two/inner/c", "x\n");
    for folder in ["two/inner", "one", "two"] {
        sandbox
            .git_in(folder, &["init", "-q", "-b", "main"])
            .git_in(folder, &["add", "-A"]);
        sandbox.git_in(folder, &["commit", "-qm", "x"]);
    }
    let source = Source::open(&[sandbox.path("one"), sandbox.path("two")]).unwrap();
    let scan = source.scan(&ScanOptions::default());
    let histories = source.histories(&scan).unwrap();
    let tops: Vec<_> = histories.iter().map(|one| one.name().to_string()).collect();
    assert_eq!(tops, ["one", "two", "two/inner"]);
    let mut owners = BTreeMap::new();
    for file in &scan.files {
        let owner = histories
            .iter()
            .find_map(|one| Some((one.name(), one.owns(file)?)));
        let (top, path) = owner.unwrap();
        owners.insert(file.path.to_string(), format!("{top}: {path}"));
    }
    let expected = [
        ("one/a", "one: a"),
        ("two/b", "two: b"),
        ("two/inner/c", "two/inner: c"),
    ];
    assert_eq!(
        owners,
        expected
            .map(|(path, owner)| (path.to_owned(), owner.to_owned()))
            .into()
    );
}
