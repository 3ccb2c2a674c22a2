//! The caches of matched files and of symbols.

use std::sync::Arc;

use loom_base::ContentHash;
use loom_lookup::{QueryCache, SearchText, SymbolCache};
use loom_search::{Query, QueryOptions};
use loom_syntax::{Language, Limits, Symbol, extract};

fn query(text: &str) -> Query {
    Query::literal(text, &QueryOptions::default()).unwrap()
}

/// A match in the raw text is none in the redacted text.
#[test]
fn raw_and_redacted_text_have_separate_entries() {
    let cache = QueryCache::default();
    cache.put(&query("a"), SearchText::Raw, vec![1, 2]);
    assert_eq!(*cache.get(&query("a"), SearchText::Raw).unwrap(), [1, 2]);
    assert_eq!(cache.get(&query("a"), SearchText::Redacted), None);
    cache.put(&query("a"), SearchText::Redacted, vec![]);
    assert!(
        cache
            .get(&query("a"), SearchText::Redacted)
            .unwrap()
            .is_empty()
    );
    assert_eq!(cache.get(&query("b"), SearchText::Raw), None);
}

/// Another snapshot has another cache, so the first entry stays right.
#[test]
fn first_entry_of_a_query_stays() {
    let cache = QueryCache::default();
    cache.put(&query("a"), SearchText::Raw, vec![1]);
    let first = cache.get(&query("a"), SearchText::Raw).unwrap();
    cache.put(&query("a"), SearchText::Raw, vec![2]);
    let again = cache.get(&query("a"), SearchText::Raw).unwrap();
    assert!(Arc::ptr_eq(&first, &again));
}

#[test]
fn long_queries_and_long_results_are_not_cached() {
    let cache = QueryCache::default();
    let long = query(&"x".repeat(17 << 10));
    cache.put(&long, SearchText::Raw, vec![1]);
    assert_eq!(cache.get(&long, SearchText::Raw), None);
    cache.put(&query("many"), SearchText::Raw, vec![0; 20_001]);
    assert_eq!(cache.get(&query("many"), SearchText::Raw), None);
    cache.put(&query("many"), SearchText::Raw, vec![0; 20_000]);
    assert!(cache.get(&query("many"), SearchText::Raw).is_some());
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "callers share the cache between threads"
)]
fn entries_stay_right_while_threads_share_the_cache() {
    let cache = QueryCache::default();
    std::thread::scope(|scope| {
        for thread in 0..4_u32 {
            let cache = &cache;
            scope.spawn(move || {
                for round in 0..200_u32 {
                    let number = (round * 7 + thread) % 150;
                    let asked = query(&number.to_string());
                    cache.put(&asked, SearchText::Raw, vec![number]);
                    let found = cache.get(&asked, SearchText::Raw);
                    assert!(found.is_none_or(|found| *found == [number]));
                }
            });
        }
    });
}

fn symbols(language: Language, text: &str) -> Vec<Symbol> {
    extract(language, text, &Limits::default()).symbols
}

/// The name of a file decides the language, so the same text can have other symbols.
#[test]
fn symbols_are_cached_by_text_and_language() {
    let [python, ruby] = ["python", "ruby"].map(|id| Language::from_id(id).unwrap());
    let text = "class A:\n    pass\n";
    let hash = ContentHash::from_bytes([7; 32]);
    let cache = SymbolCache::default();
    let one = cache.get((hash, python.id()), || symbols(python, text));
    assert_eq!(one.len(), 1);
    let other = cache.get((hash, ruby.id()), Vec::new);
    assert!(other.is_empty(), "an entry of another language was used");
    let again = cache.get((hash, python.id()), Vec::new);
    assert!(Arc::ptr_eq(&one, &again));
}
