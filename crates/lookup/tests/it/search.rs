//! Queries on single files: details, limits, portions and totals.

use loom_lookup::{Detail, SearchOptions, Searched};
use proptest::prelude::*;

use crate::fixture::{Files, LINES, search, shown};

fn files() -> Files {
    Files::new(&[
        ("notes.txt", "alpha\r\nnaïve BETA\r\n"),
        (
            "src/a.rs",
            "fn alpha() {\n    beta(1);\n}\n\nfn beta(x: u8) {}\n",
        ),
        (
            "src/b.py",
            "def alpha():\n    return 'Beta'\n# gamma delta\n",
        ),
        ("tests/a.rs", "fn test_alpha() { alpha() }\n"),
        ("z.bin", "alpha\0"),
    ])
}

#[track_caller]
fn check(query: &str, expected: &[&str]) {
    assert_eq!(
        shown(&search(&files(), query, LINES).0),
        expected,
        "{query}"
    );
}

#[test]
fn lines_of_words_phrases_and_expressions_are_found() {
    check(
        "alpha",
        &[
            "notes.txt:1:alpha",
            "src/a.rs:1:fn alpha() {",
            "src/b.py:1:def alpha():",
            "tests/a.rs:1:fn test_alpha() { alpha() }",
        ],
    );
    check(
        "alpha gamma",
        &["src/b.py:1:def alpha():", "src/b.py:3:# gamma delta"],
    );
    check("\"gamma delta\"", &["src/b.py:3:# gamma delta"]);
    check("/^fn b\\w+\\(/", &["src/a.rs:5:fn beta(x: u8) {}"]);
    check("ï", &["notes.txt:2:naïve BETA"]);
    check(
        "alpha -gamma -test_alpha",
        &["notes.txt:1:alpha", "src/a.rs:1:fn alpha() {"],
    );
    check("nothing", &[]);
}

#[test]
fn paths_languages_and_symbols_filter() {
    check("alpha lang:python", &["src/b.py:1:def alpha():"]);
    check("alpha lang:rust -path:tests", &["src/a.rs:1:fn alpha() {"]);
    check(
        "(gamma or \"u8\") path:src/**",
        &["src/a.rs:5:fn beta(x: u8) {}", "src/b.py:3:# gamma delta"],
    );
    check(
        "def:alpha",
        &["src/a.rs:1:fn alpha() {", "src/b.py:1:def alpha():"],
    );
    check(
        "sym:alpha lang:rust",
        &[
            "src/a.rs:1:fn alpha() {",
            "tests/a.rs:1:fn test_alpha() { alpha() }",
        ],
    );
}

/// A path that excludes a file keeps it from being read.
#[test]
fn excluded_files_are_not_read() {
    let read = |query: &str| search(&files(), query, LINES).1.read;
    assert_eq!(read("alpha"), 4);
    assert_eq!(read("nothing"), 4);
    assert_eq!(read("alpha lang:python"), 1);
    assert_eq!(read("alpha lang:python path:src"), 1);
}

#[test]
fn details_give_paths_counts_or_lines() {
    let with =
        |detail: Detail| search(&files(), "alpha or beta", SearchOptions { detail, ..LINES });
    let (hits, totals) = with(Detail::Paths);
    assert!(
        hits.iter()
            .all(|one| one.count == 1 && one.lines.is_empty())
    );
    assert_eq!((totals.files, totals.lines), (4, 4));
    let (hits, totals) = with(Detail::Counts);
    let counts: Vec<usize> = hits.iter().map(|one| one.count).collect();
    assert_eq!(counts, [1, 3, 1, 1]);
    assert_eq!((totals.files, totals.lines), (4, 6));
    let (hits, all) = with(LINES.detail);
    let counts: Vec<usize> = hits.iter().map(|one| one.lines.len()).collect();
    assert_eq!(counts, [1, 3, 1, 1]);
    assert_eq!(all, totals);
}

#[test]
fn context_is_shown_once_and_ends_with_the_text() {
    let around = |before: usize, after: usize| SearchOptions {
        detail: Detail::Lines { before, after },
        ..LINES
    };
    let lines = |query: &str, before: usize, after: usize| {
        shown(&search(&files(), query, around(before, after)).0)
    };
    assert_eq!(
        lines("beta path:src/a.rs", 1, 1),
        [
            "src/a.rs-1-fn alpha() {",
            "src/a.rs:2:    beta(1);",
            "src/a.rs-3-}",
            "src/a.rs-4-",
            "src/a.rs:5:fn beta(x: u8) {}",
        ]
    );
    assert_eq!(lines("gamma", 0, usize::MAX), ["src/b.py:3:# gamma delta"]);
    assert_eq!(lines("gamma", usize::MAX, 0).len(), 3);
}

#[test]
fn limit_cuts_lines_with_the_context_of_the_last_one() {
    let with = |limit: Option<usize>, per_file: Option<usize>, after: usize| {
        let options = SearchOptions {
            detail: Detail::Lines { before: 0, after },
            limit,
            per_file,
            ..LINES
        };
        let (hits, totals) = search(&files(), "alpha or beta", options);
        (shown(&hits), totals)
    };
    let (lines, totals) = with(Some(2), None, 1);
    let expected = [
        "notes.txt:1:alpha",
        "notes.txt-2-naïve BETA",
        "src/a.rs:1:fn alpha() {",
    ];
    assert_eq!(lines, expected, "the next line matches, too");
    assert!(totals.is_cut && totals.lines == 2 && totals.files == 2);
    let (lines, totals) = with(Some(1), None, 1);
    assert_eq!(lines, expected[..2]);
    assert!(totals.is_cut);
    let (lines, totals) = with(Some(6), None, 0);
    assert!(lines.len() == 6 && !totals.is_cut);
    let (lines, totals) = with(None, Some(1), 0);
    assert!(lines.len() == 4 && !totals.is_cut);
    let (lines, totals) = with(None, Some(0), 0);
    assert!(lines.is_empty() && totals.files == 0);
}

#[test]
fn limit_of_paths_counts_files() {
    let options = SearchOptions {
        detail: Detail::Paths,
        limit: Some(3),
        ..LINES
    };
    let (hits, totals) = search(&files(), "alpha", options);
    assert_eq!((hits.len(), totals.files, totals.is_cut), (3, 3, true));
    let whole = SearchOptions {
        limit: Some(4),
        ..options
    };
    assert!(!search(&files(), "alpha", whole).1.is_cut);
}

#[test]
fn hit_names_the_innermost_symbol_around_it() {
    let text = "class A:\n    def f(self):\n        def g():\n            x = 1\n        return x\n\n    x = 2\n\n\nx = 3\n";
    let options = SearchOptions {
        symbols: true,
        ..LINES
    };
    let (hits, _) = search(&Files::new(&[("a.py", text)]), "x", options);
    let around: Vec<Option<&str>> = hits[0]
        .lines
        .iter()
        .map(|line| line.symbol.as_deref())
        .collect();
    assert_eq!(around[..2], [Some("A.f.g"), Some("A.f")]);
    assert!(around[2].unwrap().starts_with("A"), "{around:?}");
}

#[test]
fn columns_count_characters_and_places_count_bytes() {
    let files = Files::new(&[("a.txt", "größe größe\n")]);
    let (hits, _) = search(&files, "größe", LINES);
    let line = &hits[0].lines[0];
    assert_eq!((line.column, line.places.clone()), (1, vec![0..7, 8..15]));
    let (hits, _) = search(&files, "/ße g/", LINES);
    let line = &hits[0].lines[0];
    assert_eq!(line.column, 4);
    assert!(matches!(
        line.places[..],
        [std::ops::Range { start: 4, end: 9 }]
    ));
}

/// Results with very many lines are delivered in portions, so that memory stays bounded.
#[test]
fn very_many_lines_come_in_portions() {
    let files = Files::new(&[
        ("a.txt", "a b\n".repeat(25_000)),
        ("b.txt", "a b\n".to_owned()),
    ]);
    let asked = |query: &str, limit: Option<usize>, per_file: Option<usize>| {
        let options = SearchOptions {
            limit,
            per_file,
            ..LINES
        };
        let (hits, totals) = search(&files, query, options);
        let mut numbers = Vec::new();
        for one in &hits {
            assert!(one.lines.len() <= 10_000 && one.count == one.lines.len());
            assert_eq!(one.is_rest, one.lines[0].line > 1);
            numbers.extend(one.lines.iter().map(|line| line.line));
        }
        (numbers, totals.files, totals.is_cut)
    };
    let all = |end: usize| (1..=end).collect::<Vec<_>>();
    let both = [all(25_000), vec![1]].concat();
    for query in ["a", "a b", "a or sym:b"] {
        assert_eq!(
            asked(query, None, None),
            (both.clone(), 2, false),
            "{query}"
        );
    }
    assert_eq!(asked("a", Some(15_000), None), (all(15_000), 1, true));
    let some = [all(12_000), vec![1]].concat();
    assert_eq!(asked("a", None, Some(12_000)), (some, 2, false));
}

fn text_of(words: &[u8]) -> String {
    let word = |at: &u8| ["one\n", "two\n", "one two\n", "\n", "three"][usize::from(*at) % 5];
    words.iter().map(word).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// A limit gives the first lines of the answer without one, and says if lines are missing.
    #[test]
    fn limit_gives_the_first_lines(texts in prop::collection::vec(prop::collection::vec(0u8..5, 0..12), 1..4), limit in 1usize..12) {
        let files: Vec<(String, String)> = texts
            .iter()
            .enumerate()
            .map(|(at, words)| (format!("{at}.txt"), text_of(words)))
            .collect();
        let files = Files::new(&files);
        let (all, whole) = search(&files, "one", LINES);
        let all = shown(&all);
        let (some, totals) = search(&files, "one", SearchOptions { limit: Some(limit), ..LINES });
        prop_assert_eq!(&shown(&some)[..], &all[..all.len().min(limit)]);
        prop_assert_eq!(totals.is_cut, all.len() > limit);
        prop_assert_eq!(totals.lines, whole.lines.min(limit));
    }

    /// Context shows each line once, in order, and next to a match.
    #[test]
    fn context_lines_are_in_order_and_near_a_match(words in prop::collection::vec(0u8..5, 0..30), before in 0usize..4, after in 0usize..4) {
        let text = text_of(&words);
        let files = Files::new(&[("a.txt", &text)]);
        let options = SearchOptions { detail: Detail::Lines { before, after }, ..LINES };
        let (hits, _): (_, Searched) = search(&files, "one", options);
        let lines = hits.first().map_or(&[][..], |one| &one.lines[..]);
        prop_assert!(lines.windows(2).all(|two| two[0].line < two[1].line));
        let matches: Vec<usize> = lines.iter().filter(|one| one.is_match).map(|one| one.line).collect();
        let is_near = |line: usize| matches.iter().any(|at| (at.saturating_sub(before)..=at + after).contains(&line));
        let expected = (1..=text.lines().count()).filter(|line| is_near(*line));
        prop_assert_eq!(lines.iter().map(|one| one.line).collect::<Vec<_>>(), expected.collect::<Vec<_>>());
        for one in lines {
            prop_assert_eq!(one.text.as_str(), text.lines().nth(one.line - 1).unwrap());
        }
    }
}
