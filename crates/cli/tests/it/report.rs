//! The report counts and names every outcome.

use std::collections::BTreeMap;

use loom_testkit::{Sandbox, odd_tree};
use serde_json::Value;

use crate::packed::{Packed, loom, pack};

fn odd() -> (Sandbox, Packed) {
    let sandbox = Sandbox::new();
    odd_tree(&sandbox);
    let packed = pack(&sandbox, &[]);
    (sandbox, packed)
}

fn sum(files: &[Value], field: &str) -> u64 {
    files.iter().map(|file| file[field].as_u64().unwrap()).sum()
}

#[test]
fn the_counts_are_those_of_the_names() {
    let (_sandbox, packed) = odd();
    let report = &packed.report;
    let files = report["files"].as_array().unwrap();
    let statistics = &report["statistics"];
    assert_eq!(statistics["files"], files.len());
    assert_eq!(statistics["lines"], sum(files, "lines"));
    assert_eq!(statistics["tokens"], sum(files, "tokens"));
    assert_eq!(
        statistics["bytes"],
        packed.files.values().map(String::len).sum::<usize>()
    );
    let languages = statistics["languages"].as_array().unwrap();
    assert_eq!(sum(languages, "tokens"), sum(files, "tokens"));
    assert_eq!(sum(languages, "files"), files.len() as u64);
    let mut counted: BTreeMap<&str, u64> = BTreeMap::new();
    for left in report["left_out"].as_array().unwrap() {
        *counted.entry(left["reason"].as_str().unwrap()).or_default() += 1;
    }
    let said = statistics["left_out"].as_array().unwrap().iter();
    let said = said.map(|one| {
        (
            one["reason"].as_str().unwrap(),
            one["count"].as_u64().unwrap(),
        )
    });
    assert_eq!(said.collect::<BTreeMap<_, _>>(), counted);
    assert_eq!(
        counted.values().sum::<u64>(),
        report["left_out"].as_array().unwrap().len() as u64
    );
}

#[test]
fn every_reason_is_put_into_words() {
    let (_sandbox, packed) = odd();
    let left_out = packed.report["left_out"].as_array().unwrap();
    let detail = |path: &str| {
        let left = left_out.iter().find(|left| left["path"] == path);
        left.map(|left| left["detail"].as_str().unwrap().to_owned())
    };
    for (path, expected) in [
        ("a.log", ".gitignore:1: *.log"),
        ("sub/nested.tmp", "sub/.gitignore:1: *.tmp"),
        (
            "excluded-locally.txt",
            ".git/info/exclude:1: excluded-locally.txt",
        ),
        ("by-loom.txt", ".infiniloomignore:1: by-loom.txt"),
        ("node_modules", "built-in default: node_modules/"),
        ("links/passwd", "symbolic link to /etc/passwd, not followed"),
        ("fifo", "named pipe, not read"),
        ("sock", "socket, not read"),
        ("enc/binary.dat", "binary"),
        ("code/lfs.bin", "git LFS pointer, contents not checked out"),
    ] {
        assert_eq!(detail(path).as_deref(), Some(expected), "{path}");
    }
}

/// The fields that programs rely on, and no others.
#[test]
fn the_shape() {
    let (_sandbox, packed) = odd();
    let keys = |value: &Value| {
        let keys = value.as_object().unwrap().keys().cloned();
        keys.collect::<Vec<_>>().join(" ")
    };
    let report = &packed.report;
    let top = "changed files format_version generator left_out name output secrets sections \
               statistics warnings";
    assert_eq!(keys(report), top);
    assert_eq!(
        keys(&report["output"]),
        "bytes estimated format model tokens tokens_upper vocabulary window"
    );
    assert_eq!(keys(&report["left_out"][0]), "detail is_dir path reason");
    let statistics = "bytes files languages left_out lines tokens vocabulary";
    assert_eq!(keys(&report["statistics"]), statistics);
    assert_eq!(report["format_version"], 1);
    assert_eq!(report["generator"], "infiniloom report");
    assert_eq!(report["output"]["format"], "json");
    assert_eq!(report["changed"], Value::Array(Vec::new()));
}

#[test]
fn verbose_names_all_that_is_left_out() {
    let (sandbox, packed) = odd();
    let stderr = loom(&sandbox, &["pack", "-v"]).stderr;
    for left in packed.report["left_out"].as_array().unwrap() {
        let slash = if left["is_dir"] == true { "/" } else { "" };
        let (path, detail) = (
            left["path"].as_str().unwrap(),
            left["detail"].as_str().unwrap(),
        );
        assert!(
            stderr.contains(&format!("  {path}{slash}: {detail}\n")),
            "{path}"
        );
    }
}

#[test]
fn rules_that_cannot_be_read_are_said() {
    let sandbox = Sandbox::new();
    sandbox.write("a", "x").commit_all();
    sandbox.write(".git/index", "garbage");
    let run = loom(&sandbox, &["pack", "--report", "r.json"]);
    assert_eq!(run.code, 0);
    let warning = "the git index in . cannot be read: what it tracks is not known";
    assert!(run.stderr.contains(warning), "{}", run.stderr);
    let report: Value = serde_json::from_str(&sandbox.read("r.json")).unwrap();
    assert_eq!(report["warnings"][0], warning);
    let dry = loom(&sandbox, &["pack", "--dry-run"]);
    assert!(dry.stderr.contains(warning), "{}", dry.stderr);
}

#[test]
fn nothing_from_a_repository_steers_the_terminal() {
    let sandbox = Sandbox::new();
    sandbox
        .write(".gitignore", "b\u{1b}[41m*\n")
        .write("b\u{1b}[41mx", "x");
    std::os::unix::fs::symlink("/etc/\u{1b}[2Jx", sandbox.path("link")).unwrap();
    for args in [
        &["pack", "-v"][..],
        &["pack", "--dry-run", "--tree"],
        &["why", "link", "b\u{1b}[41mx"],
    ] {
        let run = loom(&sandbox, args);
        let said = if args[1] == "-v" {
            run.stderr.clone()
        } else {
            run.text()
        };
        assert!(!said.contains('\u{1b}'), "{args:?}: {said}");
    }
    let wrong = loom(&sandbox, &["pack", "no\u{1b}[2Jpe"]);
    assert!(!wrong.stderr.contains('\u{1b}'), "{}", wrong.stderr);
}

/// A budget skips hundreds of files; a dry run names a few of them.
#[test]
fn dry_run_names_ten_skipped_files_and_counts_the_others() {
    let sandbox = Sandbox::new();
    for at in 0..40 {
        sandbox.write(format!("src/f{at:02}.txt"), "words and words\n".repeat(50));
    }
    let named = |args: &[&str]| {
        let args = [&["pack", "--dry-run", "--budget", "600"], args].concat();
        loom(&sandbox, &args).ok()
    };
    let count = |text: &str| text.matches(": no room for it within the budget\n").count();
    let brief = named(&[]);
    assert_eq!(count(&brief), 10, "{brief}");
    let all = named(&["-v"]);
    let total = count(&all);
    assert!(total > 30, "{all}");
    let more = format!("\n  {} more; -v names them\n", total - 10);
    assert!(brief.contains(&more), "{brief}");
    assert!(!all.contains("-v names them"), "{all}");
}

#[test]
fn skipped_directories_are_counted_as_directories() {
    let sandbox = Sandbox::new();
    sandbox
        .write(".gitignore", "out/\n*.log\n")
        .write("a.rs", "fn a() {}\n")
        .write("b.log", "x\n")
        .write("out/1.txt", "x\n")
        .write("out/2.txt", "x\n");
    let told = "left out: 2 gitignore (1 of them a directory)";
    for args in [&["pack", "-o", "../out.xml"][..], &["tokens"]] {
        let run = loom(&sandbox, args);
        assert!(run.stderr.contains(told), "{}", run.stderr);
    }
    let packed = pack(&sandbox, &[]);
    let shares = &packed.report["statistics"]["left_out"];
    assert_eq!(
        (&shares[0]["count"], &shares[0]["directories"]),
        (&2.into(), &1.into())
    );
}
