//! Files that git adds to a working tree or removes from it: submodules, nested repositories,
//! worktrees, sparse checkouts, deleted files.

use std::fs;

use loom_testkit::Sandbox;

use crate::packed::{loom, pack, pack_in};

/// Creates a repository with a submodule `lib` that ignores `*.out` itself.
fn with_submodule() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox
        .write("lib-origin/lib.txt", "LIB\n")
        .write("lib-origin/.gitignore", "*.out\n");
    sandbox.git_in("lib-origin", &["init", "-q", "-b", "main"]);
    sandbox
        .git_in("lib-origin", &["add", "-A"])
        .git_in("lib-origin", &["commit", "-qm", "lib"]);
    sandbox
        .write("top/.gitignore", "*.txt\n")
        .write("top/main.c", "main\n");
    sandbox.git_in("top", &["init", "-q", "-b", "main"]);
    sandbox.git_in(
        "top",
        &["submodule", "--quiet", "add", "../lib-origin", "lib"],
    );
    sandbox
        .git_in("top", &["add", "-A"])
        .git_in("top", &["commit", "-qm", "top"]);
    sandbox
}

#[test]
fn a_submodule_is_packed_by_its_own_rules() {
    let sandbox = with_submodule();
    sandbox.write("top/lib/x.out", "x").write("top/x.out", "x");
    pack_in(&sandbox, "top", &[]).check(
        "main.c: packed
        x.out: packed
        lib/lib.txt: packed
        lib/x.out: gitignore
        .gitmodules: packed",
    );
    pack_in(&sandbox, "top/lib", &[]).check("lib.txt: packed\nx.out: gitignore");
}

#[test]
fn a_submodule_that_is_not_checked_out_is_said() {
    let sandbox = with_submodule();
    sandbox.git(&["clone", "-q", "top", "clone"]);
    let packed = pack_in(&sandbox, "clone", &[]);
    packed.check("main.c: packed\nlib: submodule-not-checked-out");
    fs::remove_dir(sandbox.path("clone/lib")).unwrap();
    pack_in(&sandbox, "clone", &[]).check("lib: submodule-not-checked-out");
}

#[test]
fn a_repository_inside_another_keeps_its_own_rules() {
    let sandbox = Sandbox::new();
    sandbox
        .write(".gitignore", "*.log\n/built\n")
        .write(".infiniloomignore", "*.secret\n");
    sandbox
        .write("a.log", "a")
        .write("inner/a.log", "a")
        .write("inner/b.out", "b");
    sandbox
        .write("inner/.gitignore", "*.out\n")
        .write("inner/x.secret", "x");
    sandbox
        .write("built/.git/HEAD", "ref: refs/heads/main\n")
        .write("built/x", "x");
    sandbox
        .git(&["init", "-q"])
        .git_in("inner", &["init", "-q"]);
    pack(&sandbox, &[]).check(
        "a.log: gitignore
        inner/a.log: packed
        inner/b.out: gitignore
        inner/x.secret: infiniloomignore
        built/x: gitignore",
    );
}

#[test]
fn a_worktree_is_a_repository() {
    let sandbox = Sandbox::new();
    sandbox
        .write("main/a.txt", "a")
        .write("main/t.log", "t")
        .write("main/.gitignore", "*.log\n");
    sandbox.git_in("main", &["init", "-q", "-b", "main"]);
    sandbox
        .git_in("main", &["add", "-f", "."])
        .git_in("main", &["commit", "-qm", "all"]);
    sandbox.write("main/.git/info/exclude", "local\n");
    sandbox.git_in("main", &["worktree", "add", "-q", "../tree"]);
    sandbox.write("tree/x.log", "x").write("tree/local", "x");
    let expected = "a.txt: packed\nt.log: packed\nx.log: gitignore\nlocal: gitignore";
    pack_in(&sandbox, "tree", &[]).check(expected);
}

#[test]
fn what_git_tracks_and_the_tree_lacks_is_said() {
    let sandbox = Sandbox::new();
    for path in [
        "in/a.txt",
        "out/b.txt",
        "out/deep/c.txt",
        "gone.txt",
        "top.txt",
    ] {
        sandbox.write(path, path);
    }
    sandbox
        .commit_all()
        .git(&["sparse-checkout", "set", "--cone", "in"]);
    fs::remove_file(sandbox.path("gone.txt")).unwrap();
    let expected = "in/a.txt: packed
        top.txt: packed
        gone.txt: deleted
        out/b.txt: outside-sparse-checkout
        out/deep/c.txt: outside-sparse-checkout";
    pack(&sandbox, &[]).check(expected);
    // This index lists whole directories outside of the checkout.
    sandbox.git(&["sparse-checkout", "reapply", "--sparse-index"]);
    pack(&sandbox, &[]).check(expected);
    let left_out = pack(&sandbox, &["in"]).report["left_out"].clone();
    assert_eq!(left_out.as_array().unwrap().len(), 0, "{left_out}");
}

#[test]
fn a_broken_repository_is_packed_as_a_folder() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "a").commit_all();
    for (path, text) in [
        (".git/index", "broken"),
        (".git/config", "[broken"),
        (".git/HEAD", ""),
    ] {
        sandbox.write(path, text);
        pack(&sandbox, &[]).check("a.txt: packed\n.git/config: not mentioned");
    }
}

#[test]
fn nothing_that_a_repository_names_is_run() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "a").commit_all();
    let mark = sandbox.path("../ran");
    let program = format!("touch {}", mark.display());
    for key in [
        "core.fsmonitor",
        "core.pager",
        "diff.external",
        "filter.x.clean",
        "core.sshCommand",
    ] {
        sandbox.git(&["config", key, &program]);
    }
    sandbox.write(".gitattributes", "* filter=x diff=x\n");
    loom(&sandbox, &["pack"]).ok();
    loom(&sandbox, &["why", "a.txt"]).ok();
    assert!(!mark.exists());
}
