//! Any text is parsed by one grammar within its budget of memory and work, and whatever
//! is found lies in the text. The variable `LOOM_GRAMMAR` names the grammar.
//!
//! `cargo xtask suite grammars` runs it for every grammar. One grammar alone:
//! `LOOM_GRAMMAR=c cargo +nightly fuzz run grammar` in this folder's parent.

#![no_main]

use std::env;
use std::sync::LazyLock;

use libfuzzer_sys::{Corpus, fuzz_target};
use loom_syntax::{Language, Limits, extract, has_grammar, parse_cost};

/// A shorter text is parsed repeated as well: small texts stay below what is free.
const FRAGMENT: usize = 32;
const REPEATED: usize = 4_000;

static LANGUAGE: LazyLock<Language> = LazyLock::new(|| {
    let id = env::var("LOOM_GRAMMAR").expect("LOOM_GRAMMAR names a grammar");
    let language = Language::from_id(&id).filter(|one| has_grammar(*one));
    language.expect("LOOM_GRAMMAR names a language that has a grammar")
});

fuzz_target!(|bytes: &[u8]| -> Corpus {
    // A text with NUL is no text, and is refused before it is parsed.
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
    let limits = Limits { all: true, ..Limits::default() };
    let (Ok(used) | Err((_, used))) = parse_cost(*LANGUAGE, text, &limits);
    let budget = limits.budget(text.len());
    assert!(used.memory <= budget.memory, "{used:?}");
    // The read, the allocation or the report that goes beyond the budget is counted.
    assert!(used.allocated <= budget.allocated + 2 * budget.memory, "{used:?}");
    assert!(used.read <= budget.read + 64, "{used:?}");
    assert!(used.steps <= budget.steps + 100, "{used:?}");
    let found = extract(*LANGUAGE, text, &limits);
    for symbol in &found.symbols {
        assert!(text.get(symbol.span.range()).is_some(), "{symbol:?}");
        assert!(text.get(symbol.name_span.range()).is_some(), "{symbol:?}");
    }
    for reference in &found.references {
        assert_eq!(text.get(reference.span.range()), Some(reference.name.as_str()));
    }
}
