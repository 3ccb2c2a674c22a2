//! Texts in memory and unsaved edits: every query works on them, and no secret leaks.

use infiniloom::{
    Cache, Change, Chunk, Context, Control, ErrorKind, Index, Infiniloom, Map, Navigate, Pack,
    RankedSearch, Read, Repository, Root, Scan, Search, Snapshot, Symbols, Text, Tokens, Why,
};

use crate::examples::{SECRET, shop};

const TAX: &str = "def rate(country):\n    return 0.2\n";
const BASKET: &str = "from shop.tax import rate\n\n\ndef total(items, country):\n    return sum(items) * rate(country)\n";

fn texts() -> Vec<Text> {
    vec![
        Text::new("shop/tax.py", TAX),
        Text::new("shop/basket.py", BASKET),
        Text::new("config.env", format!("DB_PASSWORD={SECRET}\n")),
        Text::new("notes.md", format!("The password {SECRET} works.\n")),
        Text::new(".gitignore", "*.log\n"),
        Text::new("build.log", "built\n"),
    ]
}

fn snapshot() -> Snapshot {
    let repository = Infiniloom::new().open(Root::texts(texts())).unwrap();
    repository.snapshot().unwrap()
}

#[test]
fn every_query_works_on_texts() {
    let snapshot = snapshot();
    assert_eq!(snapshot.file_count(), 5);
    let shown = [
        Pack::new().run(&snapshot).unwrap().text,
        Context::new("which tax rate has a country?")
            .run(&snapshot)
            .unwrap()
            .context,
        Map::new().run(&snapshot).unwrap().text,
        Read::path("notes.md").run(&snapshot).unwrap().text,
        format!("{:?}", Search::text("password").run(&snapshot).unwrap()),
        format!("{:?}", Chunk::new().run(&snapshot).unwrap()),
    ];
    assert!(shown[0].contains("def rate") && shown[1].contains("def rate"));
    assert!(shown.iter().all(|text| !text.contains(SECRET)), "{shown:?}");
    let callers = Navigate::callers("rate").run(&snapshot).unwrap();
    assert_eq!(callers.calls.unwrap().len(), 1);
    let symbols = Symbols::new().run(&snapshot).unwrap();
    let defining = symbols.files.iter().filter(|file| !file.symbols.is_empty());
    assert_eq!(defining.count(), 2);
    let ranked = RankedSearch::question("tax rate").run(&snapshot).unwrap();
    assert_eq!(ranked.hits[0].path, "shop/tax.py");
    assert!(Tokens::new().run(&snapshot).unwrap().total_tokens > 0);
    assert!(!Scan::files().run(&snapshot).unwrap().findings.is_empty());
    assert!(Why::new("shop/tax.py").run(&snapshot).unwrap().packed);
    assert!(!Why::new("build.log").run(&snapshot).unwrap().packed);
    let sandbox = shop();
    let engine = Infiniloom::builder().cache(Cache::Directory(sandbox.path("../cache")));
    let repository = engine.build().unwrap().open(Root::texts(texts())).unwrap();
    let indexed = Index::new().run(&repository.snapshot().unwrap()).unwrap();
    assert_eq!(indexed.files, 5);
}

#[test]
fn query_about_git_is_a_clear_error_for_texts() {
    let snapshot = snapshot();
    let error = Pack::new().log(3).run(&snapshot).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    assert!(
        error.chain().contains("texts is not a git repository"),
        "{}",
        error.chain()
    );
    assert!(Scan::history().run(&snapshot).is_err());
    let revision = Root::texts(texts()).revision("HEAD");
    let error = Infiniloom::new().open(revision).unwrap_err();
    assert_eq!(error.code(), "revision_of_texts");
    let twice = Root::texts([Text::new("a", ""), Text::new("a", "")]);
    let error = Infiniloom::new().open(twice).unwrap_err();
    assert_eq!(error.code(), "invalid_texts");
}

#[test]
fn settings_among_texts_hold() {
    let mut texts = texts();
    texts.push(Text::new(
        "infiniloom.toml",
        "[scan]\nexclude = ['notes.md']\n",
    ));
    let repository = Infiniloom::new().open(Root::texts(texts)).unwrap();
    assert_eq!(repository.snapshot().unwrap().file_count(), 5);
}

fn matches(repository: &Repository, text: &str) -> Vec<String> {
    let found = Search::text(text)
        .run(&repository.snapshot().unwrap())
        .unwrap();
    let line = |hit: infiniloom::wire::MatchInfo| format!("{}: {}", hit.path, hit.text);
    found.matches.into_iter().map(line).collect()
}

#[test]
fn edits_belong_to_later_snapshots_until_they_are_saved() {
    let sandbox = shop();
    let repository = Infiniloom::new().open(sandbox.work()).unwrap();
    let before = repository.snapshot().unwrap();
    let buffer = "def refund():\n    pass\n";
    repository
        .apply([
            Change::edit("shop/tax.py", buffer),
            Change::edit("new/file.py", buffer),
            Change::edit("target/debug/later", buffer),
            Change::remove("lib"),
        ])
        .unwrap();
    let edited = repository.snapshot().unwrap();
    assert_ne!(before.id(), edited.id());
    assert_eq!(repository.snapshot().unwrap().id(), edited.id());
    // The edits add one file and remove two, and the ignored one stays ignored.
    assert_eq!(edited.file_count(), before.file_count() - 1);
    let expected = ["new/file.py: def refund():", "shop/tax.py: def refund():"];
    assert_eq!(matches(&repository, "refund"), expected);
    assert_eq!(matches(&repository, "euros"), [""; 0]);
    assert_eq!(
        Search::text("refund").run(&before).unwrap().matches.len(),
        0
    );
    let found = Navigate::definitions("refund").run(&edited).unwrap();
    assert_eq!(found.definitions.len(), 2);
    // Another edit of the same file is another state.
    repository
        .apply([Change::edit("shop/tax.py", "x = 1\n")])
        .unwrap();
    assert_ne!(repository.snapshot().unwrap().id(), edited.id());
    repository
        .apply([
            Change::save("shop"),
            Change::save("new"),
            Change::save("lib"),
        ])
        .unwrap();
    let paths = |snapshot: &Snapshot| snapshot.files(&Control::new()).unwrap();
    assert_eq!(paths(&repository.snapshot().unwrap()), paths(&before));
    assert!(!sandbox.path("new").exists());
}

#[test]
fn secrets_of_an_edit_are_known_before_text_leaves() {
    let sandbox = shop();
    let secret = "Qm7vTz41xKp09LwB";
    sandbox.write("notes.md", format!("{secret} is in use\n"));
    let repository = Infiniloom::new().open(sandbox.work()).unwrap();
    assert!(matches(&repository, "is in use")[0].contains(secret));
    let edit = Change::edit("config.env", format!("DB_PASSWORD={secret}\n"));
    repository.apply([edit]).unwrap();
    let found = matches(&repository, "is in use");
    assert!(found.len() == 1 && !found[0].contains(secret), "{found:?}");
    let packed = Pack::new().run(&repository.snapshot().unwrap()).unwrap();
    assert!(!packed.text.contains(secret));
    // An edited ignored file reveals its secrets, too.
    let other = "Zt6wRy82nHq35MvD";
    repository
        .apply([
            Change::edit(".gitignore", ".env\n"),
            Change::edit(".env", format!("API_TOKEN={other}\n")),
            Change::edit("log.md", format!("{other} was used\n")),
        ])
        .unwrap();
    let found = matches(&repository, "was used");
    assert!(found.len() == 1 && !found[0].contains(other), "{found:?}");
}

#[test]
fn invalid_change_changes_nothing() {
    let sandbox = shop();
    let repository = Infiniloom::new().open(sandbox.work()).unwrap();
    let before = repository.snapshot().unwrap();
    for path in ["../up", "", "."] {
        let changes = [Change::edit("a.py", "x = 1\n"), Change::edit(path, "")];
        let error = repository.apply(changes).unwrap_err();
        assert_eq!(error.code(), "outside_root", "{path:?}");
    }
    assert_eq!(repository.snapshot().unwrap().id(), before.id());
}
