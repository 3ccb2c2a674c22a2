//! Scores of files for a query, and the order of results.

use loom_lookup::{
    Keep, LineSource, PreparedSearch, WithNames, lines_of, names_for_others, sort_by_score,
    words_of,
};
use loom_search::{Candidates, Program, Query, QueryOptions};
use loom_secrets::{Confidence, Finding};
use loom_syntax::{Language, Limits, extract};
use proptest::prelude::*;

use crate::fixture::{Files, LINES};

/// Returns the scores of all files, with and without their definitions.
fn scores(files: &[(&str, &str)], word: &str) -> Vec<[Option<f64>; 2]> {
    let count = files.len();
    let files = Files::new(files);
    let query = Query::literal(word, &QueryOptions::default()).unwrap();
    let prepared = PreparedSearch {
        files: &files,
        program: Program::new(&query).unwrap(),
        plan: Candidates::new(&query),
        options: LINES,
        keep: Keep::No,
    };
    let score = |at: usize| [WithNames::Yes, WithNames::No].map(|with| prepared.score(at, with));
    (0..count).map(score).collect()
}

#[test]
fn file_without_a_match_has_no_score() {
    let found = scores(
        &[("a.rs", "fn other() {}\n"), ("b.rs", "fn widget() {}\n")],
        "widget",
    );
    assert_eq!(found[0], [None, None]);
    assert!(found[1].iter().all(Option::is_some));
}

#[test]
fn definition_raises_the_score_and_a_test_lowers_it() {
    let found = scores(
        &[
            (
                "a/uses.rs",
                "fn main() { widget() }\nfn more() { widget() }\n",
            ),
            ("b/defines.rs", "pub fn widget() {}\n"),
            ("c/tests/test.rs", "fn check() { widget() }\n"),
        ],
        "widget",
    );
    let with = |at: usize| found[at][0].unwrap();
    let without = |at: usize| found[at][1].unwrap();
    assert!(with(1) > with(0) && with(0) > with(2));
    assert!(with(1) > without(1), "the definition counts");
    assert!((with(0) - without(0)).abs() < 1e-9, "uses define nothing");
}

/// Types count more than functions, functions more than variables, `impl` blocks least.
#[test]
fn kind_and_visibility_of_a_definition_weigh() {
    let with = |text: &str| scores(&[("a.rs", text)], "widget")[0][0].unwrap();
    let ranks = [
        with("pub struct widget;\n"),
        with("pub fn widget() {}\n"),
        with("fn widget() {}\n"),
        with("const widget: u8 = 1;\n"),
    ];
    assert!(ranks.windows(2).all(|two| two[0] > two[1]), "{ranks:?}");
}

#[test]
fn results_are_sorted_by_score_and_then_by_path() {
    let mut order = vec![
        (0, 1.0),
        (1, 3.0),
        (2, 1.0),
        (3, f64::NEG_INFINITY),
        (4, 2.0),
    ];
    sort_by_score(&mut order);
    let numbers: Vec<u32> = order.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, [1, 4, 0, 2, 3]);
}

#[test]
fn words_that_can_be_names_are_taken_from_a_query() {
    for (query, expected) in [
        ("alpha", &["alpha"][..]),
        ("alpha beta", &["alpha", "beta"]),
        ("(alpha or beta) gamma", &["alpha", "beta", "gamma"]),
        ("/\\bname\\b/", &["name"]),
        ("/na.e/", &[]),
        ("\"two words\"", &[]),
        ("alpha -beta path:src lang:rust", &["alpha"]),
    ] {
        let language = |name: &str| Some(name.to_owned());
        let options = QueryOptions {
            language: &language,
            ..QueryOptions::default()
        };
        let query = Query::parse(query, &options).unwrap();
        let mut found = Vec::new();
        words_of(&query.expr, &mut found);
        assert_eq!(found, expected, "{query:?}");
    }
}

#[test]
fn public_types_and_functions_with_long_names_measure_the_use_of_a_file() {
    let names = |text: &str| {
        let symbols = extract(Language::from_id("rust").unwrap(), text, &Limits::default()).symbols;
        names_for_others(&symbols).join(" ")
    };
    for (text, expected) in [
        ("pub fn build() {}\npub struct Widget;\n", "Widget build"),
        (
            "pub fn first() {}\npub fn second() {}\npub fn third() {}\n",
            "first second",
        ),
        ("fn hidden() {}\nstruct Private;\n", ""),
        ("pub fn go() {}\npub struct Abc;\n", ""),
        ("pub const LIMIT: u8 = 1;\n", ""),
    ] {
        assert_eq!(names(text), expected, "{text}");
    }
}

#[test]
fn secrets_are_counted_in_the_line_in_which_they_begin() {
    let text = "one\ntwo three\nfour\n";
    let finding = |start: usize, end: usize| Finding {
        span: start..end,
        kind: "key",
        confidence: Confidence::High,
        reasons: Vec::new(),
    };
    let findings = [finding(0, 3), finding(8, 16), finding(14, 18)];
    assert_eq!(lines_of(&findings, text), [1, 2, 3]);
    assert_eq!(lines_of(&[], text), [0; 0]);
}

proptest! {
    /// A redacted line has no byte of a hidden secret, and its places show the matches.
    #[test]
    fn shown_line_has_the_matches_outside_of_secrets(words in prop::collection::vec("[a-d]{1,4}", 1..12), hidden in 0usize..12) {
        let text = words.join(" ");
        let query = Query::literal("a", &QueryOptions::default()).unwrap();
        let program = Program::new(&query).unwrap();
        let document = loom_search::Document::new(b"a.txt", None, text.as_bytes());
        let Some(found) = program.run(&document, usize::MAX) else {
            return Ok(());
        };
        let starts: Vec<usize> = words.iter().scan(0, |at, word| { let start = *at; *at += word.len() + 1; Some(start) }).collect();
        let hidden = hidden % words.len();
        let span = starts[hidden]..starts[hidden] + words[hidden].len();
        let findings = [Finding { span: span.clone(), kind: "key", confidence: Confidence::High, reasons: Vec::new() }];
        let source = LineSource { text: &text, findings: &findings, hides: true, symbols: &[] };
        let line = &source.lines(&found.lines, 0, 0)[0];
        let expected = format!("{}[REDACTED:key]{}", &text[..span.start], &text[span.end..]);
        prop_assert_eq!(&line.text, &expected);
        let outside = text.match_indices('a').filter(|(at, _)| !span.contains(at)).count();
        prop_assert_eq!(line.places.len(), outside);
        for place in &line.places {
            prop_assert_eq!(&line.text[place.clone()], "a");
        }
    }
}
