//! Parsing a query: words with weights, kinds of lines, quoted messages, paths.

use loom_engine::context::ParsedQuery;
use proptest::prelude::*;

/// Returns the weight of the term of a word.
fn weight(parsed: &ParsedQuery, word: &str) -> f64 {
    let mut weight = 0.0;
    loom_search::terms_in(word, |term| {
        let found = parsed.terms.iter().find(|(one, _)| one == term);
        weight = found.map_or(0.0, |(_, weight)| *weight);
    });
    weight
}

/// Checks that each word has a lower weight than the previous one.
fn check_falling(query: &str, words: &[&str]) {
    let parsed = ParsedQuery::new(query);
    for pair in words.windows(2) {
        let (more, less) = (weight(&parsed, pair[0]), weight(&parsed, pair[1]));
        assert!(more > less, "{pair:?}: {more} {less}\n{query}");
    }
}

#[test]
fn words_of_the_title_weigh_more_than_prose_code_output_and_environment() {
    check_falling(
        "planet\n\ngalaxy\n\n```\ncomet\nTraceback meteor\n```\n\n### Versions\nneptune\n",
        &["planet", "galaxy", "comet", "meteor", "neptune", "absent"],
    );
}

#[test]
fn a_word_in_backticks_weighs_more_than_the_same_word_in_plain() {
    check_falling("x1\n\n`planet` and comet", &["planet", "comet"]);
}

#[test]
fn words_that_every_report_has_weigh_less_than_others() {
    check_falling("title\n\nplanet behavior", &["planet", "behavior"]);
}

#[test]
fn a_repeated_word_weighs_more_but_saturates() {
    let once = weight(&ParsedQuery::new("title\n\nplanet"), "planet");
    let thrice = weight(&ParsedQuery::new("title\n\nplanet planet planet"), "planet");
    let often = weight(
        &ParsedQuery::new(&format!("title\n\n{}", "planet ".repeat(1_000))),
        "planet",
    );
    assert!(once < thrice && thrice < 3.0 * once, "{once} {thrice}");
    assert!(thrice < often && often <= 5.0, "{thrice} {often}");
}

#[test]
fn stop_words_count_only_where_they_are_marked_as_code() {
    let plain = ParsedQuery::new("title\n\nthe after planet");
    assert_eq!(weight(&plain, "after"), 0.0);
    let code = ParsedQuery::new("title\n\nthe `after` planet");
    assert!(weight(&code, "after") > weight(&code, "planet"));
}

#[test]
fn lines_of_templates_and_comments_say_nothing() {
    for line in [
        "<!-- planet -->",
        "<!--\nplanet\n-->",
        "### Describe the planet",
        "**Steps to planet**",
        "- [x] I searched planet",
        "Please provide a planet",
        "--- planet",
    ] {
        let parsed = ParsedQuery::new(&format!("title\n\n{line}\n"));
        assert_eq!(weight(&parsed, "planet"), 0.0, "{line}");
        let plain = ParsedQuery::new(&format!("title\n\n{line}\nplanet\n"));
        assert!(weight(&plain, "planet") > 0.0, "{line}");
    }
}

#[test]
fn a_heading_of_its_own_is_prose_and_ends_the_environment() {
    let parsed =
        ParsedQuery::new("title\n\n### Environment\nplanet\n### Parsing of comets\ngalaxy\n");
    assert!(weight(&parsed, "planet") < weight(&parsed, "galaxy"));
    assert_eq!(weight(&parsed, "comet"), weight(&parsed, "galaxy"));
}

#[test]
fn a_fence_of_tildes_is_not_closed_by_backticks() {
    let parsed = ParsedQuery::new("title\n\n~~~\n```\nplanet\n~~~\ngalaxy\n");
    assert!(weight(&parsed, "planet") < weight(&parsed, "galaxy"));
}

#[test]
fn the_first_line_with_text_is_the_title() {
    let parsed = ParsedQuery::new("\n\nParse the planet\n\ngalaxy here\n");
    assert_eq!(parsed.title, ["pars", "planet"]);
}

#[test]
fn the_share_of_the_title_is_its_weight_among_all_words() {
    for (query, expected) in [
        ("planet", 1.0),
        ("planet\n\ngalaxy", 0.75),
        ("planet comet\n\ngalaxy galaxy", 0.75),
        ("planet\n\ngalaxy comet star", 0.5),
        ("planet\n\nthe of and", 1.0),
        ("", 0.0),
        ("the", 0.0),
    ] {
        assert_eq!(ParsedQuery::new(query).title_share, expected, "{query}");
    }
}

#[test]
fn the_meaning_is_the_title_thrice_and_the_prose() {
    let parsed = ParsedQuery::new("Title\n\nFirst line.\n```\ncode()\n```\nLast line.\n");
    assert_eq!(
        parsed.prose,
        "Title\nTitle\nTitle\nFirst line.\nLast line.\n"
    );
    let long = ParsedQuery::new(&format!("Title\n{}", "words of a line\n".repeat(10_000)));
    assert!(long.prose.len() < 3_100, "{}", long.prose.len());
}

#[test]
fn a_name_alone_is_a_lone_name() {
    for (query, expected) in [
        ("parse_url", Some("parse_url")),
        ("`parse_url()`", Some("parse_url")),
        ("  pkg.Type::method  ", Some("method")),
        ("Type#method", Some("method")),
        ("parse url", None),
        ("x", None),
        ("a-b", None),
        ("", None),
    ] {
        assert_eq!(ParsedQuery::new(query).lone.as_deref(), expected, "{query}");
    }
}

fn check_phrases(text: &str, expected: &[&str]) {
    let parsed = ParsedQuery::new(text);
    let found: Vec<String> = parsed
        .phrases
        .iter()
        .map(|one| format!("{} {}", one.words.join(" "), one.weight))
        .collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn messages_and_quoted_texts_of_three_words_are_phrases() {
    check_phrases(
        "x\nValueError: Could not READ it\n",
        &["could not read it 1"],
    );
    check_phrases("x\nKeyException: the key is gone\n", &["the key is gone 1"]);
    check_phrases("x\npanic: the sky is falling\n", &["the sky is falling 1"]);
    check_phrases("x\nit prints \"no such file\"\n", &["no such file 0.7"]);
    check_phrases("x\nit prints “no such file”\n", &["no such file 0.7"]);
    check_phrases("x\nit prints 'no such file'\n", &["no such file 0.7"]);
}

#[test]
fn apostrophes_notes_and_short_quotes_are_no_phrases() {
    check_phrases("x\nit doesn't say what the user's file is\n", &[]);
    check_phrases("x\nnote: the key is gone\n", &[]);
    check_phrases("x\nit prints \"no such\"\n", &[]);
    check_phrases("x\n### Versions\nSomeError: this is not read\n", &[]);
}

#[test]
fn a_phrase_that_is_said_twice_counts_once_with_the_first_weight() {
    check_phrases(
        "x\nError: no such file\nit prints \"no such file\"\n",
        &["no such file 1"],
    );
}

fn check_paths(text: &str, expected: &[&str]) {
    let parsed = ParsedQuery::new(text);
    let found: Vec<String> = parsed
        .paths
        .iter()
        .map(|one| {
            let line = one.line.map_or(String::new(), |line| format!(":{line}"));
            let by = if one.is_by_person { "said" } else { "printed" };
            format!("{}{line} {by}", one.parts.join("/"))
        })
        .collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn paths_are_found_with_their_lines_and_who_wrote_them() {
    check_paths("Crash in src/a.py:12", &["src/a.py:12 said"]);
    check_paths("x\nsee ./lib/../b.rs.", &["lib/b.rs said"]);
    check_paths("x\n```\nsrc/a.py\n```\n", &["src/a.py printed"]);
    check_paths("x\nsee win\\dir\\a.cs now", &["win/dir/a.cs said"]);
    check_paths(
        "x\nhttps://h.org/o/lib/a.rb#L10",
        &["h.org/o/lib/a.rb:10 said"],
    );
}

#[test]
fn a_path_that_a_person_repeats_is_said() {
    check_paths(
        "x\n```\nsrc/a.py\n```\nthe file src/a.py\n",
        &["src/a.py said"],
    );
}

#[test]
fn versions_members_and_unknown_endings_are_no_paths() {
    check_paths("self.value of 1.2.3 in a.unknown and .py", &[]);
}

proptest! {
    #[test]
    fn terms_are_distinct_positive_and_the_heaviest_first(text in "([a-z]{2,6}[ \n`]){0,60}") {
        let parsed = ParsedQuery::new(&text);
        let mut names: Vec<&str> = parsed.terms.iter().map(|(term, _)| term.as_str()).collect();
        prop_assert!(parsed.terms.iter().all(|(_, weight)| *weight > 0.0));
        prop_assert!(parsed.terms.windows(2).all(|pair| pair[0].1 >= pair[1].1));
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        prop_assert_eq!(names.len(), count);
        prop_assert!(count <= 256);
        prop_assert!((0.0..=1.0).contains(&parsed.title_share));
    }

    #[test]
    fn a_text_is_read_alike_with_any_line_ending(lines in prop::collection::vec("[a-zA-Z`/. ]{0,20}", 0..12)) {
        let unix = ParsedQuery::new(&lines.join("\n"));
        let windows = ParsedQuery::new(&lines.join("\r\n"));
        prop_assert_eq!(unix.terms, windows.terms);
        prop_assert_eq!(unix.paths, windows.paths);
        prop_assert_eq!(unix.names, windows.names);
    }
}
