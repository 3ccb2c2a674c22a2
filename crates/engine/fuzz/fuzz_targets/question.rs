//! Any text is parsed as a question without a panic, and the result is bounded.

#![no_main]

use libfuzzer_sys::fuzz_target;
use loom_engine::context::ParsedQuery;

fuzz_target!(|text: &str| {
    let query = ParsedQuery::new(text);
    assert!(query.terms.len() <= 256 && query.paths.len() <= 64);
    assert!(query.terms.iter().all(|(term, weight)| !term.is_empty() && *weight > 0.0));
});
