//! Any text is parsed as a question without a panic, and the result is bounded.

#![no_main]

use libfuzzer_sys::fuzz_target;
use loom_engine::context::Asked;

fuzz_target!(|text: &str| {
    let asked = Asked::new(text);
    assert!(asked.terms.len() <= 256 && asked.paths.len() <= 64);
    assert!(asked.terms.iter().all(|(term, weight)| !term.is_empty() && *weight > 0.0));
});
