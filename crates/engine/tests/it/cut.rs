//! Splitting a text into parts: functions with their documentation, headers of types, and the text
//! between them.

use loom_engine::context::{Cut, DocLines, term_key};
use loom_syntax::Structure;
use proptest::prelude::*;

use crate::repository::cut;

/// Returns each part as `FIRST-LAST NAME`, with `…` after the name if it is only a piece of the
/// symbol.
fn parts(cut: &Cut, structure: &Structure) -> Vec<String> {
    let part = |part: &loom_engine::context::CutPart| {
        let symbol = part.symbol.map(|at| &structure.symbols[at as usize]);
        let name = symbol.map_or("-", |symbol| symbol.name.as_str());
        let piece = if part.is_whole || name == "-" {
            ""
        } else {
            "…"
        };
        format!("{}-{} {name}{piece}", part.first, part.last)
    };
    cut.parts.iter().map(part).collect()
}

fn check(name: &str, text: &str, expected: &[&str]) {
    let (cut, structure) = cut(name, text);
    assert_eq!(parts(&cut, &structure), expected, "{text}");
}

#[test]
fn functions_are_parts_with_the_comments_above_them() {
    check(
        "a.rs",
        "use b;\n\n/// Runs.\nfn run() {\n    go();\n}\n\nfn go() {}\n",
        &["1-2 -", "3-7 run", "8-8 go"],
    );
}

#[test]
fn functions_inside_functions_belong_to_the_outer_one() {
    check(
        "a.py",
        "def outer():\n    def inner():\n        pass\n    inner()\n",
        &["1-4 outer"],
    );
}

#[test]
fn methods_are_parts_and_the_rest_of_their_type_is_its_head() {
    check(
        "a.py",
        "class A:\n    x = 1\n\n    def go(self):\n        pass\n\nclass B:\n    y = 2\n",
        &["1-3 A…", "4-6 go", "7-8 B…"],
    );
}

#[test]
fn a_text_without_structure_is_one_part_until_it_is_long() {
    check("a.txt", "one\ntwo\n", &["1-2 -"]);
    check("a.txt", "", &[]);
    let even = "line\n".repeat(100);
    check("a.txt", &even, &["1-100 -"]);
    let long = "line\n".repeat(250);
    check("a.txt", &long, &["1-120 -", "121-240 -", "241-250 -"]);
}

#[test]
fn long_texts_are_cut_behind_empty_lines() {
    let block = format!("{}\n", "line\n".repeat(69));
    check(
        "a.txt",
        &block.repeat(3),
        &["1-70 -", "71-140 -", "141-210 -"],
    );
}

#[test]
fn a_function_that_is_too_long_is_cut_into_pieces_of_it() {
    let body = "    step()\n".repeat(220);
    let (long, structure) = cut("a.py", &format!("def run():\n{body}"));
    assert_eq!(parts(&long, &structure), ["1-180 run…", "181-221 run…"]);
    assert!(
        long.parts
            .iter()
            .all(|part| part.name_line == 0 && part.doc.is_empty())
    );
    let shorter = "    step()\n".repeat(219);
    check("a.py", &format!("def run():\n{shorter}"), &["1-220 run"]);
}

#[test]
fn symbols_name_the_part_with_the_line_of_their_name() {
    let text = "class A:\n    x = 1\n    def go(self):\n        pass\n\ndef run():\n    pass\n";
    let (cut, structure) = cut("a.py", text);
    for (symbol, part) in structure.symbols.iter().zip(&cut.symbols) {
        let part = &cut.parts[*part as usize];
        let line = u32::try_from(symbol.name_line).unwrap();
        assert!((part.first..=part.last).contains(&line), "{}", symbol.name);
    }
    assert_eq!(cut.symbols.len(), structure.symbols.len());
}

#[test]
fn a_line_behind_the_end_is_in_the_last_part() {
    let (cut, _) = cut("a.py", "def one():\n    pass\n\ndef two():\n    pass\n");
    let found: Vec<u32> = [1, 3, 4, 5, 99].map(|line| cut.part_at(line)).to_vec();
    assert_eq!(found, [0, 0, 1, 1, 1]);
}

fn check_doc(name: &str, text: &str, expected: Option<(u32, u32)>) {
    let (cut, _) = cut(name, text);
    let DocLines { first, last, bytes } = cut.parts[0].doc;
    let lines = expected.unwrap_or_default();
    assert_eq!((first, last), lines, "{text}");
    let doc = text.split_inclusive('\n').skip(lines.0.max(1) as usize - 1);
    let count = if expected.is_some() {
        lines.1 - lines.0 + 1
    } else {
        0
    };
    let size: usize = doc.take(count as usize).map(str::len).sum();
    assert_eq!(bytes as usize, size, "{text}");
}

#[test]
fn long_comments_above_a_function_can_be_left_out_but_for_two_lines() {
    let doc = |lines: usize| "/// Words about it.\n".repeat(lines) + "fn run() {}\n";
    check_doc("a.rs", &doc(7), None);
    check_doc("a.rs", &doc(8), Some((3, 8)));
    check_doc("a.rs", &doc(20), Some((3, 20)));
}

#[test]
fn long_docstrings_can_be_left_out_but_for_their_first_words() {
    let words = "    Words about it.\n".repeat(8);
    check_doc(
        "a.py",
        &format!("def run():\n    \"\"\"Runs.\n{words}    \"\"\"\n    go()\n"),
        Some((3, 11)),
    );
    check_doc(
        "a.py",
        &format!("def run():\n    r'''\n    Runs.\n{words}    '''\n    go()\n"),
        Some((4, 12)),
    );
    check_doc(
        "a.py",
        "def run():\n    \"\"\"Runs.\"\"\"\n    go()\n",
        None,
    );
    check_doc(
        "a.py",
        "def run():\n    \"\"\"Runs.\n\n    More.\n    \"\"\"\n",
        None,
    );
    check_doc(
        "a.py",
        &format!("def run():\n    \"\"\"Open\n{words}"),
        None,
    );
}

/// Returns the key of the only term of a word.
fn key_of(word: &str) -> u32 {
    let mut keys = Vec::new();
    loom_search::terms_in(word, |term| keys.push(term_key(term)));
    assert_eq!(keys.len(), 1, "{word}");
    keys[0]
}

#[test]
fn terms_are_counted_by_field() {
    let text = "def parse_header(line):\n    \"\"\"Splits a header.\"\"\"\n    return line\n";
    let (cut, _) = cut("a.py", text);
    let part = &cut.parts[0];
    let counts = |word: &str| {
        let key = key_of(word);
        let found = part.terms.iter().find(|(one, _)| *one == key);
        found.map_or([0; 3], |(_, counts)| *counts)
    };
    assert_eq!(counts("line"), [2, 0, 0]);
    assert_eq!(counts("header"), [2, 1, 1]);
    assert_eq!(counts("splits"), [1, 0, 1]);
    assert_eq!(counts("absent"), [0, 0, 0]);
    assert!(part.terms.is_sorted_by_key(|(key, _)| *key));
    let all = |field: usize| -> u32 {
        part.terms
            .iter()
            .map(|(_, counts)| u32::from(counts[field]))
            .sum()
    };
    assert_eq!(part.words, [all(0), all(1), all(2)]);
}

#[test]
fn a_member_has_the_words_of_its_type_as_a_hint() {
    let (cut, _) = cut("a.py", "class Reader:\n    def go(self):\n        pass\n");
    let key = key_of("reader");
    let method = cut.parts.last().unwrap();
    let found = method.terms.iter().find(|(one, _)| *one == key);
    assert_eq!(found.unwrap().1, [0, 0, 1]);
}

proptest! {
    #[test]
    fn parts_cover_all_lines_and_bytes_once(
        name in "a\\.(py|rs|md|toml|txt)",
        lines in prop::collection::vec("(def f\\(\\):|    x = 1|class A:|fn g\\(\\) \\{|\\}|# c|/// d|\\[t\\]|)", 0..300),
    ) {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let (cut, structure) = cut(&name, &text);
        let mut next = 1;
        for part in &cut.parts {
            prop_assert_eq!(part.first, next);
            prop_assert!(part.last >= part.first);
            next = part.last + 1;
        }
        prop_assert_eq!(next, cut.lines + 1);
        let bytes: u32 = cut.parts.iter().map(|part| part.bytes).sum();
        prop_assert_eq!(bytes as usize, text.len());
        prop_assert_eq!(cut.symbols.len(), structure.symbols.len());
        prop_assert!(cut.symbols.iter().all(|part| (*part as usize) < cut.parts.len()));
    }

    #[test]
    fn documentation_that_can_be_left_out_is_inside_of_its_part(count in 0usize..30, body in 0usize..10) {
        let doc = "    more words\n".repeat(count);
        let body = "    x = 1\n".repeat(body);
        let (cut, _) = cut("a.py", &format!("def run():\n    '''Runs.\n{doc}    '''\n{body}"));
        for part in cut.parts.iter().filter(|part| !part.doc.is_empty()) {
            prop_assert!(part.doc.first > part.first && part.doc.last <= part.last);
            prop_assert!(part.doc.bytes < part.bytes);
        }
    }
}
