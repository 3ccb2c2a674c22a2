//! Any text is parsed by one grammar within its budget of memory and work, and all spans are inside
//! the text. The variable `LOOM_GRAMMAR` names the grammar.
//!
//! `cargo xtask suite grammars` runs it for every grammar. For a single grammar, run
//! `LOOM_GRAMMAR=c cargo +nightly fuzz run grammar` in the parent directory.

#![no_main]

use std::env;
use std::sync::LazyLock;

use libfuzzer_sys::{Corpus, fuzz_target};
use loom_syntax::{Language, Limits, extract, has_grammar, parse_cost};

/// A shorter text is also parsed repeated, because small texts stay below the free allowance.
const FRAGMENT: usize = 32;
const REPEATED: usize = 4_000;

static LANGUAGE: LazyLock<Language> = LazyLock::new(|| {
    let id = env::var("LOOM_GRAMMAR").expect("LOOM_GRAMMAR names a grammar");
    let language = Language::from_id(&id).filter(|one| has_grammar(*one));
    language.expect("LOOM_GRAMMAR names a language that has a grammar")
});

fuzz_target!(|bytes: &[u8]| -> Corpus {
    // A text with NUL is rejected before it is parsed.
    if bytes.contains(&0) {
        return Corpus::Reject;
    }
    let text = String::from_utf8_lossy(bytes);
    check(&text);
    if (1..=FRAGMENT).contains(&text.len()) {
        check(&text.repeat(REPEATED.div_ceil(text.len())));
    }
    Corpus::Keep
});

fn check(text: &str) {
    let limits = Limits {
        all: true,
        ..Limits::default()
    };
    let (Ok(used) | Err((_, used))) = parse_cost(*LANGUAGE, text, &limits);
    let budget = limits.budget(text.len());
    assert!(used.memory <= budget.memory, "{used:?}");
    // The read, allocation or report that exceeds the budget is counted, too.
    assert!(
        used.allocated <= budget.allocated + 2 * budget.memory,
        "{used:?}"
    );
    assert!(used.read <= budget.read + 64, "{used:?}");
    assert!(used.steps <= budget.steps + 100, "{used:?}");
    let found = extract(*LANGUAGE, text, &limits);
    for symbol in &found.symbols {
        assert!(text.get(symbol.span.range()).is_some(), "{symbol:?}");
        assert!(text.get(symbol.name_span.range()).is_some(), "{symbol:?}");
    }
    for reference in &found.references {
        assert_eq!(
            text.get(reference.span.range()),
            Some(reference.name.as_str())
        );
    }
}
