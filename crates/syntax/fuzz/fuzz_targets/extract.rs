//! Any text in any language has a structure whose spans lie in the text. The first
//! byte chooses the language; real files as a corpus need one in front.
//!
//! Run with `cargo +nightly fuzz run extract` in this folder's parent.

#![no_main]

use libfuzzer_sys::fuzz_target;
use loom_syntax::{Language, Limits, extract};

const LANGUAGES: &[&str] = &[
    "bash", "c", "cpp", "csharp", "css", "go", "html", "java", "javascript", "json", "jsx", "kotlin",
    "markdown", "php", "python", "ruby", "rust", "scala", "sql", "svelte", "swift", "toml", "tsx",
    "typescript", "vue", "yaml",
];

fuzz_target!(|input: (u8, &str)| {
    let (choice, text) = input;
    let id = LANGUAGES[usize::from(choice) % LANGUAGES.len()];
    let Some(language) = Language::from_id(id) else {
        return;
    };
    let limits = Limits { all: true, ..Limits::default() };
    let found = extract(language, text, &limits);
    for symbol in &found.symbols {
        assert!(text.get(symbol.span.range()).is_some());
        assert!(text.get(symbol.name_span.range()).is_some());
    }
    for reference in &found.references {
        assert_eq!(text.get(reference.span.range()), Some(reference.name.as_str()));
    }
});
