//! Properties of answers: they stay within their limit, show the first pieces, and name the
//! locations of all shown code.

use infiniloom::{Infiniloom, Redactor};
use proptest::prelude::*;

use super::*;

fn model() -> Model {
    Infiniloom::new().model("gpt-4o").unwrap()
}

/// A piece about its own file, with so many quoted lines of this text.
fn piece(number: usize, lines: usize, text: &str) -> Piece {
    let mut piece = Piece::new(format!("file| f{number}.rs"));
    for line in 1..=lines {
        piece.quote(&Quoted {
            text: format!("{line}| {text}"),
            is_cut: false,
        });
    }
    piece.of(Source::lines(format!("f{number}.rs"), 1, lines))
}

fn fitted(answer: Answer, limit: usize) -> Fitted {
    answer.fit(limit, &Redactor::default(), &model())
}

fn paths(fitted: &Fitted) -> Vec<String> {
    let sources = fitted.data["sources"].as_array().unwrap().iter();
    let path = |one: &Value| one.as_str().unwrap().split(':').next().unwrap().to_owned();
    sources.map(path).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn shown_pieces_are_the_first_ones_and_the_rest_is_counted(
        sizes in prop::collection::vec(1usize..12, 0..25),
        text in "[a-z ]{0,40}",
        limit in 100usize..900,
    ) {
        let mut answer = Answer::new("Head:").more("ask for less");
        for (number, lines) in sizes.iter().enumerate() {
            answer.push(piece(number, *lines, &text));
        }
        let fitted = fitted(answer, limit);
        let model = model();
        prop_assert!(model.count(&fitted.text).upper() <= limit);
        let shown = fitted.text.lines().filter(|line| line.starts_with("file| ")).count();
        for number in 0..sizes.len() {
            let head = format!("file| f{number}.rs");
            let is_shown = fitted.text.lines().any(|line| line == head);
            prop_assert_eq!(is_shown, number < shown, "{}", fitted.text);
        }
        let left = sizes.len() - shown;
        let state = format!("partial: {left} more left out; ask for less\n");
        prop_assert_eq!(fitted.text.starts_with(&state), left > 0, "{}", fitted.text);
        prop_assert_eq!(fitted.text.ends_with("\ncomplete"), left == 0);
        prop_assert_eq!(&fitted.data["truncated"], &json!(left > 0));
        let unnamed = fitted.data["sources_left_out"].as_u64().unwrap_or(0);
        prop_assert_eq!(paths(&fitted).len() as u64 + unnamed, shown as u64);
    }

    #[test]
    fn bounded_text_is_a_beginning_within_the_limit(text in "\\PC{0,300}", limit in 1usize..60) {
        let model = model();
        let told = bounded(text.clone(), limit, &model);
        prop_assert!(text.starts_with(&told));
        prop_assert!(model.count(&told).upper() <= limit);
        // A text that fits stays whole.
        prop_assert_eq!(told == text, model.count(&text).upper() <= limit);
    }
}

#[test]
fn head_that_does_not_fit_is_cut() {
    let answer = Answer::new("word ".repeat(500));
    let fitted = fitted(answer, 60);
    let text = fitted
        .text
        .strip_prefix("partial: not all is shown; raise `budget`\n");
    assert!(text.is_some_and(|text| !text.is_empty() && "word ".repeat(500).starts_with(text)));
    assert_eq!(fitted.data["truncated"], true);
}

#[test]
fn notes_and_warnings_follow_the_pieces_in_order() {
    let mut answer = Answer::new("Head")
        .note(Some("A note.".to_owned()))
        .warn(vec!["one".to_owned(), "two".to_owned()])
        .notices(&["A remark.".to_owned()])
        .below("Above");
    answer.push(piece(1, 1, "x"));
    let expected =
        "Above\nHead\nfile| f1.rs\n1| x\nA note.\nA remark.\nWarning: one\nWarning: two\ncomplete";
    assert_eq!(fitted(answer, 1000).text, expected);
}

#[test]
fn shortened_line_is_explained_only_if_it_is_shown() {
    let long = |limit: usize| {
        let mut answer = Answer::new("Head").long("read it whole").more("more");
        answer.push(piece(1, 1, "x"));
        let mut last = piece(2, 60, "many words in a line");
        last.quote(&Quoted {
            text: "61| cut…".to_owned(),
            is_cut: true,
        });
        answer.push(last);
        fitted(answer, limit).text
    };
    let whole = "partial: long lines are shortened; read it whole\n";
    assert!(long(3000).starts_with(whole));
    assert!(long(150).starts_with("partial: 1 more left out; more\n"));
}

#[test]
fn second_redaction_reaches_every_line_and_place() {
    let mut answer = Answer::new("Head of key")
        .note(Some("note of key".to_owned()))
        .notices(&["remark about key".to_owned()])
        .partial("the key changed", "ask again")
        .warn(vec!["warning of key".to_owned()]);
    let mut one = Piece::new("file| key.rs");
    one.quote(&Quoted {
        text: "1| the key".to_owned(),
        is_cut: false,
    });
    answer.push(one.of(Source::lines("key.rs", 1, 1)));
    let hide = |text: &str| text.contains("key").then(|| text.replace("key", "[X]"));
    answer.redact(hide);
    let fitted = fitted(answer, 1000);
    assert!(!fitted.data.to_string().contains("key"), "{}", fitted.data);
    assert_eq!(fitted.data["sources"], json!(["[X].rs:1-1"]));
}
