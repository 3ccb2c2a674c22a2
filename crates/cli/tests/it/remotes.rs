//! Remotes over every transport that a machine without a network has: files, HTTP
//! and ssh. Nothing stays behind, nothing that a repository names is run.

use std::fs;
use std::process::Stdio;

use loom_testkit::{HttpServer, Run, Sandbox, SshServer, USER_AND_PASSWORD, until};

use crate::packed::{BINARY, loom, pack};

/// A repository in `srv/group/sub/repo`, with a branch that has a slash in its name.
fn served() -> Sandbox {
    let sandbox = Sandbox::new();
    let repo = "../srv/group/repo";
    sandbox
        .write(format!("{repo}/README.md"), "# main\n")
        .write(format!("{repo}/docs/guide.md"), "guide\n");
    sandbox.git_in(repo, &["init", "-q", "-b", "main"]);
    sandbox
        .git_in(repo, &["add", "."])
        .git_in(repo, &["commit", "-qm", "one"]);
    sandbox.git_in(repo, &["tag", "v1.0"]);
    sandbox.git_in(repo, &["checkout", "-qb", "feature/login"]);
    sandbox.write(format!("{repo}/docs/login.md"), "login\n");
    sandbox
        .git_in(repo, &["add", "."])
        .git_in(repo, &["commit", "-qm", "two"]);
    sandbox.git_in(repo, &["checkout", "-q", "main"]);
    fs::create_dir_all(sandbox.path("../srv/private")).unwrap();
    sandbox.git(&[
        "clone",
        "-q",
        "--bare",
        "../srv/group/repo",
        "../srv/private/repo",
    ]);
    sandbox
}

fn file_url(sandbox: &Sandbox) -> String {
    let repo = sandbox.path("../srv/group/repo").canonicalize().unwrap();
    format!("file://{}", repo.display())
}

fn hash(sandbox: &Sandbox, revision: &str) -> String {
    let repo = sandbox.path("../srv/group/repo").display().to_string();
    let run = sandbox.run("git", &["-C", &repo, "rev-parse", revision]);
    run.ok().trim().to_owned()
}

#[track_caller]
fn paths(sandbox: &Sandbox, args: &[&str]) -> String {
    let packed = pack(sandbox, args);
    check_clean(sandbox);
    packed.paths().join(" ")
}

/// No copy is left in the folder for temporary files.
#[track_caller]
fn check_clean(sandbox: &Sandbox) {
    let entries = fs::read_dir(sandbox.path("..")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let left: Vec<_> = names
        .filter(|name| name.starts_with("infiniloom-"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[track_caller]
fn fails(sandbox: &Sandbox, args: &[&str]) -> String {
    failed(sandbox, &loom(sandbox, &[&["pack"], args].concat()))
}

#[track_caller]
fn failed(sandbox: &Sandbox, run: &Run) -> String {
    assert_eq!((run.code, run.text().as_str()), (2, ""), "{}", run.stderr);
    check_clean(sandbox);
    run.stderr.clone()
}

const MAIN: &str = "README.md docs/guide.md";
const LOGIN: &str = "README.md docs/guide.md docs/login.md";

#[test]
fn a_repository_by_its_file_address() {
    let sandbox = served();
    let url = file_url(&sandbox);
    assert_eq!(paths(&sandbox, &[&url]), MAIN);
    assert_eq!(paths(&sandbox, &[&url, "--branch", "feature/login"]), LOGIN);
    assert_eq!(paths(&sandbox, &[&url, "--branch", "v1.0"]), MAIN);
    assert_eq!(paths(&sandbox, &[&url, "--rev", "feature/login"]), LOGIN);
    let commit = hash(&sandbox, "feature/login");
    assert_eq!(paths(&sandbox, &[&url, "--rev", &commit]), LOGIN);
    let report = pack(&sandbox, &[&url]).report;
    assert_eq!(report["name"], "repo");
    assert_eq!(report["statistics"]["revisions"][0]["name"], "main");
    assert_eq!(
        report["statistics"]["revisions"][0]["commit"],
        hash(&sandbox, "main")
    );
}

#[test]
fn pages_over_http() {
    let sandbox = served();
    let server = HttpServer::start(&sandbox.path("../srv"));
    let commit = hash(&sandbox, "feature/login");
    for (page, expected) in [
        ("group/repo", MAIN),
        ("group/repo?tab=readme-ov-file#readme", MAIN),
        ("group/repo/tree/v1.0", MAIN),
        ("group/repo/tree/feature/login", LOGIN),
        (
            "group/repo/tree/feature/login/docs",
            "docs/guide.md docs/login.md",
        ),
        (
            "group/repo/-/tree/feature/login/docs",
            "docs/guide.md docs/login.md",
        ),
        ("group/repo/src/branch/main/docs", "docs/guide.md"),
        ("group/repo/src/main/docs/", "docs/guide.md"),
        ("group/repo/blob/main/docs/guide.md#L1", "docs/guide.md"),
        (&format!("group/repo/commit/{commit}"), LOGIN),
        (
            &format!("group/repo/tree/{commit}/docs"),
            "docs/guide.md docs/login.md",
        ),
    ] {
        assert_eq!(paths(&sandbox, &[&server.url(page)]), expected, "{page}");
    }
    let page = server.url("group/repo/tree/main/docs");
    let branch = ["--branch", "feature/login"];
    assert_eq!(
        paths(&sandbox, &[&[page.as_str()], &branch[..]].concat()),
        "docs/guide.md docs/login.md"
    );
}

#[test]
fn what_is_not_there() {
    let sandbox = served();
    let server = HttpServer::start(&sandbox.path("../srv"));
    let address = |page: &str| server.url(page);
    let absent = address("group/absent");
    let stderr = fails(&sandbox, &[&absent]);
    assert!(
        stderr.starts_with(&format!("error: no repository at {absent}: ")),
        "{stderr}"
    );
    let stderr = fails(
        &sandbox,
        &[&address("group/repo"), "--branch", "feature/logn"],
    );
    assert!(
        stderr.ends_with("hint: did you mean `feature/login`?\n"),
        "{stderr}"
    );
    let stderr = fails(&sandbox, &[&address("group/repo/tree/mian/docs")]);
    assert!(
        stderr.contains("error: no branch or tag mian/docs at "),
        "{stderr}"
    );
    assert!(stderr.ends_with("hint: did you mean `main`?\n"), "{stderr}");
    let stderr = fails(&sandbox, &[&address("group/repo/tree/main/nowhere")]);
    assert!(
        stderr.contains("error: no such file or directory in main of http://"),
        "{stderr}"
    );
    let unknown = "0".repeat(39) + "1";
    let stderr = fails(&sandbox, &[&address("group/repo"), "--rev", &unknown]);
    assert!(
        stderr.contains(&format!("error: no commit {unknown} at ")),
        "{stderr}"
    );
    let stderr = fails(&sandbox, &[&address("group/repo"), "--rev", "abc1234"]);
    assert!(
        stderr.ends_with("hint: pass the full hash of the commit\n"),
        "{stderr}"
    );
    let stderr = fails(&sandbox, &["http://127.0.0.1:1/a/b"]);
    assert!(
        stderr.starts_with("error: cannot reach the host of http://127.0.0.1:1/a/b: "),
        "{stderr}"
    );
    let stderr = fails(&sandbox, &["file:///no/such/repository"]);
    assert!(
        stderr.starts_with("error: no repository at file:///no/such/repository: "),
        "{stderr}"
    );
    let stderr = fails(&sandbox, &[".", "--branch", "main"]);
    assert!(
        stderr.starts_with("error: --branch is for remotes"),
        "{stderr}"
    );
}

#[test]
fn an_empty_repository() {
    let sandbox = Sandbox::new();
    sandbox.git(&["init", "-q", "--bare", "../empty.git"]);
    let url = format!(
        "file://{}",
        sandbox
            .path("../empty.git")
            .canonicalize()
            .unwrap()
            .display()
    );
    let stderr = fails(&sandbox, &[&url]);
    assert!(
        stderr.contains("the repository has no commit yet"),
        "{stderr}"
    );
}

#[test]
fn a_private_repository() {
    let sandbox = served();
    let server = HttpServer::start(&sandbox.path("../srv"));
    let stderr = fails(&sandbox, &[&server.url("private/repo")]);
    assert!(
        stderr.starts_with(&format!(
            "error: no access to {}: ",
            server.url("private/repo")
        )),
        "{stderr}"
    );
    assert!(
        stderr.contains(
            "hint: the repository is private or does not exist: sign in with a credential helper"
        ),
        "{stderr}"
    );
    let stderr = fails(
        &sandbox,
        &[&server.url_as("loom:wrong-word", "private/repo")],
    );
    assert!(
        stderr.starts_with("error: no access to http://127"),
        "{stderr}"
    );
    assert!(!stderr.contains("wrong-word"), "{stderr}");
    let open = server.url_as(USER_AND_PASSWORD, "private/repo/tree/feature/login/docs");
    let run = loom(&sandbox, &["pack", &open, "-v"]);
    assert!(run.ok().contains("docs/login.md"));
    let said = run.text() + &run.stderr;
    assert!(!said.contains("s3cret"), "{said}");
    // The user's own credential helper answers.
    let helper = "!f() { echo username=loom; echo password=s3cret-word; }; f";
    sandbox.git(&["config", "--global", "credential.helper", helper]);
    assert_eq!(paths(&sandbox, &[&server.url("private/repo")]), MAIN);
}

#[test]
fn over_ssh() {
    let sandbox = served();
    let server = SshServer::start(&sandbox);
    let url = server.url(&sandbox.path("../srv/group/repo").canonicalize().unwrap());
    let run = |ssh: String, args: &[&str]| -> Run {
        let mut command = sandbox.command(BINARY);
        command.args(["pack", "-f", "plain"]).args(args);
        command.env("GIT_SSH_COMMAND", ssh).output().unwrap().into()
    };
    let text = run(server.command("user"), &[&url, "--branch", "feature/login"]).ok();
    assert!(text.contains("docs/login.md"), "{text}");
    let stderr = failed(&sandbox, &run(server.command("stranger"), &[&url]));
    assert!(
        stderr.starts_with(&format!("error: no access to {url}: ")),
        "{stderr}"
    );
    assert!(stderr.contains("`ssh-add`"), "{stderr}");
    let stderr = failed(
        &sandbox,
        &run(server.command_without_hosts("user"), &[&url]),
    );
    assert!(
        stderr.starts_with(&format!("error: unknown host key: {url}")),
        "{stderr}"
    );
    let absent = url.replace("/repo", "/absent");
    let stderr = failed(&sandbox, &run(server.command("user"), &[&absent]));
    assert!(
        stderr.starts_with(&format!("error: no repository at {absent}: ")),
        "{stderr}"
    );
}

/// In the remote, in its attributes, and in the repository where one stands.
#[test]
fn nothing_that_a_repository_names_is_run() {
    let sandbox = served();
    let trap = format!("touch {}; cat", sandbox.path("../ran").display());
    let repo = "../srv/group/repo";
    sandbox.write(
        format!("{repo}/.gitattributes"),
        "* filter=evil diff=evil\n",
    );
    sandbox.write(
        format!("{repo}/.gitmodules"),
        format!("[submodule \"x\"]\n\tpath = x\n\turl = ext::sh -c {trap}\n"),
    );
    sandbox
        .git_in(repo, &["add", "."])
        .git_in(repo, &["commit", "-qm", "evil"]);
    sandbox.git(&["init", "-q"]);
    let url = file_url(&sandbox);
    for key in [
        "filter.evil.smudge",
        "filter.evil.process",
        "core.sshCommand",
        "core.fsmonitor",
        "core.gitProxy",
        "uploadpack.packObjectsHook",
        "credential.helper",
        "core.askPass",
    ] {
        for place in [repo, ""] {
            sandbox.git_in(place, &["config", key, &trap]);
        }
    }
    sandbox.git(&["config", "url.ext::sh.insteadOf", &url]);
    for hook in [
        "post-checkout",
        "reference-transaction",
        "post-index-change",
    ] {
        let script = format!("#!/bin/sh\n{trap}\n");
        for place in [repo.to_owned() + "/.git", ".git".to_owned()] {
            let hook = format!("{place}/hooks/{hook}");
            sandbox.write(&hook, &script);
            sandbox.run("chmod", &["+x".into(), sandbox.path(&hook)]);
        }
    }
    let expected = format!(".gitattributes .gitmodules {MAIN}");
    assert_eq!(paths(&sandbox, &[&url]), expected);
    assert!(!sandbox.path("../ran").exists());
}

#[test]
fn remotes_and_folders_in_one_pack() {
    let sandbox = served();
    sandbox.write("local/a.txt", "a\n");
    let url = file_url(&sandbox);
    let packed = pack(&sandbox, &["local", &url]);
    assert_eq!(
        packed.paths(),
        ["local/a.txt", "repo/README.md", "repo/docs/guide.md"]
    );
    assert_eq!(packed.report["name"], "local + repo");
    assert_eq!(packed.report["statistics"]["revisions"][0]["tree"], "repo");
    check_clean(&sandbox);
    let twice = pack(&sandbox, &[&url, &url]);
    assert_eq!(twice.paths().len(), 4);
}

#[test]
fn settings_of_a_remote_write_nothing() {
    let sandbox = served();
    let repo = "../srv/group/repo";
    sandbox.write(
        format!("{repo}/infiniloom.toml"),
        "[pack]\noutput = \"out.xml\"\n[scan]\nexclude = [\"docs\"]\n",
    );
    sandbox
        .git_in(repo, &["add", "."])
        .git_in(repo, &["commit", "-qm", "settings"]);
    let run = loom(&sandbox, &["pack", &file_url(&sandbox)]);
    assert!(run.ok().contains("path=\"README.md\"") && !run.text().contains("docs/guide.md"));
    assert!(
        run.stderr.contains("ask to write out.xml: not done"),
        "{}",
        run.stderr
    );
    assert!(!sandbox.path("out.xml").exists());
    check_clean(&sandbox);
}

#[test]
fn a_path_that_looks_like_an_address_is_a_path() {
    let sandbox = served();
    sandbox
        .write("owner/repo/a.txt", "a\n")
        .write("git@host:x.git/b.txt", "b\n");
    assert_eq!(paths(&sandbox, &["owner/repo"]), "a.txt");
    assert_eq!(paths(&sandbox, &["git@host:x.git"]), "b.txt");
    let stderr = fails(&sandbox, &["owner/mistyped"]);
    assert_eq!(stderr, "error: no such file or directory: owner/mistyped\n");
    for refused in [
        "ext::sh -c id",
        "s3://bucket/x",
        "ssh://-oProxyCommand=id/x",
    ] {
        fails(&sandbox, &[refused]);
    }
    fails(&sandbox, &["--", "-u@host:x.git"]);
}

#[test]
fn without_git() {
    let sandbox = served();
    let mut command = sandbox.command(BINARY);
    command
        .env("PATH", sandbox.home())
        .args(["pack", "https://example.com/a/b"]);
    let stderr = failed(&sandbox, &command.output().unwrap().into());
    assert!(
        stderr.starts_with(
            "error: cannot read https://example.com/a/b: git is not installed\nhint: "
        ),
        "{stderr}"
    );
}

/// A server that takes the connection and never answers.
#[test]
fn an_interrupted_fetch_leaves_nothing() {
    let sandbox = Sandbox::new();
    let server = HttpServer::silent();
    let mut command = sandbox.command(BINARY);
    command
        .args(["pack", &server.url("a/b")])
        .stderr(Stdio::piped())
        .stdout(Stdio::piped());
    let child = command.spawn().unwrap();
    let copies = || {
        let entries = fs::read_dir(sandbox.path("..")).unwrap().flatten();
        entries
            .filter(|entry| entry.path().join("copy.git").exists())
            .count()
    };
    until(|| copies() > 0);
    let signal = format!("kill -INT {}", child.id());
    sandbox.run("sh", &["-c", &signal]);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    check_clean(&sandbox);
}

#[test]
fn a_password_is_in_no_message() {
    let sandbox = Sandbox::new();
    for address in [
        "http://user:TOP@SECRET@127.0.0.1:1/o/r",
        "https:/user:SECRET@host.invalid/o/r",
        "http://SECRETSECRET@127.0.0.1:1/o/r",
    ] {
        let run = loom(&sandbox, &["pack", address]);
        assert_eq!(run.code, 2, "{}", run.stderr);
        assert!(!run.stderr.contains("SECRET"), "{}", run.stderr);
    }
}

#[test]
fn the_log_of_a_remote_has_as_many_commits_as_asked_for() {
    let sandbox = Sandbox::new();
    sandbox.write("a", "1\n").commit_all();
    for text in ["2\n", "3\n", "4\n"] {
        sandbox
            .write("a", text)
            .git(&["commit", "-qam", text.trim()]);
    }
    let url = format!("file://{}", sandbox.work().display());
    let text = loom(&sandbox, &["pack", &url, "--log", "3", "-f", "json"]).ok();
    for subject in ["4", "3", "2"] {
        assert!(
            text.contains(&format!("    {subject}\\n")) || text.contains(&format!(" {subject}\\n")),
            "{text}"
        );
    }
    assert!(!text.contains("not known"), "{text}");
    assert_eq!(loom(&sandbox, &["pack", &url, "--rev", "HEAD"]).code, 0);
}
