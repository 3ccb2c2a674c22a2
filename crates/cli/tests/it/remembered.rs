//! The cache: results do not depend on it, even if it is damaged, full or shared.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use loom_testkit::{Run, Sandbox, odd_tree};
use serde_json::Value;

use crate::packed::{BINARY, loom};

/// Commands whose results are compared.
const COMMANDS: [&[&str]; 12] = [
    &["pack", "-q"],
    &["pack", "-q", "--max-tokens-per-file", "30"],
    &["pack", "-q", "--compress", "aggressive", "--line-numbers"],
    &["search", "helper", "-C", "1"],
    &["def", "run"],
    &["refs", "helper_3"],
    &["map", "--budget", "1500"],
    &["symbols", "--format", "json", "--references", "--imports"],
    &["tokens", "-q", "--format", "json"],
    &["chunk", "-q"],
    &["scan", "-q", "--format", "json"],
    &["outline", "src/0.py", "--format", "json"],
];

pub(crate) fn tree() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.git(&["init", "-q"]);
    for at in 0..12 {
        let text = format!(
            "import os\n\nclass A{at}:\n    \"\"\"Doc {at}.\"\"\"\n    def run(self, x):\n        return helper_{at}(x) + {at}\n"
        );
        sandbox.write(format!("src/{at}.py"), text);
    }
    sandbox.write("settings.py", "PASSWORD = 'Tq8vZr2LmX4w'\n");
    sandbox.write("picture.png", b"\x89PNG\r\n\x1a\n\0\0\0\0");
    sandbox
}

fn answers(sandbox: &Sandbox, more: &[&str]) -> Vec<Vec<u8>> {
    let one = |args: &&[&str]| loom(sandbox, &[*args, more].concat()).stdout;
    COMMANDS.iter().map(one).collect()
}

fn index(sandbox: &Sandbox) -> Value {
    let text = loom(sandbox, &["index", "--format", "json"]).ok();
    serde_json::from_str(&text).unwrap()
}

/// Returns the file of the index with this extension.
fn kept(folder: &Path, ending: &str) -> PathBuf {
    let folders = fs::read_dir(folder).unwrap().flatten();
    let files = folders.filter_map(|entry| fs::read_dir(entry.path()).ok());
    let mut files = files.flatten().flatten().map(|entry| entry.path());
    let is_it = |path: &PathBuf| path.extension().is_some_and(|found| found == ending);
    files.find(is_it).unwrap()
}

fn stores(folder: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => bytes.extend(stores(&path)),
            false => bytes.extend(fs::read(path).unwrap()),
        }
    }
    bytes
}

#[test]
fn every_command_says_the_same_with_and_without() {
    let sandbox = tree();
    odd_tree(&sandbox);
    let expected = answers(&sandbox, &["--no-cache"]);
    assert!(!sandbox.home().join(".cache/infiniloom").exists());
    assert_eq!(answers(&sandbox, &[]), expected);
    // File times are trusted only if they are old enough.
    sandbox.age_files();
    assert_eq!(answers(&sandbox, &[]), expected);
    let before = index(&sandbox);
    assert_eq!(answers(&sandbox, &[]), expected);
    for hash in ["sha256", "xxhash64"] {
        for compression in ["lz4", "none"] {
            let toml = format!("[cache]\nhash = \"{hash}\"\ncompression = \"{compression}\"\n");
            fs::write(sandbox.home().join("other.toml"), toml).unwrap();
            let config = sandbox.home().join("other.toml");
            let more = ["--config", config.to_str().unwrap()];
            assert_eq!(answers(&sandbox, &more), expected, "{hash} {compression}");
            assert_eq!(answers(&sandbox, &more), expected, "{hash} {compression}");
        }
    }
    assert_eq!(before["files"], index(&sandbox)["files"]);
}

#[test]
fn no_secret_is_remembered_in_the_clear() {
    let sandbox = Sandbox::new();
    sandbox.write("a.py", "PASSWORD = 'Tq8vZr2LmX4wKp'\n");
    sandbox.write(
        "b.py",
        "def connect(key='Tq8vZr2LmX4wKp'):\n    '''Uses Tq8vZr2LmX4wKp.'''\n",
    );
    sandbox.write("c.rs", "/// AKIAQ3EGRZV6J5MNOPQR\npub fn f() { g(\"ghp_16C7e42F292c6912E7710c838347Ae178B4a\") }\n");
    loom(&sandbox, &["index"]).ok();
    for args in COMMANDS {
        loom(&sandbox, args);
    }
    let bytes = stores(&sandbox.home().join(".cache/infiniloom"));
    assert!(bytes.len() > 10_000);
    for secret in ["Tq8vZr2L", "AKIAQ3EG", "ghp_16C7"] {
        let secret = secret.as_bytes();
        assert!(!bytes.windows(secret.len()).any(|part| part == secret));
    }
    // The store contains no other text of the files either; only the search index does.
    let store = fs::read(sandbox.home().join(".cache/infiniloom/store-2.db")).unwrap();
    assert!(!store.windows(7).any(|part| part == b"connect"));
}

#[test]
fn a_store_that_cannot_be_used_is_told_once_and_harms_nothing() {
    let sandbox = tree();
    // A context is cached only if every file is older than the precision of the clock.
    sandbox.age_files();
    let expected = answers(&sandbox, &["--no-cache"]);
    sandbox.write("../file", "in the way");
    let run = loom(&sandbox, &["pack", "--cache-dir", "../file/cache"]);
    assert_eq!(run.stdout, expected[0]);
    assert_eq!(
        run.stderr
            .matches("nothing is remembered for the next run")
            .count(),
        1
    );
    // A damaged store is replaced.
    let folder = sandbox.home().join(".cache/infiniloom");
    loom(&sandbox, &["index"]).ok();
    for at in [0, 20, 5000] {
        let file = folder.join("store-2.db");
        let mut bytes = fs::read(&file).unwrap();
        bytes[at..at + 200].fill(0x5a);
        fs::write(&file, bytes).unwrap();
        assert_eq!(answers(&sandbox, &[]), expected, "{at}");
        assert_eq!(answers(&sandbox, &[]), expected, "{at}");
        loom(&sandbox, &["index"]).ok();
    }
    assert!(
        loom(&sandbox, &["cache", "verify"])
            .ok()
            .contains("all right")
    );
    assert!(
        loom(&sandbox, &["cache", "stats"])
            .ok()
            .contains("14 files in 1 tree")
    );
    // `verify` also checks the files next to the store.
    loom(&sandbox, &["context", "helper", "--format", "json"]).ok();
    loom(&sandbox, &["search", "helper"]).ok();
    for ending in ["context", "segment", "tree"] {
        let kept = kept(&folder, ending);
        let mut bytes = fs::read(&kept).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(&kept, bytes).unwrap();
        let verified = loom(&sandbox, &["cache", "verify"]);
        assert_eq!(verified.code, 1, "{ending}");
        let told = verified.text();
        assert!(told.contains("of which 1 were not right"), "{told}");
        assert!(!kept.exists(), "{ending}");
    }
    loom(&sandbox, &["cache", "clean"]).ok();
    assert!(!folder.join("store-2.db").exists());
    assert_eq!(
        loom(&sandbox, &["cache", "verify"]).ok(),
        "nothing is remembered\n"
    );
    let refused = loom(&sandbox, &["index", "--no-cache"]);
    assert_eq!(refused.code, 2);
}

/// Builds a library that makes writes fail, or kills the process at a write.
#[cfg(target_os = "linux")]
fn failing_writes(sandbox: &Sandbox) -> PathBuf {
    let shim = sandbox.path("../failing.so");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/failing_writes.c");
    let built = Command::new("cc")
        .args(["-shared", "-fPIC", "-O1", "-o"])
        .arg(&shim)
        .args([source, "-ldl"])
        .status();
    assert!(built.unwrap().success());
    shim
}

#[cfg(target_os = "linux")]
#[test]
fn processes_that_are_killed_leave_a_store_that_works() {
    // `cargo xtask suite kills` runs more of them.
    let kills = std::env::var("LOOM_KILLS").map_or(40, |count| count.parse().unwrap());
    let sandbox = tree();
    for at in 0..60 {
        sandbox.write(
            format!("more/{at}.rs"),
            format!("pub fn f{at}() {{ g{at}(1) }}\n").repeat(20),
        );
    }
    let expected = answers(&sandbox, &["--no-cache"]);
    let shim = failing_writes(&sandbox);
    let is_killed_at = |write: u64| {
        let mut command = quiet(&sandbox, &["index"]);
        command
            .env("LD_PRELOAD", &shim)
            .env("LOOM_FAIL_AT", write.to_string())
            .env("LOOM_FAIL_IN", ".cache/infiniloom")
            .env("LOOM_FAIL_WITH", "kill");
        !command.status().unwrap().success()
    };
    let (mut chance, mut killed): (u64, u64) = (17, 0);
    // The number of writes of a run with an empty cache, which the first run determines.
    let mut writes = u64::MAX;
    let mut is_empty = true;
    while killed < kills {
        if is_empty {
            loom(&sandbox, &["cache", "clean", "-q"]).ok();
        }
        chance = chance
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        let write = 1 + (chance >> 33) % writes.min(1000);
        if !is_killed_at(write) {
            // The run ended before that write.
            if is_empty {
                writes = write - 1;
                assert!(writes > 10, "an index makes hardly a write");
            }
            is_empty = true;
            continue;
        }
        killed += 1;
        is_empty = killed.is_multiple_of(5);
        if killed.is_multiple_of(10) {
            assert_eq!(answers(&sandbox, &[]), expected, "{killed}");
            let verified = loom(&sandbox, &["cache", "verify"]).ok();
            assert!(verified.contains("all right"), "{verified}");
        }
    }
    println!("figure: kills = {killed}");
}

fn quiet(sandbox: &Sandbox, args: &[&str]) -> Command {
    let mut command = sandbox.command(BINARY);
    command
        .args(args)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

#[test]
fn several_at_once_are_safe() {
    let sandbox = tree();
    let expected = answers(&sandbox, &["--no-cache"]);
    for _ in 0..3 {
        let runs: Vec<_> = (0..4)
            .map(|at| quiet(&sandbox, COMMANDS[at % 3]).spawn().unwrap())
            .chain((0..2).map(|_| quiet(&sandbox, &["index"]).spawn().unwrap()))
            .collect();
        for mut run in runs {
            assert!(run.wait().unwrap().success());
        }
        assert_eq!(answers(&sandbox, &[]), expected);
        loom(&sandbox, &["cache", "clean", "-q"]).ok();
    }
}

/// Each write to the store fails once: first only that write, then also all later ones.
#[cfg(target_os = "linux")]
#[test]
fn no_failing_write_harms_an_answer() {
    let sandbox = tree();
    let shim = failing_writes(&sandbox);
    let symbols = COMMANDS[1];
    let expected = loom(&sandbox, &[symbols, &["--no-cache"]].concat()).stdout;
    let mark = sandbox.path("../failed");
    // Returns whether a write with that number occurred.
    let fail = |at: usize, with: &str, goes_on: &str| {
        let _ = fs::remove_file(&mark);
        loom(&sandbox, &["cache", "clean", "-q"]).ok();
        let mut command = sandbox.command(BINARY);
        command
            .args(symbols)
            .env("LD_PRELOAD", &shim)
            .env("LOOM_FAIL_AT", at.to_string())
            .env("LOOM_FAIL_IN", "store-")
            .env("LOOM_FAIL_WITH", with)
            .env("LOOM_FAIL_ON", goes_on)
            .env("LOOM_FAILED", &mark);
        let run = Run::from(command.output().unwrap());
        assert_eq!(run.stdout, expected, "{with} {at}");
        let next = loom(&sandbox, symbols).stdout;
        assert_eq!(next, expected, "{with} {at}");
        mark.exists()
    };
    for (with, goes_on) in [("full", "yes"), ("broken", "no")] {
        let writes = (1..).take_while(|at| fail(*at, with, goes_on)).count();
        assert!(writes > 10, "only {writes} writes");
    }
}

/// The cache does not belong to the repository, even if it is inside.
#[test]
fn a_cache_inside_the_repository_is_left_out() {
    let sandbox = Sandbox::new();
    sandbox.write("a.py", "def one(): pass\n").commit_all();
    let mut last = None;
    for _ in 0..2 {
        let args = ["pack", "--cache-dir", "here/cache", "-v"];
        let run = loom(&sandbox, &args);
        assert!(run.ok().contains("reason=\"cache\""), "{}", run.text());
        assert!(run.stderr.contains("here/cache"), "{}", run.stderr);
        assert!(last.is_none_or(|last| last == run.stdout));
        last = Some(run.stdout);
    }
    let run = loom(&sandbox, &["index", "--cache-dir", "here/cache"]);
    assert!(run.ok().contains("1 file,"), "{}", run.text());
}
