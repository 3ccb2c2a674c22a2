//! The index has every match of a scan as a candidate, and damage is detected.

use std::ops::ControlFlow;

use loom_base::ContentHash;
use proptest::prelude::*;

use super::bytes::{HEAD, VERSION, check, u64_at};
use super::{Contents, Segment, SegmentBuilder};
use crate::plan::Plan;
use crate::{Case, Document, Expr, Pattern, PatternKind, Program, Query};

fn hash(number: usize) -> ContentHash {
    ContentHash::from_bytes([number as u8; 32])
}

fn built(texts: &[String]) -> Vec<u8> {
    let mut builder = SegmentBuilder::default();
    for (number, text) in texts.iter().enumerate() {
        builder.add(&Contents {
            hash: hash(number),
            text,
            is_always: false,
            seen_as: 0,
            symbols: &[],
            comments: &[],
        });
    }
    builder.finish()
}

fn query(text: &str, kind: PatternKind, case: Case) -> Query {
    let pattern = Pattern {
        kind,
        case,
        ..Pattern::literal(text)
    };
    Query {
        expr: Expr::Text(pattern),
    }
}

#[test]
fn texts_are_found_by_grams_and_words() {
    let texts = [
        "fn parse_headers() {}",
        "let x = 1;",
        "// Parse the HEADERS\n",
    ];
    let bytes = built(&texts.map(str::to_owned));
    let segment = Segment::open(bytes).unwrap();
    assert_eq!(segment.len(), 3);
    assert_eq!(segment.hash(2), Some(hash(2)));
    let plan = Plan::of(&query("headers", PatternKind::Literal, Case::Insensitive).expr);
    assert_eq!(segment.candidates(&plan).unwrap(), [true, false, true]);
    let found = segment.term("head").unwrap();
    assert_eq!(found, [(0, [1, 0, 0]), (2, [1, 0, 0])]);
    assert!(segment.term("nothing").unwrap().is_empty());
}

#[test]
fn flagged_contents_are_always_candidates() {
    let mut builder = SegmentBuilder::default();
    builder.add(&Contents {
        hash: hash(1),
        text: "nothing of it",
        is_always: true,
        seen_as: 0,
        symbols: &["Name".to_owned()],
        comments: &[0..7, 90..99],
    });
    let segment = Segment::open(builder.finish()).unwrap();
    let plan = Plan::of(&query("absent", PatternKind::Literal, Case::Sensitive).expr);
    assert_eq!(segment.candidates(&plan).unwrap(), [true]);
    assert_eq!(segment.term("noth").unwrap(), [(0, [1, 0, 1])]);
    assert_eq!(segment.term("nam").unwrap(), [(0, [0, 1, 0])]);
}

/// A word is found with any count.
#[test]
fn words_are_counted() {
    let times = [1, 14, 15, 16, 142, 143, 70_000];
    let texts = times.map(|times| "word ".repeat(times));
    let segment = Segment::open(built(&texts)).unwrap();
    let found = segment.term("word").unwrap();
    let counts: Vec<usize> = found.iter().map(|(_, counts)| counts[0].into()).collect();
    assert_eq!(counts, times.map(|times| times.min(usize::from(u16::MAX))));
}

/// A segment of another version is rejected, even if its other bytes are valid.
#[test]
fn another_version_is_rejected() {
    let mut bytes = built(&["some text".to_owned()]);
    for version in [0_u32, VERSION - 1, VERSION + 1] {
        bytes[8..12].copy_from_slice(&version.to_le_bytes());
        let sum = check(
            check(0, &bytes[..HEAD - 8]),
            &bytes[HEAD..tables_end(&bytes)],
        );
        bytes[HEAD - 8..HEAD].copy_from_slice(&sum.to_le_bytes());
        assert!(Segment::open(&bytes).is_err(), "{version}");
    }
    bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
    let sum = check(
        check(0, &bytes[..HEAD - 8]),
        &bytes[HEAD..tables_end(&bytes)],
    );
    bytes[HEAD - 8..HEAD].copy_from_slice(&sum.to_le_bytes());
    assert!(Segment::open(&bytes).is_ok());
}

/// Returns the start of the lists.
fn tables_end(bytes: &[u8]) -> usize {
    let lists = u64_at(bytes, 24).unwrap();
    bytes.len() - usize::try_from(lists).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn index_finds_the_same_texts_as_a_scan(
        texts in prop::collection::vec("[abAB \n]{0,12}|[a-zé\n]{0,40}", 1..12),
        word in "[abAB]{1,5}|[a-z]{3}|a.b|(ab|ba)+a|[ab]{2}b?a",
        is_regex: bool,
        case in prop::sample::select(vec![Case::Sensitive, Case::Insensitive]),
    ) {
        let kind = if is_regex { PatternKind::Regex } else { PatternKind::Literal };
        let query = query(&word, kind, case);
        let Ok(program) = Program::new(&query) else { return Ok(()) };
        let segment = Segment::open(built(&texts)).unwrap();
        let candidates = segment.candidates(&Plan::of(&query.expr)).unwrap();
        for (text, is_candidate) in texts.iter().zip(candidates) {
            let document = Document::new(b"a", None, text.as_bytes());
            prop_assert!(is_candidate || program.run(&document, usize::MAX).is_none());
        }
    }

    /// No change of the bytes hides a match silently.
    #[test]
    fn damage_is_reported(at in any::<prop::sample::Index>(), flip in 1_u8.., cut: bool) {
        let texts: Vec<String> = (0..20).map(|n| format!("some text {n} for {}", n * 7)).collect();
        let mut bytes = built(&texts);
        let place = at.index(bytes.len());
        match cut {
            true => bytes.truncate(place),
            false => bytes[place] ^= flip,
        }
        let Ok(segment) = Segment::open(bytes) else { return Ok(()) };
        for text in &texts {
            let plan = Plan::of(&query(text, PatternKind::Literal, Case::Sensitive).expr);
            let Ok(candidates) = segment.candidates(&plan) else { return Ok(()) };
            let number = texts.iter().position(|one| one == text).unwrap();
            prop_assert!(candidates[number]);
        }
        let _ = segment.term("text");
    }
}

#[test]
fn iteration_over_lines_can_be_stopped() {
    let pattern = Pattern::literal("a").compile().unwrap();
    let mut seen = 0;
    pattern.lines(b"a\na\na\n", |_| {
        seen += 1;
        ControlFlow::Break(())
    });
    assert_eq!(seen, 1);
}
