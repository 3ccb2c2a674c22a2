//! Any bytes are a segment or damaged, and no question breaks what was opened.
//!
//! Run with `cargo +nightly fuzz run segment` in this folder's parent.

#![no_main]

use libfuzzer_sys::fuzz_target;
use loom_search::{
    Candidates, Live, Query, QueryOptions, Question, Ranking, Segment, Weights, defining, rank,
};

fuzz_target!(|bytes: &[u8]| {
    let Ok(segment) = Segment::open(bytes) else {
        return;
    };
    let query = Query::literal("some text", &QueryOptions::default()).expect("a literal");
    let _ = Candidates::new(&query).of(&segment);
    let _ = defining(&segment, "some_name");
    let live: Vec<Live<'_>> = (0..segment.len().min(8))
        .map(|content| Live {
            path: "a.rs",
            segment: 0,
            content,
        })
        .collect();
    let question = Question::new("some text with names");
    let _ = rank(&question, &[&segment], &live, Ranking::CodeAware, &Weights::default());
});
