//! Any text in any language has a structure whose spans are inside the text. The first byte chooses
//! the language; corpus files need such a byte before their text.
//!
//! Run with `cargo +nightly fuzz run extract` in the parent directory.

#![no_main]

use libfuzzer_sys::fuzz_target;
use loom_syntax::{Language, Limits, extract, has_grammar};

fuzz_target!(|input: (u8, &str)| {
    let (choice, text) = input;
    let known: Vec<Language> = Language::all().filter(|one| has_grammar(*one)).collect();
    let language = known[usize::from(choice) % known.len()];
    let limits = Limits {
        all: true,
        ..Limits::default()
    };
    let found = extract(language, text, &limits);
    for symbol in &found.symbols {
        assert!(text.get(symbol.span.range()).is_some());
        assert!(text.get(symbol.name_span.range()).is_some());
    }
    for reference in &found.references {
        assert_eq!(
            text.get(reference.span.range()),
            Some(reference.name.as_str())
        );
    }
});
