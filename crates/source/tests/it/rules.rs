//! Precedence of rules in corner cases.

use std::fmt::Write;

use loom_source::{Filter, FilterKind};
use loom_testkit::Sandbox;

use crate::{scan, scan_including, taken};

#[test]
fn a_long_ignore_file_holds_and_a_huge_one_is_said() {
    let patterns = |count: usize| {
        let mut text = String::new();
        (0..count).for_each(|at| writeln!(text, "generated-file-{at}.txt").unwrap());
        text + "secret.txt\n"
    };
    let sandbox = Sandbox::new();
    sandbox.write("secret.txt", "x").write("a.txt", "x");
    sandbox.write(".gitignore", patterns(20_000));
    let long = scan(&sandbox);
    assert_eq!(taken(&long), [".gitignore", "a.txt"]);
    assert!(long.warnings.is_empty());
    sandbox.write(".gitignore", patterns(60_000));
    let warnings = scan(&sandbox).warnings;
    let warning = warnings.first().unwrap();
    assert!(warning.starts_with("ignoring .gitignore"), "{warning}");
}

#[test]
fn patterns_include_files_in_skipped_directories() {
    let sandbox = Sandbox::new();
    sandbox
        .write("vendor/a/x.go", "x")
        .write("package.json", "{}");
    for glob in ["{vendor/a,dist}/x.go", "vendor/a/x.go", "vendor/**"] {
        assert_eq!(
            taken(&scan_including(&sandbox, &[glob])),
            ["vendor/a/x.go"],
            "{glob}"
        );
    }
}

#[test]
fn a_pattern_has_a_longest_length() {
    let long = "a/".repeat(600) + "b";
    assert!(Filter::new(FilterKind::Include, &long).is_err());
    assert!(Filter::new(FilterKind::Include, &"a/".repeat(500)).is_ok());
    let nested = format!("{}a{}", "{".repeat(300), "}".repeat(300));
    assert!(Filter::new(FilterKind::Include, &nested).is_err());
    let wide = format!("{}[ab]", "?".repeat(1000));
    assert!(Filter::new(FilterKind::Include, &wide).is_ok());
}

#[test]
fn output_directories_depend_on_their_position() {
    let sandbox = Sandbox::new();
    sandbox.write("target/core.c", "x").write("dist/a.c", "x");
    // Without a repository or a manifest, these are source directories.
    assert_eq!(taken(&scan(&sandbox)), ["dist/a.c", "target/core.c"]);
    sandbox.write("Cargo.toml", "");
    assert_eq!(taken(&scan(&sandbox)), ["Cargo.toml"]);
}

#[test]
fn a_pattern_takes_back_a_marked_folder() {
    let sandbox = Sandbox::new();
    sandbox
        .write("cache/CACHEDIR.TAG", "x")
        .write("cache/a.txt", "x");
    assert!(taken(&scan(&sandbox)).is_empty());
    sandbox.write(".infiniloomignore", "!cache/\n");
    let all = [".infiniloomignore", "cache/CACHEDIR.TAG", "cache/a.txt"];
    assert_eq!(taken(&scan(&sandbox)), all);
}

#[test]
fn own_unfinished_files_are_skipped() {
    let sandbox = Sandbox::new();
    sandbox.write(".infiniloom-Xy12.tmp", "x").write("a", "x");
    assert_eq!(taken(&scan(&sandbox)), ["a"]);
}
