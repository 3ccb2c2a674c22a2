//! The contents of a map within a budget, and its formats.

use loom_engine::map::{
    Algorithm, Extract, Filled, Focus, Level, MapError, MapFormat, MapOptions, SymbolGraph, Weights,
};
use loom_graph::Alone;
use proptest::prelude::*;
use quick_xml::events::Event;

use crate::repository::{TOKENIZER, files, linked, tokens};

fn options(budget: usize, format: MapFormat) -> MapOptions {
    MapOptions {
        name: "demo".to_owned(),
        description: None,
        total: (3, 30),
        tokens: None,
        budget,
        format,
        algorithm: Algorithm::default(),
        weights: Weights::default(),
        extract: Extract::default(),
        focus: Focus::default(),
        recency: Vec::new(),
    }
}

fn map(linked: &SymbolGraph, options: &MapOptions) -> Result<Filled, MapError> {
    linked.map(options, &TOKENIZER, &Alone)
}

const FORMATS: [MapFormat; 5] = [
    MapFormat::Xml,
    MapFormat::Markdown,
    MapFormat::Json,
    MapFormat::Plain,
    MapFormat::Mermaid,
];

const DEMO: &str = "\
=== src/core.py
LIMIT = 3

class Registry:
    \"\"\"Knows all parts.\"\"\"
    def add(self, part):
        def helper():
            pass

def open_registry(path):
    return Registry()
=== src/main.py
from core import open_registry
def main():
    open_registry('x')
=== lib/types.ts
export interface Shape { area(): number }
export type Name = string;
export class Box implements Shape { area() { return 1; } }
";

fn whole(text: &str, change: impl Fn(&mut MapOptions)) -> Filled {
    let mut options = options(100_000, MapFormat::Plain);
    change(&mut options);
    map(&linked(&files(text)), &options).unwrap()
}

/// Returns the names of all symbols in a map.
fn shown(filled: &Filled) -> Vec<String> {
    let document = &filled.document;
    let others = document.others.iter().flat_map(|(_, files)| files);
    let all = document.signatures.iter().chain(others);
    let mut names: Vec<String> = all
        .flat_map(|file| {
            let lines = file.lines.iter().map(|line| line.name.clone());
            lines.chain(file.names.iter().cloned()).collect::<Vec<_>>()
        })
        .collect();
    names.sort();
    names
}

/// Checks the names of the shown symbols. A type is shown around its members.
fn check_shown(change: impl Fn(&mut Extract), expected: &str) {
    let filled = whole(DEMO, |options| change(&mut options.extract));
    assert_eq!(shown(&filled).join(" "), expected);
}

#[test]
fn each_kind_of_symbol_can_be_left_out() {
    check_shown(
        |_| {},
        "Box LIMIT Name Registry Shape add area area main open_registry",
    );
    check_shown(|one| one.functions = false, "Box LIMIT Name Registry Shape");
    check_shown(
        |one| (one.functions, one.classes) = (false, false),
        "LIMIT Name Shape",
    );
    check_shown(
        |one| (one.functions, one.interfaces) = (false, false),
        "Box LIMIT Name Registry",
    );
    check_shown(
        |one| one.types = false,
        "Box LIMIT Registry Shape add area area main open_registry",
    );
    check_shown(
        |one| one.constants = false,
        "Box Name Registry Shape add area area main open_registry",
    );
}

#[test]
fn functions_inside_functions_are_never_shown() {
    assert!(!whole(DEMO, |_| {}).text.contains("helper"));
}

#[test]
fn edges_are_shown_only_where_imports_are() {
    let with = whole(DEMO, |_| {});
    assert_eq!(
        with.document.edges,
        [("src/main.py".to_owned(), "src/core.py".to_owned())]
    );
    assert!(with.text.contains("src/main.py -> src/core.py"));
    let without = whole(DEMO, |options| options.extract.imports = false);
    assert!(without.document.edges.is_empty() && without.is_whole);
}

#[test]
fn members_stand_below_their_type_in_the_order_of_the_text() {
    let filled = whole(DEMO, |_| {});
    let file = filled
        .document
        .signatures
        .iter()
        .find(|file| file.path == "src/core.py");
    let lines: Vec<(usize, &str, u32)> = file
        .unwrap()
        .lines
        .iter()
        .map(|line| (line.depth, line.name.as_str(), line.line))
        .collect();
    assert_eq!(
        lines,
        [
            (0, "LIMIT", 1),
            (0, "Registry", 3),
            (1, "add", 5),
            (0, "open_registry", 9)
        ]
    );
}

#[test]
fn languages_are_counted_by_lines_the_largest_first() {
    let filled = whole(DEMO, |_| {});
    assert_eq!(
        filled.document.languages,
        [("Python", 13), ("TypeScript", 3)]
    );
    assert!(
        filled
            .text
            .starts_with("demo: 3 files, 30 lines, Python, TypeScript\n"),
        "{}",
        filled.text
    );
}

#[test]
fn a_fifth_of_the_files_is_high_and_half_is_medium() {
    let text: String = (0..20)
        .map(|at| format!("=== f{at}.py\ndef name_{at}(): pass\n"))
        .collect();
    let filled = whole(&text, |_| {});
    let levels: Vec<Level> = filled
        .document
        .signatures
        .iter()
        .map(|file| file.level.unwrap())
        .collect();
    let count = |level| levels.iter().filter(|one| **one == level).count();
    assert_eq!(
        (count(Level::High), count(Level::Medium), count(Level::Low)),
        (4, 6, 10)
    );
    assert!(levels.is_sorted());
}

#[test]
fn the_summary_names_key_symbols_and_hot_files() {
    let summary = whole(DEMO, |_| {}).document.summary;
    let lines: Vec<&str> = summary.lines().collect();
    assert_eq!(lines[0], "Repository: demo (3 files, 30 lines)");
    assert!(
        lines[1].starts_with("Key symbols: ") && lines[1].contains("open_registry()"),
        "{summary}"
    );
    assert!(lines[2].starts_with("Hot files: src/core.py"), "{summary}");
}

#[test]
fn members_that_every_type_has_and_tests_are_no_key_symbols() {
    let text = "\
=== a.py
class Store:
    def __init__(self): pass
    def clone(self): pass
    def load_all(self): pass
def test_store(): pass
=== tests/test_a.py
from a import Store
def helper_of_tests():
    Store().clone()
";
    let filled = whole(text, |_| {});
    let names: Vec<&str> = filled
        .document
        .key_symbols
        .iter()
        .map(|one| one.name.as_str())
        .collect();
    assert_eq!(names, ["Store", "Store.load_all"]);
}

#[test]
fn a_file_has_at_most_four_key_symbols() {
    let text: String = (0..9)
        .map(|at| format!("def name_{at}(): pass\n"))
        .collect();
    let filled = whole(&format!("=== a.py\n{text}"), |_| {});
    assert_eq!(filled.document.key_symbols.len(), 4);
}

#[test]
fn long_signatures_are_cut_and_odd_characters_are_pictured() {
    let long = "argument_name, ".repeat(60);
    let filled = whole(&format!("=== a.py\ndef run({long}): pass\n"), |_| {});
    let line = &filled.document.signatures[0].lines[0].text;
    assert!(line.ends_with('…') && line.len() <= 243, "{line}");
    let odd = whole("=== a.py\ndef run(x=\"\u{1b}[31m\"): pass\n", |_| {});
    assert!(odd.text.contains("\u{241b}[31m"), "{}", odd.text);
}

#[test]
fn a_long_description_leaves_room_for_the_rest() {
    let linked = linked(&files(DEMO));
    let mut little = options(200, MapFormat::Plain);
    little.description = Some("word ".repeat(400));
    let filled = map(&linked, &little).unwrap();
    assert!(filled.tokens <= 200 && !filled.document.key_symbols.is_empty());
    assert!(filled.document.description.unwrap().ends_with('…'));
}

#[test]
fn the_smallest_budget_that_an_error_names_holds_a_map() {
    let linked = linked(&files(DEMO));
    for format in FORMATS {
        let Err(MapError::BudgetTooSmall { budget, smallest }) = map(&linked, &options(1, format))
        else {
            panic!("a map of one token");
        };
        assert_eq!(budget, 1);
        let filled = map(&linked, &options(smallest, format)).unwrap();
        assert!(filled.tokens <= smallest, "{format:?}");
        assert!(
            map(&linked, &options(smallest - 1, format)).is_err(),
            "{format:?}"
        );
    }
}

#[test]
fn json_holds_the_document() {
    let filled = whole(DEMO, |options| {
        options.format = MapFormat::Json;
        options.description = Some("It \"does\" <that>.".to_owned());
        options.tokens = Some(77);
    });
    let value: serde_json::Value = serde_json::from_str(&filled.text).unwrap();
    assert_eq!(value["name"], "demo");
    assert_eq!(value["description"], "It \"does\" <that>.");
    assert_eq!(value["tokens"], filled.tokens);
    assert_eq!(value["stats"]["tokens"], 77);
    assert_eq!(value["stats"]["languages"], 2);
    assert_eq!(value["edges"][0]["from"], "src/main.py");
    assert_eq!(value["edges"][0]["to"], "src/core.py");
    let core = value["files"]
        .as_array()
        .unwrap()
        .iter()
        .find(|file| file["path"] == "src/core.py");
    let signatures = core.unwrap()["signatures"].as_array().unwrap();
    assert_eq!(signatures[1]["kind"], "class");
    assert_eq!(signatures[1]["line"], 3);
    assert_eq!(signatures[2]["signature"], "def add(self, part)");
    assert_eq!(
        value["key_symbols"].as_array().unwrap().len(),
        filled.document.key_symbols.len()
    );
}

#[test]
fn files_without_signatures_are_listed_by_folder() {
    let text: String = (0..40)
        .map(|at| {
            format!(
                "=== dir{}/file_{at}.py\ndef function_name_{at}(a, b): pass\n",
                at % 2
            )
        })
        .collect();
    let linked = linked(&files(&text));
    let filled = map(&linked, &options(500, MapFormat::Json)).unwrap();
    assert!(!filled.document.others.is_empty());
    let value: serde_json::Value = serde_json::from_str(&filled.text).unwrap();
    let paths: Vec<&str> = value["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["path"].as_str().unwrap())
        .collect();
    for path in &paths {
        assert!(text.contains(&format!("=== {path}\n")), "{path}");
    }
    let mut distinct = paths.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), paths.len());
}

#[test]
fn markdown_fences_are_longer_than_runs_of_backticks_in_names() {
    let filled = whole("=== ````.py\nimport os\n", |options| {
        options.format = MapFormat::Markdown;
    });
    let expected = "`````\n./\n  ````.py\n`````\n";
    assert!(filled.text.contains(expected), "{}", filled.text);
}

#[test]
fn mermaid_names_each_file_once_and_escapes_quotes() {
    let mut text = String::from("=== core.py\ndef run(): pass\n");
    for at in 0..30 {
        text += &format!("=== f{at}.py\nfrom core import run\nrun()\n");
    }
    text += "=== a\"b.py\nfrom core import run\nrun()\n";
    let filled = whole(&text, |options| options.format = MapFormat::Mermaid);
    assert_eq!(filled.text.matches("core.py").count(), 1, "{}", filled.text);
    assert_eq!(filled.text.matches(" --> ").count(), 31);
    assert!(
        filled.text.contains("#quot;") && filled.text.contains("AA["),
        "{}",
        filled.text
    );
}

#[test]
fn mermaid_shows_files_that_nothing_uses_as_boxes() {
    let filled = whole("=== a.py\ndef run(): pass\n", |options| {
        options.format = MapFormat::Mermaid;
    });
    assert_eq!(filled.text, "graph TD\n    A[\"a.py\"]\n");
}

fn check_xml(text: &str) {
    let mut reader = quick_xml::Reader::from_str(text);
    while reader.read_event().unwrap() != Event::Eof {}
}

fn repository() -> impl Strategy<Value = String> {
    let function = "def [a-z]{3,8}_(one|two)\\((a, b|x=\"]]>\"|c='<&`')?\\): pass\n";
    let file = prop::collection::vec(function, 0..6).prop_map(|lines| lines.concat());
    prop::collection::vec(file, 1..10).prop_map(|files| {
        let name = |at: usize| format!("=== dir{}/f{at}.py\n", at % 3);
        files
            .iter()
            .enumerate()
            .map(|(at, text)| name(at) + text)
            .collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn no_map_is_beyond_its_budget_in_any_format(repository in repository(), budget in 1usize..800) {
        let linked = linked(&files(&repository));
        for format in FORMATS {
            match map(&linked, &options(budget, format)) {
                Ok(filled) => {
                    prop_assert_eq!(filled.tokens, tokens(&filled.text));
                    prop_assert!(filled.tokens <= budget);
                    if format == MapFormat::Xml {
                        check_xml(&filled.text);
                    }
                }
                Err(MapError::BudgetTooSmall { smallest, .. }) => prop_assert!(smallest > budget),
                Err(error) => panic!("{error}"),
            }
        }
    }

    #[test]
    fn shown_and_hidden_files_add_up(repository in repository(), budget in 150usize..800) {
        let list = files(&repository);
        let linked = linked(&list);
        let mut request = options(budget, MapFormat::Json);
        request.total = (list.len(), 1);
        let Ok(filled) = map(&linked, &request) else { return Ok(()) };
        let document = &filled.document;
        let others: usize = document.others.iter().map(|(_, files)| files.len()).sum();
        prop_assert_eq!(document.signatures.len() + others + document.left_out, list.len());
        prop_assert!(!filled.is_whole || document.left_out == 0);
    }
}
