//! `--stdin`: reads only the paths that another program lists.

use std::io::Write;
use std::process::Stdio;

use loom_testkit::{Run, Sandbox};

use crate::packed::{BINARY, loom};

fn repository() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox
        .write("a.txt", "a\n")
        .write("b c.txt", "b\n")
        .write("src/one.rs", "1\n")
        .write("src/two.rs", "2\n")
        .write("gone.txt", "g\n")
        .write("new\nline.txt", "n\n")
        .write(".gitignore", "*.log\n");
    sandbox.commit_all().write("x.log", "ignored\n");
    std::fs::remove_file(sandbox.path("gone.txt")).unwrap();
    sandbox
}

fn run_in(sandbox: &Sandbox, folder: &str, list: &[u8], args: &[&str]) -> Run {
    let mut command = sandbox.command(BINARY);
    command.current_dir(sandbox.path(folder));
    command
        .args(["pack", "--stdin", "--format", "plain"])
        .args(args);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(list).unwrap();
    child.wait_with_output().unwrap().into()
}

/// Returns the paths that are packed for a list.
#[track_caller]
fn packed(sandbox: &Sandbox, folder: &str, list: &str, args: &[&str]) -> String {
    let text = run_in(sandbox, folder, list.as_bytes(), args).ok();
    let paths = text
        .lines()
        .filter_map(|line| line.strip_prefix("================ "));
    paths.collect::<Vec<_>>().join(" | ")
}

#[test]
fn every_form_of_a_list() {
    let sandbox = repository();
    for (list, expected) in [
        ("a.txt\nb c.txt\n", "a.txt | b c.txt"),
        ("b c.txt\r\na.txt\r\na.txt", "a.txt | b c.txt"),
        ("a.txt\0new\nline.txt\0", "a.txt | \"new\\nline.txt\""),
        ("./src/../src\nsrc/one.rs\n", "src/one.rs | src/two.rs"),
        ("x.log\n", "x.log"),
    ] {
        assert_eq!(packed(&sandbox, "", list, &[]), expected, "{list:?}");
    }
    assert_eq!(
        packed(&sandbox, "", "new\nline.txt", &["-0"]),
        "\"new\\nline.txt\""
    );
    assert_eq!(
        packed(&sandbox, "src", "one.rs\n../a.txt\n", &[]),
        "a.txt | src/one.rs"
    );
    assert_eq!(
        packed(&sandbox, "", "gone.txt\na.txt\n", &["--rev", "HEAD"]),
        "a.txt | gone.txt"
    );
    assert_eq!(
        packed(&sandbox, "", "a.txt\nsrc\n", &["--exclude", "one.rs"]),
        "a.txt | src/two.rs"
    );
}

#[test]
fn what_cannot_be_packed_is_said() {
    let sandbox = repository();
    sandbox.write("../secret", "secret\n");
    #[cfg(unix)]
    std::os::unix::fs::symlink("../secret", sandbox.path("link")).unwrap();
    let list = b"a.txt\ngone.txt\nnever.txt\nlink\nlink/x\n../secret\n/etc/passwd\n";
    let run = run_in(&sandbox, "", list, &["-v"]);
    assert!(!run.ok().contains("secret\n"), "{}", run.text());
    for expected in [
        "  gone.txt: tracked by git, deleted from the working tree\n",
        "  never.txt: not there\n",
        "  link: symbolic link to ../secret, not followed\n",
        "warning: outside the repository, not packed: ../secret, /etc/passwd\n",
        "warning: never.txt is not in the pack: not there\n",
    ] {
        assert!(run.stderr.contains(expected), "{expected}{}", run.stderr);
    }
}

#[test]
fn an_empty_list_is_an_error() {
    let sandbox = repository();
    for list in ["", "\n\n", "\0"] {
        let run = run_in(&sandbox, "", list.as_bytes(), &[]);
        assert_eq!(run.code, 2, "{list:?}");
        assert!(
            run.stderr
                .starts_with("error: no paths on standard input\nhint: ")
        );
    }
    assert_eq!(loom(&sandbox, &["pack", "--stdin", "a.txt"]).code, 2);
    assert_eq!(loom(&sandbox, &["pack", "-0"]).code, 2);
}

#[test]
fn the_output_of_git_diff() {
    let sandbox = repository();
    sandbox
        .write("src/one.rs", "changed\n")
        .write("b c.txt", "changed\n");
    let pipe = format!("git diff --name-only -z | {BINARY} pack --stdin -f plain -q");
    let text = sandbox.run("sh", &["-c", &pipe]).ok();
    let paths: Vec<_> = text
        .lines()
        .filter(|line| line.starts_with("================ "))
        .collect();
    assert_eq!(paths.len(), 2, "{text}");
}

#[test]
fn what_git_keeps_for_itself_is_not_packed() {
    let sandbox = repository();
    let list = b"a.txt\n.git/config\n.git\nsrc/.git/x\n";
    let run = run_in(&sandbox, "", list, &[]);
    assert!(
        run.stderr.contains("git's own, not packed"),
        "{}",
        run.stderr
    );
    assert!(!run.ok().contains("[core]"));
    assert_eq!(packed(&sandbox, "", "a.txt\n.git/config\n", &[]), "a.txt");
}

#[test]
fn a_list_of_which_nothing_is_there_is_an_error() {
    let sandbox = repository();
    let run = run_in(
        &sandbox,
        "src",
        b"src/one.rs\nsrc/two.rs\n",
        &["-o", "../out"],
    );
    assert_eq!(run.code, 2);
    assert!(
        run.stderr.contains("none of the 2 listed paths"),
        "{}",
        run.stderr
    );
    assert!(!sandbox.path("out").exists());
}
