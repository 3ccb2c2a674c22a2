//! A pack in parts: each within its size, together the whole.

use std::fs;
use std::path::Path;

use infiniloom::host::{count, model};
use loom_testkit::{Sandbox, odd_tree};

use crate::packed::{formats, loom, pack};
use crate::readers::{self, Files, joined};

/// The texts of the parts beside `out`, in order.
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

/// More text than may be kept: parts of it are read again.
#[test]
fn a_file_larger_than_the_memory_is_divided() {
    let sandbox = Sandbox::new();
    let line = |number: usize| format!("line {number} of a long file\n");
    let text: String = (0..100_000).map(line).collect();
    sandbox.write("long.txt", &text);
    sandbox.write("after.txt", "the end\n");
    let args = [
        "pack",
        "-q",
        "--max-memory",
        "128mb",
        "--split",
        "50k",
        "-o",
        "../out.txt",
    ];
    loom(&sandbox, &args).ok();
    let parts = parts(&sandbox);
    let read = parts.iter().flat_map(|part| readers::read("xml", part));
    let files = joined(read);
    assert!(parts.len() > 10, "{}", parts.len());
    assert!(files == joined(readers::read("xml", &loom(&sandbox, &["pack"]).ok())));
}

/// Only the first part has the sections; the others have room for many files.
#[test]
fn sections_take_room_of_the_first_part_only() {
    let sandbox = Sandbox::new();
    sandbox.git(&["init", "-q"]);
    let long: String = (0..4_000).map(|number| format!("{number}\n")).collect();
    sandbox.write("a.txt", "");
    sandbox.git(&["add", "."]);
    sandbox.git(&["commit", "-qm", "first"]);
    sandbox.write("a.txt", &long);
    for number in 0..60 {
        sandbox.write(format!("b{number}.txt"), "some words in a small file\n");
    }
    let args = ["pack", "-q", "--diff", "--split", "26k", "-o", "../out.txt"];
    loom(&sandbox, &args).ok();
    assert!(parts(&sandbox).len() < 4, "{}", parts(&sandbox).len());
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
fn odd_files_are_whole_again() {
    let sandbox = Sandbox::new();
    odd_tree(&sandbox);
    sandbox.write("wide.txt", "wörter ohne Ende ".repeat(4_000));
    sandbox.write("long.txt", "one line\r\nand another\n".repeat(3_000));
    for format in formats() {
        let whole = readers::read(format, &loom(&sandbox, &["pack", "-f", format]).ok());
        check(&sandbox, format, ".", &whole);
    }
}

#[test]
fn a_file_is_split_only_when_it_must_be() {
    let sandbox = Sandbox::new();
    for name in ["a", "b", "c"] {
        sandbox.write(name, "a line of some words\n".repeat(100));
    }
    sandbox.write("d", "a line of some words\n".repeat(1_000));
    let parts = split(&sandbox, "json", "1200", ".");
    let of_part: Vec<Vec<String>> = parts
        .iter()
        .map(|part| {
            readers::json(part)
                .into_iter()
                .map(|(path, _)| path)
                .collect()
        })
        .collect();
    for name in ["a", "b", "c"] {
        assert_eq!(
            of_part
                .iter()
                .flatten()
                .filter(|path| *path == name)
                .count(),
            1
        );
    }
    assert!(of_part.iter().flatten().filter(|path| *path == "d").count() > 3);
    assert!(parts[0].contains("\"part\":1,\n\"parts\":"), "{}", parts[0]);
    let numbered = split(&sandbox, "compact", "1200", ".").len();
    assert!(numbered > 3);
    let args = [
        "pack",
        "-q",
        "--line-numbers",
        "-f",
        "compact",
        "--split",
        "1500",
        "-o",
        "../out.txt",
    ];
    clear(&sandbox);
    loom(&sandbox, &args).ok();
    let last = parts_of_last(&sandbox);
    assert!(last.contains("1000: a line of some words"), "{last}");
}

fn parts_of_last(sandbox: &Sandbox) -> String {
    parts(sandbox).pop().unwrap()
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
        run.stderr.contains("smallest possible is"),
        "{}",
        run.stderr
    );
    assert!(parts(&sandbox).is_empty());
}
