//! Commits, trees and blobs, in repositories that git created and in hostile ones.

use std::path::Path;

use loom_source::{Blob, Objects, ObjectsError, TreeEntryKind};
use loom_testkit::Sandbox;

fn repository() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "one\n").write("dir/b.txt", "bee\n");
    sandbox.commit_all().git(&["tag", "-am", "first", "v1.0"]);
    sandbox.write("a.txt", "two\n");
    sandbox
        .git(&["checkout", "-qb", "feature/login"])
        .git(&["commit", "-qam", "two"]);
    sandbox
}

/// Returns git's resolution of a revision.
fn by_git(sandbox: &Sandbox, revision: &str) -> String {
    let revision = format!("{revision}^{{commit}}");
    let run = sandbox.run("git", &["rev-parse", "--verify", &revision]);
    run.ok().trim().to_owned()
}

fn error(objects: &Objects, revision: &str) -> String {
    let error = objects.resolve(revision).unwrap_err();
    match error.hint() {
        Some(hint) => format!("{error} | {hint}"),
        None => error.to_string(),
    }
}

fn file(objects: &Objects, revision: &str, name: &str) -> Vec<u8> {
    let tree = objects.resolve(revision).unwrap().tree;
    let entries = objects.entries(tree).unwrap();
    let entry = entries.iter().find(|entry| entry.name == name.as_bytes());
    match objects.blob(entry.unwrap().id, 1 << 20).unwrap() {
        Blob::Bytes(bytes) => bytes,
        Blob::TooLarge(_) => Vec::new(),
    }
}

#[test]
fn revisions_are_what_git_says() {
    let sandbox = repository();
    let objects = Objects::open(&sandbox.work()).unwrap();
    let short = &by_git(&sandbox, "HEAD")[..8];
    for revision in [
        "HEAD",
        "@",
        "HEAD~1",
        "HEAD^",
        "main",
        "feature/login",
        "v1.0",
        "v1.0^{}",
        "refs/tags/v1.0",
        "heads/main",
        short,
    ] {
        let commit = objects.resolve(revision).unwrap();
        assert_eq!(
            commit.id.to_string(),
            by_git(&sandbox, revision),
            "{revision}"
        );
        assert_eq!(objects.commit(commit.id).unwrap(), commit);
    }
    assert_eq!(file(&objects, "main", "a.txt"), b"one\n");
    assert_eq!(file(&objects, "HEAD", "a.txt"), b"two\n");
}

#[test]
fn trees_and_limits() {
    let sandbox = repository();
    let objects = Objects::open(&sandbox.work()).unwrap();
    let entries = objects
        .entries(objects.resolve("HEAD").unwrap().tree)
        .unwrap();
    let shown: Vec<_> = entries
        .iter()
        .map(|entry| (entry.name.as_slice(), entry.kind))
        .collect();
    assert_eq!(
        shown,
        [
            (&b"a.txt"[..], TreeEntryKind::File),
            (b"dir", TreeEntryKind::Folder)
        ]
    );
    assert_eq!(objects.blob(entries[0].id, 3).unwrap(), Blob::TooLarge(4));
    assert!(
        objects.blob(entries[1].id, 1 << 20).is_err(),
        "a tree is no file"
    );
}

#[test]
fn errors_of_invalid_revisions() {
    let sandbox = repository();
    let objects = Objects::open(&sandbox.work()).unwrap();
    for (revision, expected) in [
        (
            "mian",
            "no revision mian in the repository | did you mean `main`?",
        ),
        (
            "login",
            "no revision login in the repository | did you mean `feature/login`?",
        ),
        (
            "master",
            "no revision master in the repository | did you mean `main`?",
        ),
        (
            "staging",
            "no revision staging in the repository | expected a branch such as `feature/login` or `main`, a tag or a hash",
        ),
        (
            "HEAD~9",
            "no revision HEAD~9 in the repository | run `git branch --all` and `git tag` to list branches and tags",
        ),
        (
            "",
            "no revision  in the repository | run `git branch --all` and `git tag` to list branches and tags",
        ),
        (
            "main..HEAD",
            "the revision main..HEAD names several commits; expected one",
        ),
        (
            "HEAD:a.txt",
            "the revision HEAD:a.txt is a blob, expected a commit",
        ),
        (
            "HEAD^{tree}",
            "the revision HEAD^{tree} is a tree, expected a commit",
        ),
        (
            "--upload-pack=x",
            "no revision --upload-pack=x in the repository | run `git branch --all` and `git tag` to list branches and tags",
        ),
    ] {
        assert_eq!(error(&objects, revision), expected);
    }
}

#[test]
fn an_empty_repository_has_no_head() {
    let sandbox = Sandbox::new();
    sandbox.git(&["init", "-q"]);
    let objects = Objects::open(&sandbox.work()).unwrap();
    assert_eq!(
        error(&objects, "HEAD"),
        "no revision HEAD: the repository has no commit yet"
    );
}

#[test]
fn bare_sha256_worktrees_and_packs() {
    let sandbox = Sandbox::new();
    sandbox.git(&["init", "-q", "-b", "main", "--object-format=sha256"]);
    sandbox
        .write("a.txt", "x\n")
        .git(&["add", "."])
        .git(&["commit", "-qm", "x"]);
    sandbox.git(&["worktree", "add", "-q", "../other", "-b", "side"]);
    sandbox.git(&["clone", "-q", "--bare", ".", "../bare.git"]);
    sandbox.git(&["gc", "-q"]);
    for folder in [".", "../bare.git", "../other"] {
        let objects = Objects::open(&sandbox.path(folder)).unwrap();
        assert_eq!(file(&objects, "main", "a.txt"), b"x\n", "{folder}");
        assert_eq!(objects.resolve("main").unwrap().id.to_string().len(), 64);
        assert_eq!(objects.work_tree().is_none(), folder.ends_with(".git"));
    }
}

#[test]
fn shallow_clones_say_so() {
    let sandbox = repository();
    let address = format!("file://{}", sandbox.work().display());
    sandbox.git(&["clone", "-q", "--depth=1", &address, "../shallow"]);
    let shallow = Objects::open(&sandbox.path("../shallow")).unwrap();
    assert_eq!(
        error(&shallow, "HEAD~1"),
        "no revision HEAD~1 in the repository, a shallow clone | run `git fetch --unshallow` to fetch the rest of the history, or `git fetch --deepen=100` for 100 more commits"
    );
    // Such a clone has one branch, and fetches only that one.
    let cases = [
        (
            "main",
            "run `git fetch --unshallow origin main:main` to fetch it with its history",
        ),
        (
            "origin/main",
            "run `git fetch --unshallow origin main:refs/remotes/origin/main` to fetch it with its history",
        ),
        (
            "login",
            "run `git fetch --unshallow origin login:login` to fetch it with its history; or did you mean `feature/login` or `origin/feature/login`?",
        ),
    ];
    for (number, (revision, hint)) in cases.into_iter().enumerate() {
        let folder = format!("../shallow{number}");
        sandbox.git(&["clone", "-q", "--depth=1", &address, &folder]);
        let clone = Objects::open(&sandbox.path(&folder)).unwrap();
        let expected =
            format!("no revision {revision} in the repository, a shallow clone | {hint}");
        assert_eq!(error(&clone, revision), expected);
        if revision == "login" {
            continue;
        }
        let command = hint.split('`').nth(1).unwrap();
        let words: Vec<&str> = command.split(' ').skip(1).collect();
        sandbox.git_in(&folder, &words);
        let fetched = Objects::open(&sandbox.path(&folder)).unwrap();
        let commit = fetched.resolve(revision).unwrap().id.to_string();
        assert_eq!(commit, by_git(&sandbox, "main"));
    }
}

#[test]
fn partial_clones_say_so() {
    let sandbox = repository();
    let address = format!("file://{}", sandbox.work().display());
    sandbox.git(&["config", "uploadpack.allowFilter", "true"]);
    let partial = [
        "clone",
        "-q",
        "--no-checkout",
        "--filter=blob:none",
        &address,
        "../partial",
    ];
    sandbox.git(&partial);
    let partial = Objects::open(&sandbox.path("../partial")).unwrap();
    let entries = partial
        .entries(partial.resolve("HEAD").unwrap().tree)
        .unwrap();
    let error = partial.blob(entries[0].id, 100).unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("is not in the repository, a partial clone"),
        "{error}"
    );
    assert!(error.hint().unwrap().contains("--no-filter"));
}

#[test]
fn no_repository() {
    let sandbox = Sandbox::new();
    let error = Objects::open(&sandbox.work()).unwrap_err();
    assert!(matches!(error, ObjectsError::NoRepository { .. }));
}

/// Opening any of these would block or fill the memory.
#[test]
#[cfg(unix)]
fn pipes_and_devices_in_the_place_of_files() {
    let pipe = |sandbox: &Sandbox, path: &str| {
        let path = sandbox.path(path);
        let _ = std::fs::remove_file(&path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        assert_eq!(sandbox.run("mkfifo", &[path]).code, 0);
    };
    for path in [
        ".git/packed-refs",
        ".git/refs/heads/pipe",
        ".git/refs/heads/main",
        ".git/objects/info/alternates",
        ".git/objects/pack/pack-1234.idx",
        ".git/objects/00/11223344556677889900112233445566778899",
        ".git/shallow",
        ".git/logs/HEAD",
    ] {
        let sandbox = repository();
        pipe(&sandbox, path);
        let error = Objects::open(&sandbox.work()).unwrap_err();
        assert!(
            matches!(error, ObjectsError::Unusable { .. }),
            "{path}: {error}"
        );
    }
    let sandbox = repository();
    let refs = sandbox.path(".git/refs/heads/zero");
    std::os::unix::fs::symlink(Path::new("/dev/zero"), refs).unwrap();
    assert!(Objects::open(&sandbox.work()).is_err());
}

/// A repository may name programs; none of them is run.
#[test]
fn configured_programs_are_not_run() {
    let sandbox = repository();
    let program = format!("touch {}", sandbox.path("ran").display());
    for key in [
        "core.fsmonitor",
        "core.sshCommand",
        "core.pager",
        "filter.x.smudge",
        "filter.x.process",
        "diff.external",
        "diff.x.textconv",
        "core.gitProxy",
        "core.alternateRefsCommand",
    ] {
        sandbox.git(&["config", key, &program]);
    }
    sandbox.write(".git/info/attributes", "* filter=x diff=x\n");
    let objects = Objects::open(&sandbox.work()).unwrap();
    assert_eq!(file(&objects, "HEAD", "a.txt"), b"two\n");
    assert!(!sandbox.path("ran").exists());
}

#[test]
fn objects_can_be_shared_by_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Objects>();
}
