//! Signals other than the words of a query: history, similarity, the caller's files; and queries
//! without a match.

use loom_engine::context::{ContextWeights, SelectOptions, Signal};
use proptest::prelude::*;

use crate::select::{Answer, ask, ask_with};

const FILES: &str = "\
=== one.py
def first():
    return 1
=== two.py
def second():
    return 2
=== three.py
def third():
    return 3
";

fn by(signals: &[Signal]) -> SelectOptions {
    SelectOptions {
        weights: ContextWeights::chosen(signals),
        ..SelectOptions::default()
    }
}

fn check_past(past: &[(&str, &[u32])], signal: Signal, query: &str, expected: &[&str]) {
    let answer = ask_with(FILES, query, past, &by(&[signal]));
    assert_eq!(answer.paths(), expected, "{past:?}");
}

#[test]
fn files_that_changed_for_similar_reasons_are_found() {
    let past: &[(&str, &[u32])] = &[("Fix the galaxy", &[1]), ("Count planets", &[0])];
    check_past(past, Signal::History, "galaxy", &["two.py"]);
}

#[test]
fn only_the_first_lines_of_a_message_count() {
    let long = format!("Title\n{}galaxy\n", "words\n".repeat(10));
    check_past(
        &[("Fix galaxy", &[1]), (&long, &[0])],
        Signal::History,
        "galaxy",
        &["two.py"],
    );
}

#[test]
fn a_commit_of_many_files_says_less_and_of_very_many_nothing() {
    let past: &[(&str, &[u32])] = &[("Fix galaxy", &[0, 1]), ("Fix galaxy", &[2])];
    check_past(
        past,
        Signal::History,
        "galaxy",
        &["three.py", "one.py", "two.py"],
    );
    let mut history = loom_engine::context::Past::default();
    history.add("Fix galaxy", (0..31).collect());
    history.add("Fix galaxy", Vec::new());
    assert!(history.is_empty());
    history.add("Fix galaxy", (0..30).collect());
    assert_eq!(history.len(), 1);
}

#[test]
fn files_that_changed_with_the_best_file_follow_it() {
    let past: &[(&str, &[u32])] = &[("a", &[0, 2]), ("b", &[0, 2]), ("c", &[1])];
    let wishes = by(&[Signal::Path, Signal::Together]);
    let answer = ask_with(FILES, "in one.py", past, &wishes);
    assert_eq!(answer.paths(), ["one.py", "three.py"]);
}

#[test]
fn recent_files_come_in_the_order_of_commits() {
    let past: &[(&str, &[u32])] = &[("a", &[2]), ("b", &[0]), ("c", &[2, 1])];
    check_past(
        past,
        Signal::Recent,
        "anything",
        &["three.py", "one.py", "two.py"],
    );
}

#[test]
fn hot_and_previous_files_are_there_without_a_word_of_the_query() {
    let hot = SelectOptions {
        hot: vec![2],
        previous: vec![1],
        ..SelectOptions::default()
    };
    let answer = ask_with(FILES, "first", &[], &hot);
    let paths = answer.paths();
    assert!(paths.contains(&"three.py".to_owned()) && paths.contains(&"two.py".to_owned()));
    let place = |path: &str| paths.iter().position(|one| one == path).unwrap();
    assert!(place("three.py") < place("two.py"));
    assert_eq!(ask(FILES, "first").paths(), ["one.py"]);
}

#[test]
fn parts_that_are_close_in_meaning_bring_their_files_forward() {
    let parts = ask(FILES, "first").corpus.parts.len();
    let mut closeness = vec![0.1; parts];
    closeness[parts - 1] = 0.9;
    let wishes = SelectOptions {
        closeness,
        ..by(&[Signal::Semantic])
    };
    assert_eq!(ask_with(FILES, "zzz", &[], &wishes).paths()[0], "three.py");
}

#[test]
fn vectors_of_another_corpus_are_ignored() {
    let wishes = SelectOptions {
        closeness: vec![0.9],
        about: vec![0.9; 99],
        ..by(&[Signal::Semantic, Signal::Summary])
    };
    let answer = ask_with(FILES, "zzz", &[], &wishes);
    assert!(answer.selection.is_general);
}

#[test]
fn similar_files_match_only_if_similarity_is_enough() {
    for (matches_by_meaning, expected) in [(false, false), (true, true)] {
        let wishes = SelectOptions {
            about: vec![0.0, 0.5, 0.0],
            matches_by_meaning,
            ..by(&[Signal::Summary])
        };
        let answer = ask_with(FILES, "zzz", &[], &wishes);
        assert_eq!(answer.paths(), ["two.py"]);
        assert_eq!(answer.selection.is_match, expected);
    }
}

#[test]
fn a_query_without_matches_shows_the_most_used_files_first() {
    let text = "\
=== leaf.py
from core import run
run()
=== other.py
from core import run
run()
=== core.py
def run():
    pass
";
    let answer = ask(text, "zzzz qqqq");
    assert!(answer.selection.is_general && !answer.selection.is_match);
    assert_eq!(answer.paths()[0], "core.py");
    assert_eq!(answer.paths().len(), 3);
    assert_eq!(
        (answer.selection.words.found, answer.selection.words.all),
        (0, 2)
    );
}

fn check_match(text: &str, query: &str, expected: bool) {
    let answer = ask(text, query);
    assert_eq!(
        answer.selection.is_match, expected,
        "{query}: {:?}",
        answer.selection.words
    );
}

const MIXED: &str = "\
=== src/price.py
def price12(item):
    return item.cost
=== tests/test_price.py
def test_price():
    token = 'galaxy'
    host = 'planet'
=== data/words.json
[\"comet\"]
=== data/prose.txt
The meteor falls from the sky every second night of the year.
";

#[test]
fn words_that_only_tests_and_data_have_are_no_match_unless_one_file_has_all() {
    check_match(MIXED, "cost", true);
    check_match(MIXED, "galaxy nebula", false);
    check_match(MIXED, "galaxy comet", false);
    check_match(MIXED, "galaxy planet", true);
    check_match(MIXED, "galaxy", true);
    check_match(MIXED, "galaxy cost", true);
}

#[test]
fn plain_text_with_sentences_is_documentation_and_not_data() {
    check_match(MIXED, "meteor nebula", true);
    check_match(MIXED, "comet nebula", false);
}

#[test]
fn a_repository_of_tests_alone_matches_by_single_words() {
    let text = "=== tests/test_price.py\ndef test_price():\n    token = 'galaxy'\n";
    check_match(text, "galaxy nebula", true);
}

#[test]
fn half_of_the_parts_of_a_name_are_enough_to_match() {
    check_match(
        "=== a.py\nuser = 1\nlogin = 2\n",
        "xyzzy_user_frobnicator",
        false,
    );
    check_match(
        "=== a.py\nuser = 1\nlogin = 2\n",
        "user_login_frobnicator",
        true,
    );
}

#[test]
fn a_word_inside_of_a_longer_name_is_a_match() {
    let text = "=== a.py\ndef mypricelist():\n    pass\n";
    check_match(text, "price", true);
    check_match(text, "pri", false);
}

#[test]
fn commit_messages_match_where_history_counts() {
    let past: &[(&str, &[u32])] = &[("Fix the galaxy", &[1])];
    let with = ask_with(FILES, "galaxy", past, &SelectOptions::default());
    assert!(with.selection.is_match);
    let without = ask_with(FILES, "galaxy", past, &by(&[Signal::Words]));
    assert!(!without.selection.is_match);
}

#[test]
fn signals_that_were_not_chosen_count_nothing() {
    let answer = ask_with(FILES, "first in two.py", &[], &by(&[Signal::Path]));
    assert_eq!(answer.paths(), ["two.py"]);
    for one in &answer.selection.files {
        for signal in Signal::ALL {
            let is_path = signal == Signal::Path;
            assert_eq!(one.signals[signal as usize] > 0.0, is_path, "{signal:?}");
        }
    }
}

#[test]
fn the_head_of_a_type_comes_with_its_method() {
    let text = "\
=== a.py
import os

class Reader:
    size = 10

    def galaxy(self):
        return self.size

    def other(self):
        return 1
";
    let answer = ask(text, "`galaxy`");
    let near: Vec<String> = answer
        .parts()
        .into_iter()
        .zip(&answer.selection.parts)
        .filter(|(_, one)| one.signals[Signal::Near as usize] > 0.0)
        .map(|(part, _)| part)
        .collect();
    assert_eq!(near, ["a.py:3-5", "a.py:1-2"]);
}

#[test]
fn parts_of_files_out_of_reach_are_not_ordered() {
    let text: String = (0..260)
        .map(|at| format!("=== f{at:03}.txt\ngalaxy {at}\n"))
        .collect();
    let all = ask(&text, "galaxy");
    assert_eq!(
        (all.selection.files.len(), all.selection.parts.len()),
        (260, 260)
    );
    let near = SelectOptions {
        reach: Some(1),
        ..SelectOptions::default()
    };
    let some = ask_with(&text, "galaxy", &[], &near);
    assert_eq!(
        (some.selection.files.len(), some.selection.parts.len()),
        (260, 200)
    );
}

/// Numbers with their scores, of files and of parts.
type Scores = [Vec<(u32, f64)>; 2];

fn scores(answer: &Answer) -> Scores {
    [&answer.selection.files, &answer.selection.parts]
        .map(|all| all.iter().map(|one| (one.number, one.score)).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn orders_are_sorted_repeatable_and_the_best_part_is_1(
        words in prop::collection::vec("(alpha|beta|gamma|delta)", 1..40),
        query in "(alpha|beta|gamma|zeta)( (alpha|beta|zeta)){0,3}",
    ) {
        let mut text = String::new();
        for (at, words) in words.chunks(3).enumerate() {
            text += &format!("=== f{at}.py\ndef f{at}():\n    return {}\n", words.join(" + "));
        }
        let answer = ask(&text, &query);
        let [files, parts] = scores(&answer);
        prop_assert!(files.windows(2).all(|pair| pair[0].1 >= pair[1].1));
        prop_assert!(parts.windows(2).all(|pair| pair[0].1 >= pair[1].1));
        prop_assert!(files.iter().all(|(_, score)| score.is_finite() && *score > 0.0));
        prop_assert!((parts[0].1 - 1.0).abs() < 1e-9);
        prop_assert_eq!(scores(&ask(&text, &query)), [files, parts]);
    }
}
