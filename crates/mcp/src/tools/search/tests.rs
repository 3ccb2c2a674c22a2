//! Lines around matches, and hints that a caller can follow.

use super::*;

fn found(line: usize, before: &[&str], after: &[&str]) -> MatchInfo {
    let texts = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
    MatchInfo {
        path: "a.txt".to_owned(),
        line,
        column: 3,
        text: format!("match {line}"),
        places: vec![(2, 4), (5, 6)],
        symbol: None,
        score: None,
        before: texts(before),
        after: texts(after),
    }
}

fn shown(matches: &[MatchInfo]) -> Vec<(usize, &str, Option<usize>)> {
    let lines = with_those_around(matches);
    lines
        .into_iter()
        .map(|line| (line.line, line.text, line.place))
        .collect()
}

#[test]
fn lines_around_a_match_have_the_numbers_next_to_it() {
    let one = [found(5, &["three", "four"], &["six"])];
    assert_eq!(
        shown(&one),
        [
            (3, "three", None),
            (4, "four", None),
            (5, "match 5", Some(2)),
            (6, "six", None),
        ]
    );
}

/// The line after one match can be the next match.
#[test]
fn line_that_matches_is_shown_once_and_as_a_match() {
    let first = found(5, &[], &["match 6", "seven"]);
    let second = found(6, &["match 5"], &["seven"]);
    let expected = [
        (5, "match 5", Some(2)),
        (6, "match 6", Some(2)),
        (7, "seven", None),
    ];
    assert_eq!(shown(&[first.clone(), second.clone()]), expected);
    assert_eq!(shown(&[second, first]), expected);
}

#[test]
fn match_without_a_place_is_a_match_at_its_beginning() {
    let mut one = found(1, &[], &[]);
    one.places.clear();
    assert_eq!(shown(&[one]), [(1, "match 1", Some(0))]);
}

#[test]
fn hints_about_flags_are_recognised() {
    for hint in ["use -F for a plain text", "-w finds words"] {
        assert!(names_flag(hint), "{hint}");
    }
    for hint in ["a - b", "use the kind `text`", "--long", "well-known"] {
        assert!(!names_flag(hint), "{hint}");
    }
}

#[test]
fn error_of_a_pattern_has_a_hint_that_a_call_can_follow() {
    let error: Error = "loud".parse::<infiniloom::Case>().unwrap_err();
    let hinted = format!("{error}; {}", error.hint().unwrap());
    assert_eq!(query_error(&error, "text").0, hinted);
    let next = format!("{hinted}; kind `text` takes it as it is");
    assert_eq!(query_error(&error, "regex").0, next);
    assert_eq!(
        query_error(&Error::cancelled(), "regex"),
        ToolError::interrupted()
    );
}
