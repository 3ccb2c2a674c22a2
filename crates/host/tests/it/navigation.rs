//! Navigation over the files of a searcher: with and without an index, and after changes.

use std::sync::Arc;

use loom_host::{
    Cancel, IndexUse, KeptSyntax, Navigate, PackOptions, Searcher, SyntaxNavigator, Target,
};
use loom_testkit::Sandbox;

use crate::fixture::{cached, open, packer, password};

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox
        .write("shop/till.py", "class Till:\n    def open(self):\n        return count(self)\n\n\ndef count(till):\n    return len(\"count\")\n")
        .write("shop/big.py", "from .till import Till, count\n\n\nclass BigTill(Till):\n    def open(self):\n        count(self)\n        return Till.open(self)\n")
        .write("web/till.js", "export function count() { return 1 }\n")
        .write("notes.txt", "count\n");
    sandbox
}

/// Returns the definitions, uses, subtypes and callers of a target.
fn told(searcher: &Searcher, target: &str) -> String {
    let navigator = SyntaxNavigator::new(searcher);
    let of = navigator.definitions(&Target::parse(target).unwrap());
    let place = |place: &loom_host::CodePlace| format!("{}:{}", place.path.display(), place.line);
    let definitions: Vec<String> = of.iter().map(|one| place(&one.place)).collect();
    let uses: Vec<String> = navigator
        .references(&of)
        .iter()
        .map(|one| place(&one.place))
        .collect();
    let impls: Vec<String> = navigator
        .implementations(&of)
        .iter()
        .map(|one| place(&one.place))
        .collect();
    let callers = navigator.callers(&of, 2).calls;
    let callers: Vec<String> = callers.iter().map(|one| place(&one.place)).collect();
    format!("{definitions:?} {uses:?} {impls:?} {callers:?}")
}

#[test]
fn index_changes_no_answer() {
    let sandbox = sandbox();
    for target in ["count", "Till", "Till.open", "shop/big.py:6:10", "nothing"] {
        let answers = [IndexUse::Off, IndexUse::Update, IndexUse::Auto]
            .map(|usage| told(&open(packer(&sandbox, cached(&sandbox)), usage), target));
        assert_eq!(answers[0], answers[1], "{target}");
        assert_eq!(answers[0], answers[2], "{target}");
    }
    let searcher = open(packer(&sandbox, PackOptions::default()), IndexUse::Off);
    let expected = r#"["shop/till.py:1"] ["shop/big.py:1", "shop/big.py:4", "shop/big.py:7"] ["shop/big.py:4"] []"#;
    assert_eq!(told(&searcher, "Till"), expected);
}

#[test]
fn location_is_found_by_any_spelling_of_its_path() {
    let sandbox = sandbox();
    let searcher = open(packer(&sandbox, PackOptions::default()), IndexUse::Off);
    let full = format!("{}:6:5", sandbox.path("shop/till.py").display());
    for target in ["shop/till.py:6:5", "./shop/till.py:6:5", &full] {
        assert!(
            told(&searcher, target).starts_with(r#"["shop/till.py:6"]"#),
            "{target}"
        );
    }
}

#[test]
fn edited_file_is_seen_by_the_next_searcher() {
    let sandbox = sandbox();
    let searcher = open(packer(&sandbox, cached(&sandbox)), IndexUse::Update);
    assert!(told(&searcher, "count").contains("web/till.js"));
    sandbox.write("web/till.js", "export function other() { return 1 }\n");
    let now = searcher.refreshed(&Cancel::new()).unwrap().unwrap();
    assert!(!told(&now, "count").contains("web/till.js"));
    assert!(told(&now, "other").contains("web/till.js:1"));
}

/// Another name of a copied secret is hidden, too.
#[test]
fn secrets_of_other_files_are_redacted_in_answers() {
    let sandbox = Sandbox::new();
    let password = password();
    sandbox
        .write("app.env", format!("DB_PASSWORD={password}\n"))
        .write(
            "code.py",
            format!("def near(value=\"{password}\"):\n    return near()\n"),
        );
    let searcher = open(packer(&sandbox, PackOptions::default()), IndexUse::Off);
    let navigator = SyntaxNavigator::new(&searcher);
    let of = navigator.definitions(&Target::parse("near").unwrap());
    assert!(of[0].has_secret);
    let told = format!("{of:?}{:?}", navigator.references(&of));
    assert!(
        !told.contains(&password) && told.contains("[REDACTED:"),
        "{told}"
    );
}

#[test]
fn syntax_is_shared_between_navigators_of_one_snapshot() {
    let sandbox = sandbox();
    let searcher = open(packer(&sandbox, PackOptions::default()), IndexUse::Off);
    let kept: Arc<KeptSyntax> = Arc::default();
    let target = Target::parse("count").unwrap();
    let found = |kept: &Arc<KeptSyntax>| {
        let navigator = SyntaxNavigator::with(&searcher, Arc::clone(kept), &Cancel::new());
        navigator.definitions(&target).len()
    };
    assert_eq!(found(&kept), 2);
    sandbox.write("web/till.js", "export function other() { return 1 }\n");
    assert_eq!(found(&kept), 2, "the syntax of the snapshot is kept");
    assert_eq!(found(&Arc::default()), 1, "the changed file is not read");
}
