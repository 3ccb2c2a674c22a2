//! Any text is read as a query or refused with a place in it; what compiles is asked,
//! and what it finds is a candidate of the index too.
//!
//! Run with `cargo +nightly fuzz run query` in this folder's parent.

#![no_main]

use libfuzzer_sys::fuzz_target;
use loom_base::ContentHash;
use loom_search::{
    Candidates, Contents, Document, Program, Query, QueryOptions, Segment, SegmentBuilder,
};

fuzz_target!(|input: (&str, &str)| {
    let (text, document) = input;
    let options = QueryOptions::default();
    for query in [
        Query::parse(text, &options),
        Query::regex(text, &options),
        Query::literal(text, &options),
    ] {
        match query {
            Ok(query) => ask(&query, document),
            Err(error) => assert!(text.get(error.at()).is_some()),
        }
    }
});

fn ask(query: &Query, text: &str) {
    let Ok(program) = Program::new(query) else {
        return;
    };
    let found = program.run(&Document::new(b"src/a.rs", Some("rust"), text.as_bytes()));
    let mut builder = SegmentBuilder::default();
    builder.add(&Contents {
        hash: ContentHash::from_bytes([1; 32]),
        seen_as: 0,
        text,
        is_always: false,
        symbols: &[],
        comments: &[],
    });
    let segment = Segment::open(builder.finish()).expect("what was built is whole");
    let candidates = Candidates::new(query).of(&segment).expect("it is whole");
    assert!(found.is_none() || candidates[0]);
}
