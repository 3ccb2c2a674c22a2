//! `--rev`: a commit is packed by the rules of a folder, and nothing is touched.

use loom_testkit::Sandbox;

use crate::packed::{Packed, formats, loom, pack, pack_in};

/// A repository with one of everything that rules speak about.
fn repository() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox
        .write("src/main.rs", "fn main() {}\n")
        .write("src/gone/old.rs", "old\n")
        .write("forced.log", "tracked although ignored\n")
        .write(".gitignore", "*.log\n!node_modules/kept\n")
        .write("node_modules/lost/a.js", "x")
        .write("node_modules/kept/a.js", "x")
        .write("notes.txt", "left out by our own file\n")
        .write(".infiniloomignore", "notes.txt\n")
        .write("infiniloom.toml", "[scan]\nexclude = [\"*.tmp\"]\n")
        .write("a.tmp", "left out by the settings\n")
        .write("binary.bin", b"\x00\x01\x02")
        .write("big.txt", "x".repeat(2000))
        .write(
            "lfs.dat",
            "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
        );
    #[cfg(unix)]
    std::os::unix::fs::symlink("src/main.rs", sandbox.path("link")).unwrap();
    sandbox.git(&["init", "-q", "-b", "main"]);
    sandbox
        .git(&["add", "-Af", "."])
        .git(&["commit", "-qm", "one"]);
    sandbox.git(&["tag", "-am", "one", "v1"]);
    sandbox
}

fn settled(packed: &Packed) -> (Vec<&str>, String) {
    let mut left: Vec<_> = packed.report["left_out"].as_array().unwrap().clone();
    left.retain(|left| left["reason"] != "output-file");
    (packed.paths(), serde_json::to_string_pretty(&left).unwrap())
}

#[test]
fn a_commit_is_packed_as_its_checkout_would_be() {
    let sandbox = repository();
    for args in [
        &[][..],
        &["src"],
        &["src/main.rs", "node_modules"],
        &["--no-ignore"],
        &["--no-default-ignore", "--max-file-size", "1k"],
        &["--include", "*.rs", "--exclude", "gone"],
    ] {
        let folder = pack(&sandbox, args);
        let commit = pack(&sandbox, &[args, &["--rev", "HEAD"]].concat());
        assert_eq!(settled(&folder), settled(&commit), "{args:?}");
        assert_eq!(folder.files, commit.files, "{args:?}");
        assert!(!commit.files.is_empty());
    }
}

#[test]
fn the_working_tree_does_not_matter_and_is_not_touched() {
    let sandbox = repository();
    sandbox.git(&["rm", "-rq", "src/gone"]);
    sandbox
        .write("src/main.rs", "fn changed() {}\n")
        .write("new.rs", "new\n");
    sandbox.git(&["commit", "-qam", "two"]);
    sandbox.write("src/main.rs", "fn dirty() {}\n");
    let before = sandbox.run("git", &["status", "--porcelain", "-uall"]).ok();
    let packed = pack(&sandbox, &["--rev", "v1"]);
    packed.check(
        "src/main.rs: packed
        src/gone/old.rs: packed
        forced.log: packed
        notes.txt: infiniloomignore
        a.tmp: exclude
        node_modules/lost: default
        link: symlink
        binary.bin: binary
        lfs.dat: lfs-pointer
        new.rs: not mentioned",
    );
    assert_eq!(packed.files["src/main.rs"], "fn main() {}\n");
    assert_eq!(
        sandbox.run("git", &["status", "--porcelain", "-uall"]).ok(),
        before
    );
    assert_eq!(sandbox.read("src/main.rs"), "fn dirty() {}\n");
    // Neither `gone` nor its name is in the working tree.
    let gone = pack(&sandbox, &["src/gone", "--rev", "HEAD~1"]);
    assert_eq!(gone.paths(), ["src/gone/old.rs"]);
    let below = pack_in(&sandbox, "src", &["gone/old.rs", "--rev", "v1"]);
    assert_eq!(below.paths(), ["src/gone/old.rs"]);
}

#[test]
fn the_head_of_every_format_and_the_report_say_the_commit() {
    let sandbox = repository();
    let hash = sandbox.run("git", &["rev-parse", "HEAD"]).ok();
    for format in formats() {
        let text = loom(&sandbox, &["pack", "--rev", "v1", "-f", format]).ok();
        assert!(text.contains(hash.trim()), "{format}");
    }
    let report = pack(&sandbox, &["--rev", "v1"]).report;
    let revision = &report["statistics"]["revisions"][0];
    assert_eq!(revision["name"], "v1");
    assert_eq!(revision["commit"], hash.trim());
    assert!(pack(&sandbox, &[]).report["statistics"]["revisions"].is_null());
}

#[test]
fn bare_and_sha256_repositories() {
    let sandbox = repository();
    sandbox.git(&["clone", "-q", "--bare", ".", "../mirror.git"]);
    let bare = sandbox.path("../mirror.git").display().to_string();
    let packed = pack(&sandbox, &[&bare, "--rev", "main"]);
    assert_eq!(packed.files, pack(&sandbox, &[]).files);
    assert_eq!(packed.report["name"], "mirror");
    let [plain, head] = [&["pack", &*bare][..], &["pack", &*bare, "--rev", "HEAD"]];
    assert_eq!(loom(&sandbox, plain).ok(), loom(&sandbox, head).ok());
    let part = pack(&sandbox, &[&format!("{bare}/src"), "--rev", "v1"]);
    assert_eq!(part.paths(), ["src/gone/old.rs", "src/main.rs"]);
    let other = Sandbox::new();
    other
        .write("a", "x\n")
        .git(&["init", "-q", "--object-format=sha256"]);
    other.git(&["add", "."]).git(&["commit", "-qm", "x"]);
    assert_eq!(pack(&other, &["--rev", "HEAD"]).paths(), ["a"]);
}

#[test]
fn a_bare_repository_has_no_folder_for_the_outputs_of_its_settings() {
    let sandbox = Sandbox::new();
    sandbox.write("a", "x\n").write(
        "infiniloom.toml",
        "[pack]\noutput = \"hooks/post-update\"\n",
    );
    sandbox
        .commit_all()
        .git(&["clone", "-q", "--bare", ".", "../bare.git"]);
    let bare = sandbox.path("../bare.git");
    let run = loom(
        &sandbox,
        &["pack", &bare.display().to_string(), "--rev", "main"],
    );
    assert!(run.ok().contains("path=\"a\""));
    assert!(
        run.stderr
            .contains("ask to write hooks/post-update: not done"),
        "{}",
        run.stderr
    );
    assert!(!bare.join("hooks/post-update").exists());
}

#[test]
fn what_is_wrong_is_said() {
    let sandbox = repository();
    let fails = |args: &[&str], expected: &str| {
        let run = loom(&sandbox, &[&["pack"], args].concat());
        assert_eq!((run.code, run.text().as_str()), (2, ""), "{args:?}");
        assert_eq!(run.stderr, expected, "{args:?}");
    };
    fails(
        &["--rev", "mian"],
        "error: no revision mian in the repository\nhint: did you mean `main`?\n",
    );
    fails(
        &["--since", "master"],
        "error: --since master: no revision master in the repository\nhint: did you mean `main`?\n",
    );
    fails(
        &["--diff", "master"],
        "error: no such file or directory: master\nhint: `--diff` and `--staged` take no revision; pass `--since master` to compare with one\n",
    );
    fails(
        &["nowhere", "--rev", "v1"],
        "error: no such file or directory in v1: nowhere\n",
    );
    let outside = sandbox.path("..").canonicalize().unwrap();
    let outside = outside.display();
    fails(
        &[&outside.to_string(), "--rev", "v1"],
        &format!("error: not a git repository: {outside}\n"),
    );
}

#[test]
fn why_speaks_about_a_commit() {
    let sandbox = repository();
    sandbox.git(&["rm", "-rq", "--cached", "src/gone", "forced.log", "link"]);
    std::fs::remove_dir_all(sandbox.path("src/gone")).unwrap();
    sandbox.git(&["commit", "-qm", "two"]);
    let why = |path: &str| loom(&sandbox, &["why", "--rev", "v1", path]).ok();
    for (path, expected) in [
        (
            "src/gone/old.rs",
            "src/gone/old.rs: packed: no rule leaves it out\n",
        ),
        (
            "forced.log",
            "forced.log: packed because git tracks it, although .gitignore:1: *.log matches\n",
        ),
        (
            "notes.txt",
            "notes.txt: left out by .infiniloomignore:1: notes.txt\n",
        ),
        ("a.tmp", "a.tmp: left out by --exclude: *.tmp\n"),
        (
            "link",
            "link: left out: symbolic link to src/main.rs, not followed\n",
        ),
        ("binary.bin", "binary.bin: left out: binary\n"),
        ("new", "new: not there; no rule leaves it out\n"),
        (".", ".: packed: no rule leaves it out\n"),
    ] {
        assert_eq!(why(path), expected);
    }
}

/// Filters, hooks and programs that the repository or its attributes name.
#[test]
fn nothing_that_the_repository_names_is_run() {
    let sandbox = Sandbox::new();
    let trap = format!("touch {}; cat", sandbox.path("../ran").display());
    sandbox
        .write("a.txt", "x\n")
        .write(".gitattributes", "* filter=evil diff=evil\n");
    sandbox.commit_all();
    for key in [
        "filter.evil.smudge",
        "filter.evil.clean",
        "filter.evil.process",
        "diff.evil.textconv",
        "core.fsmonitor",
        "core.pager",
    ] {
        sandbox.git(&["config", key, &trap]);
    }
    sandbox.write(".git/hooks/post-checkout", format!("#!/bin/sh\n{trap}\n"));
    assert_eq!(pack(&sandbox, &["--rev", "HEAD"]).files["a.txt"], "x\n");
    assert!(!sandbox.path("../ran").exists());
}

#[test]
fn a_submodule_is_said() {
    let sandbox = Sandbox::new();
    sandbox
        .write("lib/l.txt", "l\n")
        .git_in("lib", &["init", "-q"]);
    sandbox
        .git_in("lib", &["add", "."])
        .git_in("lib", &["commit", "-qm", "l"]);
    sandbox
        .git(&["init", "-q"])
        .git(&["submodule", "--quiet", "add", "./lib", "lib"]);
    sandbox
        .write("a", "x\n")
        .git(&["add", "."])
        .git(&["commit", "-qm", "a"]);
    pack(&sandbox, &["--rev", "HEAD"]).check("a: packed\nlib: submodule-not-checked-out");
}
