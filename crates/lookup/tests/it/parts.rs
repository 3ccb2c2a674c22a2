//! The part of a file that answers a question best.

use loom_base::ContentHash;
use loom_lookup::{BestPart, best_part};
use loom_search::{Contents, Live, Question, Ranking, Segment, SegmentBuilder, Weights, rank};
use loom_syntax::{Language, Limits, Symbol, extract};
use proptest::prelude::*;

use crate::fixture::path;

fn symbols(name: &str, text: &str) -> Vec<Symbol> {
    let language = Language::detect(&path(name), text);
    language.map_or_else(Vec::new, |one| {
        extract(one, text, &Limits::default()).symbols
    })
}

/// Ranks a file alone and finds its best part.
fn best(name: &str, text: &str, question: &str) -> (BestPart, Vec<Symbol>) {
    let symbols = symbols(name, text);
    let names: Vec<String> = symbols.iter().map(|one| one.name.clone()).collect();
    let mut builder = SegmentBuilder::default();
    builder.add(&Contents {
        hash: ContentHash::from_bytes(*blake3::hash(text.as_bytes()).as_bytes()),
        text,
        is_always: false,
        seen_as: 0,
        symbols: &names,
        comments: &[],
    });
    let segment = Segment::open(builder.finish()).unwrap();
    let live = [Live {
        path: name,
        segment: 0,
        content: 0,
    }];
    let question = Question::new(question);
    let ranked = rank(
        &question,
        &[&segment],
        &live,
        Ranking::CodeAware,
        &Weights::default(),
    );
    let found = best_part(&question, &ranked.unwrap(), &path(name), text, &symbols);
    (found, symbols)
}

/// Returns the lines and the symbol of the best part.
fn lines(name: &str, text: &str, question: &str) -> String {
    let (found, symbols) = best(name, text, question);
    let Some(lines) = found.lines else {
        return "nothing".to_owned();
    };
    let symbol = found.symbol.map_or("", |at| symbols[at].qualified.as_str());
    format!("{}-{} {symbol}", lines.start(), lines.end())
}

const SHOP: &str = "class Basket:\n    \"\"\"Holds what a customer takes.\"\"\"\n\n    def total_price(self):\n        return sum(item.price for item in self.items)\n\n    def clear_items(self):\n        self.items = []\n\n\ndef open_socket(host, port):\n    connection = connect(host, port)\n    return connection\n";

#[test]
fn function_with_the_words_of_the_question_is_the_best_part() {
    for (question, expected) in [
        ("how is the total price computed", "4-5 Basket.total_price"),
        ("where are items cleared", "7-8 Basket.clear_items"),
        ("how is a socket opened to a host", "11-13 open_socket"),
    ] {
        assert_eq!(lines("shop.py", SHOP, question), expected, "{question}");
    }
}

/// A question that is only a name asks for the type, not for one of its methods.
#[test]
fn name_of_a_type_leads_to_the_whole_type() {
    assert_eq!(lines("shop.py", SHOP, "Basket"), "1-8 Basket");
    assert_eq!(lines("shop.py", SHOP, "basket"), "1-8 Basket");
}

#[test]
fn text_without_a_word_of_the_question_has_no_part() {
    assert_eq!(lines("shop.py", SHOP, "zebra crossing"), "nothing");
}

/// Text between symbols is split into pieces of 60 lines.
#[test]
fn text_without_symbols_is_split_into_pieces() {
    let line = |at: usize| match at {
        150 => "the needle is here\n".to_owned(),
        at => format!("row {at} of hay\n"),
    };
    let text: String = (1..=200).map(line).collect();
    assert_eq!(lines("notes.txt", &text, "needle"), "121-180 ");
    let (found, _) = best("notes.txt", &text, "needle");
    assert_eq!(found.evidence.parts.len(), 4);
}

#[test]
fn long_function_is_truncated() {
    let body: String = (0..300)
        .map(|at| format!("    needle{at} = {at}\n"))
        .collect();
    let text = format!("def search_needle():\n{body}");
    assert_eq!(lines("a.py", &text, "search needle"), "1-121 search_needle");
}

#[test]
fn definitions_of_asked_names_are_evidence() {
    let definitions = |name: &str, question: &str| {
        let (found, _) = best(name, SHOP, question);
        let of = found.evidence.definitions.iter();
        of.map(|one| (one.is_type, one.lines, one.is_file))
            .collect::<Vec<_>>()
    };
    assert_eq!(definitions("shop.py", "Basket"), [(true, 8, false)]);
    assert_eq!(definitions("src/basket.py", "Basket"), [(true, 8, true)]);
    assert_eq!(
        definitions("shop.py", "what does `open_socket` do"),
        [(false, 3, false)]
    );
    assert_eq!(definitions("shop.py", "what is this"), []);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Parts are inside the text, whatever it contains.
    #[test]
    fn best_part_is_inside_the_text(lines in prop::collection::vec("(def f\\(\\):|    needle = 1|class A:|    def g\\(self\\):|        é needle|)", 0..90)) {
        let text = lines.join("\n");
        let (found, symbols) = best("a.py", &text, "needle in f");
        let count = text.matches('\n').count() + 1;
        if let Some(lines) = found.lines {
            prop_assert!(1 <= *lines.start() && lines.start() <= lines.end() && *lines.end() <= count);
        }
        prop_assert!(found.symbol.is_none_or(|at| at < symbols.len()));
        prop_assert!(found.evidence.parts.iter().all(|score| score.is_finite()));
    }
}
