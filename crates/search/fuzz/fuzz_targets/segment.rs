//! Opens any bytes as a segment, or reports damage; no query panics on an opened segment.
//!
//! Run with `cargo +nightly fuzz run segment` in the parent directory.

#![no_main]

use libfuzzer_sys::fuzz_target;
use loom_search::{
    Candidates, Live, Query, QueryOptions, Question, Ranking, Segment, Weights, defining, rank,
};
use twox_hash::XxHash3_64;

fuzz_target!(|bytes: &[u8]| {
    ask(bytes);
    ask(&with_its_sum(bytes));
});

/// Adds a valid checksum of the header and tables, so that the fuzzer also reaches damage in the
/// tables.
fn with_its_sum(bytes: &[u8]) -> Vec<u8> {
    const HEAD: usize = 48;
    const CONTENT: usize = 56;
    const ENTRY: usize = 8;
    const TERM: usize = 12;
    let mut bytes = bytes.to_vec();
    let count = |at: usize| {
        let number = bytes.get(at..at + 4).map_or([0; 4], |four| four.try_into().unwrap());
        u32::from_le_bytes(number) as usize
    };
    let tables = HEAD + count(12) * CONTENT + count(16) * ENTRY + count(20) * TERM;
    if tables <= bytes.len() {
        let sum = check(check(0, &bytes[..HEAD - 8]), &bytes[HEAD..tables]);
        bytes[HEAD - 8..HEAD].copy_from_slice(&sum.to_le_bytes());
    }
    bytes
}

/// Repeats the checksum of segments.
fn check(seed: u64, bytes: &[u8]) -> u64 {
    XxHash3_64::oneshot_with_seed(seed, bytes)
}

fn ask(bytes: &[u8]) {
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
}
