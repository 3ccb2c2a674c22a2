//! The estimate for Claude against published results of the provider's own `count_tokens`: 120
//! short texts of twelve kinds, claude-haiku-4-5, 2026-03-19. The factors were fitted to the same
//! texts, so the real errors are somewhat larger; the texts are few, and chosen by hand.

use std::collections::BTreeMap;

use loom_tokens::Estimator;
use serde_json::Value;

#[derive(Default)]
struct TextKind {
    texts: usize,
    inside: usize,
    /// Sum of the errors, as shares of the true counts.
    error: f64,
    expected: usize,
    likely: usize,
}

fn measure() -> BTreeMap<String, TextKind> {
    let data = include_str!("data/claude.json");
    let data = serde_json::from_str::<Value>(data).unwrap_or_default();
    let mut kinds = BTreeMap::<String, TextKind>::new();
    for sample in data["samples"].as_array().into_iter().flatten() {
        let text = |at: usize| sample[at].as_str().unwrap_or_default();
        let expected = sample[1].as_u64().unwrap_or_default() as usize;
        let estimate = Estimator::Claude3.estimate(text(2));
        let kind = kinds.entry(text(0).to_owned()).or_default();
        kind.texts += 1;
        kind.inside += usize::from((estimate.low()..=estimate.high()).contains(&expected));
        kind.error += estimate.likely().abs_diff(expected) as f64 / expected as f64;
        kind.expected += expected;
        kind.likely += estimate.likely();
    }
    kinds
}

#[test]
fn nine_of_ten_true_counts_are_in_the_range() {
    let kinds = measure();
    for (name, kind) in &kinds {
        let share = kind.likely as f64 / kind.expected as f64;
        let error = 100.0 * kind.error / kind.texts as f64;
        println!(
            "{name:14} inside {}/{}, mean error {error:.1} %, sum {share:.3}",
            kind.inside, kind.texts
        );
    }
    let texts: usize = kinds.values().map(|kind| kind.texts).sum();
    let inside: usize = kinds.values().map(|kind| kind.inside).sum();
    println!("inside {inside} of {texts}");
    assert_eq!(texts, 120);
    assert!(inside * 10 >= texts * 9, "{inside} of {texts}");
}

#[test]
fn estimates_of_code_are_close() {
    let kinds = measure();
    for name in [
        "code-python",
        "code-js",
        "structured",
        "english-prose",
        "cjk",
    ] {
        let kind = &kinds[name];
        assert!(
            kind.inside >= 9,
            "{name}: {} of {}",
            kind.inside,
            kind.texts
        );
        assert!(kind.error < 1.2, "{name}: {}", kind.error);
    }
}
