//! The mentions of any text in any language have the searched name, and are in order. The first
//! byte chooses the language.
//!
//! Run with `cargo +nightly fuzz run mentions` in the parent directory.

#![no_main]

use libfuzzer_sys::fuzz_target;
use loom_syntax::{Language, Limits, has_grammar, mentions};

fuzz_target!(|input: (u8, &str, &str)| {
    let (choice, name, text) = input;
    let known: Vec<Language> = Language::all().filter(|one| has_grammar(*one)).collect();
    let language = known[usize::from(choice) % known.len()];
    let mut end = 0;
    for one in mentions(language, text, name, &Limits::default()) {
        assert_eq!(text.get(one.span.range()), Some(name));
        assert!(end <= one.span.start);
        end = one.span.end;
    }
});
