//! Parses any text as a query, or rejects it with a position. If it compiles, every match is also a
//! candidate of the index.
//!
//! Run with `cargo +nightly fuzz run query` in the parent directory.

#![no_main]

use libfuzzer_sys::fuzz_target;
use loom_base::ContentHash;
use loom_search::{
    Candidates, Contents, Document, PatternKind, Program, Query, QueryOptions, Question, Segment,
    SegmentBuilder, Sieve,
};

fuzz_target!(|input: (&str, &str)| {
    let (text, document) = input;
    let options = QueryOptions::default();
    let sieve = Sieve::new(document.as_bytes());
    for query in [
        Query::parse(text, &options),
        Query::regex(text, &options),
        Query::literal(text, &options),
        Query::any_line(text, PatternKind::Regex, &options),
        Query::any_line(text, PatternKind::Literal, &options),
    ] {
        match query {
            Ok(query) => ask(&query, document, &sieve),
            Err(error) => assert!(text.get(error.at()).is_some()),
        }
    }
    let _ = Question::new(text);
});

fn ask(query: &Query, text: &str, sieve: &Sieve) {
    let Ok(program) = Program::new(query) else {
        return;
    };
    let found = program.run(&Document::new(b"src/a.rs", Some("rust"), text.as_bytes()), usize::MAX);
    let candidates = Candidates::new(query);
    assert!(found.is_none() || candidates.pass(sieve));
    // Building a segment takes a thousand times longer than everything else.
    if text.len() % 64 == 3 {
        assert!(found.is_none() || is_candidate(&candidates, text));
    }
}

fn is_candidate(candidates: &Candidates, text: &str) -> bool {
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
    candidates.of(&segment).expect("it is whole")[0]
}
