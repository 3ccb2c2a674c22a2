//! Any two texts have a patch, and marks that can be removed again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use loom_engine::{Marks, count_changes, similarity, unmark};

fuzz_target!(|texts: (&str, &str)| {
    let (old, new) = texts;
    let counts = count_changes(old.as_bytes(), new.as_bytes());
    assert_eq!(counts.added + counts.removed == 0, old == new);
    assert!(similarity(old, new) <= 100);
    if let Some(marks) = Marks::between(old, new) {
        assert_eq!(unmark(&marks.apply(new, 1)), new);
    }
});
