//! Any text in any language is compressed at any level: no panic, ascending line numbers, and a
//! result that is longer by one marker at most.
//!
//! Run with `cargo +nightly fuzz run compress` in the parent directory.

#![no_main]

use libfuzzer_sys::fuzz_target;
use loom_syntax::{Compression, Language, Level, Limits, PreservedKind, compress};

const LANGUAGES: &[&str] = &[
    "bash",
    "c",
    "cpp",
    "csharp",
    "css",
    "go",
    "html",
    "java",
    "javascript",
    "json",
    "jsx",
    "kotlin",
    "markdown",
    "php",
    "python",
    "ruby",
    "rust",
    "scala",
    "sql",
    "svelte",
    "swift",
    "toml",
    "tsx",
    "typescript",
    "vue",
    "yaml",
    "lua",
    "text",
];

fuzz_target!(|input: (u8, u8, &str)| {
    let (choice, way, text) = input;
    let language = Language::from_id(LANGUAGES[usize::from(choice) % LANGUAGES.len()]);
    let kept = PreservedKind::ALL[usize::from(way >> 4) % PreservedKind::ALL.len()].1;
    let how = Compression {
        level: Level::ALL[usize::from(way) % Level::ALL.len()],
        preserve: [kept].into_iter().collect(),
        remove_comments: way & 4 != 0,
        minify_whitespace: way & 8 != 0,
    };
    let limits = Limits {
        all: true,
        ..Limits::default()
    };
    let found = compress(language, text, &how, &limits);
    let lines = 1..=found.lines.count();
    assert!(lines.map(|line| found.lines.original(line)).is_sorted());
    assert_eq!(found.lines.count(), found.text.lines().count());
});
