//! Answers show no secret: not in names, lines, signatures or documentation.

use loom_lookup::{Detail, Navigate, Navigator, SearchOptions, SearchText, Target};

use crate::fixture::{Files, LINES, ask, key, search, shown};

fn class() -> Files {
    let key = key();
    Files::new(&[(
        "keys.py",
        format!(
            "class {key}:\n    def sell(self):\n        return price()\n\n\ndef price():\n    return 1\n"
        ),
    )])
}

#[test]
fn names_of_enclosing_symbols_are_redacted() {
    let files = class();
    let told = ask(&files, "callers price");
    assert_eq!(
        told,
        "keys.py:3:16: [REDACTED:aws-access-key].sell -> price\n"
    );
    for question in ["def sell", "refs price", "callees sell", "def keys.py:1:8"] {
        let told = ask(&files, question);
        assert!(
            !told.is_empty() && !told.contains(&key()),
            "{question}: {told}"
        );
    }
}

#[test]
fn called_name_that_is_a_secret_is_redacted() {
    let key = key();
    let files = Files::new(&[(
        "a.py",
        format!("class A:\n    def {key}(self): pass\n    def b(self): self.{key}()\n"),
    )]);
    let told = ask(&files, "callees A.b");
    assert!(
        told.contains("-> [REDACTED:aws-access-key]") && !told.contains(&key),
        "{told}"
    );
}

/// A secret in the body is not in the answer, one in the signature is.
#[test]
fn definition_is_marked_if_its_shown_part_has_a_secret() {
    let key = key();
    let files = Files::new(&[
        ("a.py", format!("def inner():\n    return \"{key}\"\n")),
        (
            "b.py",
            format!("def outer(key=\"{key}\"):\n    return key\n"),
        ),
        ("c.rs", format!("/// Uses {key}.\npub fn told() {{}}\n")),
    ]);
    let navigator = Navigator::new(&files, Default::default());
    let of = |name: &str| {
        navigator
            .definitions(&Target::parse(name).unwrap())
            .remove(0)
    };
    assert!(!of("inner").has_secret);
    let outer = of("outer");
    assert!(
        outer.has_secret && !outer.signature.contains(&key),
        "{outer:?}"
    );
    let told = of("told");
    assert!(told.has_secret && told.doc.is_none(), "{told:?}");
}

#[test]
fn shown_secrets_stay_if_they_are_not_hidden() {
    let mut files = class();
    files.hides = false;
    assert!(ask(&files, "callers price").contains(&key()));
    let (hits, totals) = search(&files, "class", LINES);
    assert_eq!(shown(&hits), [format!("keys.py:1:class {}:", key())]);
    assert_eq!(totals.secrets, 1);
}

#[test]
fn matching_lines_and_context_are_redacted_and_counted() {
    let key = key();
    let files = Files::new(&[("a.txt", format!("one\nuse {key} here\ntwo\n"))]);
    let (hits, totals) = search(&files, "here", LINES);
    assert_eq!(shown(&hits), ["a.txt:2:use [REDACTED:aws-access-key] here"]);
    assert_eq!((totals.secrets, hits[0].secrets), (1, 1));
    let around = SearchOptions {
        detail: Detail::Lines {
            before: 1,
            after: 0,
        },
        ..LINES
    };
    let (hits, _) = search(&files, "two", around);
    assert_eq!(
        shown(&hits),
        ["a.txt-2-use [REDACTED:aws-access-key] here", "a.txt:3:two"]
    );
    assert!(hits[0].lines[0].has_secret);
}

/// A query on the raw text finds a secret, a query on the redacted text cannot confirm one.
#[test]
fn redacted_text_confirms_no_guess() {
    let key = key();
    let files = Files::new(&[("a.txt", format!("use {key} here\n"))]);
    let search_text = |search_text: SearchText| {
        search(
            &files,
            &key,
            SearchOptions {
                search_text,
                ..LINES
            },
        )
        .0
    };
    assert_eq!(
        shown(&search_text(SearchText::Raw)),
        ["a.txt:1:use [REDACTED:aws-access-key] here"]
    );
    assert!(search_text(SearchText::Raw)[0].lines[0].places.is_empty());
    assert!(search_text(SearchText::Redacted).is_empty());
}

#[test]
fn symbols_around_hits_are_redacted() {
    let options = SearchOptions {
        symbols: true,
        ..LINES
    };
    let (hits, _) = search(&class(), "price", options);
    let around: Vec<Option<&str>> = hits[0]
        .lines
        .iter()
        .map(|line| line.symbol.as_deref())
        .collect();
    assert_eq!(
        around,
        [Some("[REDACTED:aws-access-key].sell"), Some("price")]
    );
    let (hits, _) = search(&class(), &format!("def:{}", key()), LINES);
    assert!(hits.is_empty(), "{hits:?}");
}
