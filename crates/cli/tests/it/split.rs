//! A pack in parts: each within its size, together the whole pack.

use std::fs;
use std::path::Path;

use loom_models::{count, resolve as model};
use loom_testkit::Sandbox;

use crate::packed::{formats, loom, pack};
use crate::readers::{self, Files, joined};

/// Returns the texts of the parts next to `out`, in order.
fn parts(sandbox: &Sandbox) -> Vec<String> {
    let part =
        |number: usize| fs::read_to_string(sandbox.path(format!("../out.{number}.txt"))).ok();
    (1..).map_while(part).collect()
}

fn clear(sandbox: &Sandbox) {
    for number in 1..=parts(sandbox).len() {
        fs::remove_file(sandbox.path(format!("../out.{number}.txt"))).unwrap();
    }
}

fn split(sandbox: &Sandbox, format: &str, size: &str, folder: &str) -> Vec<String> {
    clear(sandbox);
    let args = [
        "pack",
        "-q",
        "-f",
        format,
        "--split",
        size,
        "-o",
        "../out.txt",
        folder,
    ];
    loom(sandbox, &args).ok();
    parts(sandbox)
}

#[track_caller]
fn check(sandbox: &Sandbox, format: &str, folder: &str, expected: &Files) {
    for most in [3_000, 20_000] {
        let parts = split(sandbox, format, &most.to_string(), folder);
        for part in &parts {
            let tokens = count(part, model("gpt-5").unwrap()).upper();
            assert!(tokens <= most, "{format}: {tokens} of {most}");
        }
        let files = joined(parts.iter().flat_map(|part| readers::read(format, part)));
        assert!(files == *expected, "{format} in parts of {most}");
    }
    let parts = split(sandbox, format, "30kb", folder);
    assert!(
        parts.len() > 1 && parts.iter().all(|part| part.len() <= 30_000),
        "{format}"
    );
    let files = joined(parts.iter().flat_map(|part| readers::read(format, part)));
    assert!(files == *expected, "{format} in parts of bytes");
}

#[test]
fn parts_are_within_their_size_and_together_the_whole() {
    let sandbox = Sandbox::new();
    let own = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("src")
        .display()
        .to_string();
    for format in formats() {
        let whole = readers::read(format, &loom(&sandbox, &["pack", "-f", format, &own]).ok());
        check(&sandbox, format, &own, &whole);
    }
}

#[test]
fn parts_of_another_run_are_not_packed_and_are_named() {
    let sandbox = Sandbox::new();
    sandbox.write("a", "a line of some words\n".repeat(1_000));
    let args = ["pack", "--split", "1k", "-o", "out.txt"];
    let first = loom(&sandbox, &args);
    assert_eq!(first.code, 0, "{}", first.stderr);
    let before = sandbox.read("out.2.txt");
    let again = loom(&sandbox, &args);
    assert_eq!(sandbox.read("out.2.txt"), before);
    assert!(!again.stderr.contains("earlier run"), "{}", again.stderr);
    let fewer = loom(&sandbox, &["pack", "--split", "3k", "-o", "out.txt"]);
    assert!(
        fewer.stderr.contains("is a part of an earlier run"),
        "{}",
        fewer.stderr
    );
    let packed = pack(&sandbox, &["--split=", "-o="]);
    assert_eq!(packed.paths(), ["a"]);
}

#[test]
fn without_a_name_or_room_it_is_refused() {
    let sandbox = Sandbox::new();
    sandbox.write("a", "words\n");
    let run = loom(&sandbox, &["pack", "--split", "1k"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("name them with -o"), "{}", run.stderr);
    let run = loom(&sandbox, &["pack", "--split", "20", "-o", "../out.txt"]);
    assert_eq!(run.code, 1);
    assert!(
        run.stderr.contains("the header of the pack needs "),
        "{}",
        run.stderr
    );
    assert!(parts(&sandbox).is_empty());
}
