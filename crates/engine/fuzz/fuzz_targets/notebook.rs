//! Any text is parsed as a notebook or rejected; the cells contain no outputs.
//!
//! Run with `cargo +nightly fuzz run notebook` in the parent directory.

#![no_main]

use libfuzzer_sys::fuzz_target;
use loom_engine::{cells, inspect, number_lines};

fuzz_target!(|text: &str| {
    let _ = inspect(text);
    let numbered = number_lines(text, 1);
    assert_eq!(numbered.matches('\n').count(), text.matches('\n').count());
    if let Some(script) = cells(text) {
        assert!(script.is_empty() || script.starts_with("# %%"));
    }
});
