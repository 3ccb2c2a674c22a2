//! Redaction of names, as a property: no name contains a secret, whatever the secret covers.

use loom_lookup::{hide_names, hide_references};
use loom_secrets::{Confidence, Finding};
use loom_syntax::{Language, Limits, Structure, extract};
use proptest::prelude::*;

const TEXT: &str = "class Shop:\n    class Till:\n        def sell(self):\n            return price(self)\n\n\ndef price(of):\n    return Shop.Till.sell(of)\n";

fn structure() -> Structure {
    extract(
        Language::from_id("python").unwrap(),
        TEXT,
        &Limits::default(),
    )
}

fn finding(start: usize, end: usize) -> Finding {
    Finding {
        span: start..end,
        kind: "key",
        confidence: Confidence::High,
        reasons: Vec::new(),
    }
}

fn names(findings: &[Finding]) -> Vec<String> {
    let mut symbols = structure().symbols;
    hide_names(&mut symbols, TEXT, findings);
    symbols.into_iter().map(|one| one.qualified).collect()
}

#[test]
fn only_names_that_a_secret_covers_change() {
    let at = |word: &str| TEXT.find(word).unwrap();
    for (start, end, expected) in [
        (0, 0, ["Shop", "Shop.Till", "Shop.Till.sell", "price"]),
        (
            at("Till"),
            at("Till") + 4,
            [
                "Shop",
                "Shop.[REDACTED:key]",
                "Shop.[REDACTED:key].sell",
                "price",
            ],
        ),
        // A secret inside a name leaves the rest of it.
        (
            at("price(of)") + 1,
            at("price(of)") + 3,
            ["Shop", "Shop.Till", "Shop.Till.sell", "p[REDACTED:key]ce"],
        ),
        (
            at("sell"),
            at("sell") + 4,
            ["Shop", "Shop.Till", "Shop.Till.[REDACTED:key]", "price"],
        ),
    ] {
        let findings = match end {
            0 => Vec::new(),
            _ => vec![finding(start, end)],
        };
        assert_eq!(names(&findings), expected, "{start}..{end}");
    }
}

#[test]
fn reference_that_overlaps_a_secret_loses_its_whole_name() {
    let mut references = structure().references;
    let at = TEXT.find("price(self)").unwrap();
    hide_references(&mut references, &[finding(at + 1, at + 3)]);
    let hidden = references.iter().filter(|one| one.name == "[REDACTED:key]");
    assert_eq!(hidden.count(), 1);
    assert!(references.iter().any(|one| one.name == "sell"));
}

proptest! {
    #[test]
    fn no_name_contains_a_secret(start in 0..TEXT.len(), length in 4usize..20) {
        let end = (start + length).min(TEXT.len());
        let secret = &TEXT[start..end];
        for name in names(&[finding(start, end)]) {
            prop_assert!(!name.contains(secret), "{name} contains {secret:?}");
        }
    }

    #[test]
    fn redaction_keeps_the_number_and_nesting_of_symbols(spans in prop::collection::vec((0..TEXT.len(), 1usize..30), 0..4)) {
        let mut findings: Vec<Finding> = Vec::new();
        let mut spans = spans;
        spans.sort_unstable();
        for (start, length) in spans {
            let end = (start + length).min(TEXT.len());
            if findings.last().is_none_or(|last| last.span.end <= start) {
                findings.push(finding(start, end));
            }
        }
        let before = structure().symbols;
        let mut after = before.clone();
        hide_names(&mut after, TEXT, &findings);
        prop_assert_eq!(before.len(), after.len());
        for (one, other) in before.iter().zip(&after) {
            prop_assert_eq!(one.parent, other.parent);
prop_assert_eq!(one.span, other.span);
        }
    }
}
