//! Maps as answers: every name behind a mark, and what is missing.

use std::sync::Arc;

use infiniloom::Infiniloom;
use infiniloom::wire::{MapEdge, MapEntryLine, MapSymbolInfo};

use super::*;

fn entry(path: &str, names: &[&str]) -> MapEntry {
    MapEntry {
        path: path.to_owned(),
        names: names.iter().map(|&name| name.to_owned()).collect(),
        lines: vec![MapEntryLine {
            depth: 1,
            line: 7,
            text: "def f()".to_owned(),
        }],
        not_shown: 0,
    }
}

fn map() -> MapDocumentInfo {
    MapDocumentInfo {
        format_version: 1,
        name: "shop".to_owned(),
        files: 3,
        lines: 40,
        files_without_symbols: 1,
        languages: ["a", "b", "c", "d", "e"].map(str::to_owned).to_vec(),
        description: Some("Sells things".to_owned()),
        key_symbols: vec![MapSymbolInfo {
            name: "total".to_owned(),
            kind: "function".to_owned(),
            path: "shop.py".to_owned(),
            line: 3,
        }],
        signatures: vec![entry("shop.py", &["other"])],
        others: vec![MapDirectory {
            path: "lib".to_owned(),
            files: vec![entry("tax.py", &["rate"])],
        }],
        edges: vec![MapEdge {
            from: "shop.py".to_owned(),
            to: "lib/tax.py".to_owned(),
        }],
        files_not_shown: 1,
        notices: Vec::new(),
    }
}

fn fitted(map: &MapDocumentInfo) -> Fitted {
    let model = Infiniloom::new().model("gpt-4o").unwrap();
    let about = Some(Source::lines("README.md", 3, 3));
    drawn(map, about, &Redactor::default()).fit(3000, &Redactor::default(), &model)
}

#[test]
fn names_of_the_repository_stand_behind_a_mark() {
    let told = fitted(&map());
    for line in [
        "about| Sells things",
        "file| shop.py\n3| function total",
        "7|   def f()",
        "also| other",
        "folder| lib/\nfile| tax.py: rate",
        "uses| shop.py → lib/tax.py",
    ] {
        assert!(told.text.contains(line), "{line}: {}", told.text);
    }
}

#[test]
fn sources_are_the_lines_and_files_that_are_shown() {
    let told = fitted(&map());
    let expected = [
        "README.md:3-3",
        "shop.py:3-3",
        "shop.py:7-7",
        "shop.py",
        "lib/tax.py",
    ];
    assert_eq!(told.data["sources"], json!(expected));
}

#[test]
fn map_is_whole_unless_something_with_symbols_is_missing() {
    assert_eq!(fitted(&map()).data["truncated"], false);
    let mut short = map();
    short.files_not_shown = 2;
    assert_eq!(fitted(&short).data["truncated"], true);
    let mut short = map();
    short.others[0].files[0].not_shown = 1;
    assert_eq!(fitted(&short).data["truncated"], true);
}

#[test]
fn head_names_at_most_four_languages_and_counts_the_rest() {
    let told = head(&map(), 1);
    assert!(
        told.contains("3 files, 40 lines, a, b, c, d and 1 files in no"),
        "{told}"
    );
    assert!(!head(&map(), 0).contains("no known language"));
}

#[test]
fn folders_are_ordered_by_their_number_of_files() {
    let files = ["a.py", "lib/a.py", "lib/b.py", "src/a.py"];
    let paths = Paths {
        files: Arc::from(files.map(str::to_owned)),
        prefix: "",
    };
    let model = Infiniloom::new().model("gpt-4o").unwrap();
    let told = folders(&paths).fit(1000, &Redactor::default(), &model);
    let expected = "folder| lib: 2\nfolder| .: 1\nfolder| src: 1";
    assert!(told.text.contains(expected), "{}", told.text);
}
