//! The selection of files: ignore files of every kind, the defaults, and the user's own patterns,
//! which override both.

use loom_testkit::{Sandbox, odd_tree};

use crate::packed::{loom, pack};

fn odd() -> Sandbox {
    let sandbox = Sandbox::new();
    odd_tree(&sandbox);
    sandbox
}

/// Files that `git status` does not ignore are packed.
#[test]
fn git_ignore_files_hold_as_git_reads_them() {
    for (place, text) in [
        ("../home/.config/git/ignore", "*.global\n"),
        ("../home/.gitconfig", "[core]\n\texcludesFile = ~/mine\n"),
        ("../home/.gitconfig", "[core]\n\texcludesFile = GLOBAL\n"),
        (
            "../home/.config/git/config",
            "[core]\n\texcludesFile = ~/mine\n",
        ),
    ] {
        let sandbox = Sandbox::new();
        let mine = sandbox.home().join("mine");
        sandbox.write(place, text.replace("GLOBAL", mine.to_str().unwrap()));
        sandbox.write("../home/mine", "*.global\n");
        for path in [
            "x.global",
            "keep.global",
            "a/x.global",
            "a/b/local",
            "top",
            "a/top",
        ] {
            sandbox.write(path, path);
        }
        sandbox.write(".gitignore", "!keep.global\n/top\n**/b/*\n!/a/b/\n");
        sandbox.git(&["init", "-q"]);
        let kept = sandbox
            .command("git")
            .args(["ls-files", "-co", "--exclude-standard"])
            .output();
        let kept = String::from_utf8(kept.unwrap().stdout).unwrap();
        let mut kept: Vec<_> = kept.lines().collect();
        kept.sort_unstable();
        let packed = pack(&sandbox, &[]);
        let found: Vec<_> = packed.files.keys().collect();
        assert_eq!(found, kept, "{text}");
        packed.check("x.global: gitignore\nkeep.global: packed");
    }
}

#[test]
fn a_repository_cannot_choose_the_users_ignore_file() {
    let sandbox = Sandbox::new();
    sandbox
        .write("a.txt", "a")
        .write("mine", "*.txt\n")
        .commit_all();
    sandbox.git(&["rm", "-q", "--cached", "a.txt"]);
    sandbox.git(&["config", "core.excludesFile", "mine"]);
    pack(&sandbox, &[]).check("a.txt: packed");
}

#[test]
fn flags_lift_the_rules() {
    let sandbox = odd();
    pack(&sandbox, &["--no-ignore"]).check(
        "a.log: packed
        by-ignore.txt: packed
        by-loom.txt: packed
        excluded-locally.txt: packed
        ignored-dir/untracked.txt: packed
        node_modules/x/index.js: default
        .git/HEAD: not mentioned",
    );
    pack(&sandbox, &["--no-default-ignore"]).check(
        "a.log: gitignore
        node_modules/x/index.js: packed
        Cargo.lock: packed
        vendor/lib.go: packed
        target/debug/out.txt: packed",
    );
}

/// Patterns in the order of the command line, with the expected outcome of some paths.
const PATTERNS: &str = "
--include *.py | tests/test_a.py: packed | docs/guide.md: not-included
--exclude tests/ | tests/test_a.py: exclude | docs/guide.md: packed
--exclude tests --include tests/test_a.py | tests/test_a.py: packed | bin/run: not-included
--include tests/test_a.py --exclude tests | tests/test_a.py: exclude
--include *.py,*.md --exclude docs | tests/test_a.py: packed | docs/guide.md: exclude
--include *.{py,md} | tests/test_a.py: packed | docs/guide.md: packed | bin/run: not-included
--include {tests,docs}/** | tests/test_a.py: packed | docs/guide.md: packed
--include *.log | a.log: packed | keep.log: packed
--include vendor | vendor/lib.go: packed | dist/bundle.js: default
--include vendor/lib.go,by-loom.txt | vendor/lib.go: packed | by-loom.txt: packed
--include node_modules/**/*.js | node_modules/x/index.js: packed
--include {vendor,dist}/* | vendor/lib.go: packed | dist/bundle.js: packed
--include ignored-dir/untracked.txt | ignored-dir/untracked.txt: packed
--include Cargo.lock,enc/*.dat | Cargo.lock: packed | package-lock.json: not-included | enc/binary.dat: binary
--include /only-top.txt | only-top.txt: packed | sub/only-top.txt: not-included
--include ./sub | sub/only-top.txt: packed | only-top.txt: not-included
--exclude **/*.txt --include enc/*.txt | enc/cut.txt: packed | sub/only-top.txt: exclude
--exclude docs --include **/*.md | docs/guide.md: packed
";

#[test]
fn the_last_pattern_that_matches_decides() {
    let sandbox = odd();
    for case in PATTERNS.trim().lines() {
        let (args, expected) = case.split_once(" | ").unwrap();
        let args: Vec<_> = args.split(' ').collect();
        println!("{case}");
        pack(&sandbox, &args).check(&expected.replace(" | ", "\n"));
    }
}

#[test]
fn folders_marked_as_caches_are_left_out() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "a").write("cache/x.txt", "x");
    sandbox.write(
        "cache/CACHEDIR.TAG",
        "Signature: 8a477f597d28d172789f06886806bc55",
    );
    sandbox
        .write("venv/pyvenv.cfg", "")
        .write("venv/lib/x.py", "x");
    pack(&sandbox, &[]).check("a.txt: packed\ncache/x.txt: default\nvenv/lib/x.py: default");
    pack(&sandbox, &["cache"]).check("x.txt: packed");
    pack(&sandbox, &["--include", "cache/x.txt"]).check("cache/x.txt: packed");
    pack(&sandbox, &["--include", "cache"]).check("cache/x.txt: packed\nvenv/lib/x.py: default");
    pack(&sandbox, &["--no-default-ignore"]).check("cache/x.txt: packed\nvenv/lib/x.py: packed");
}

#[test]
fn a_wrong_pattern_is_named() {
    let run = loom(&Sandbox::new(), &["pack", "--include", "{a"]);
    assert_eq!(run.code, 2);
    assert!(
        run.stderr
            .contains("flag --include: \"{a\" is not a valid pattern"),
        "{}",
        run.stderr
    );
}
