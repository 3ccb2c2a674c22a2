//! The cache of texts: entries by content hash, filters, and large texts.

use loom_base::ContentHash;
use loom_lookup::{KeptText, TextCache};
use loom_search::{Candidates, Query, QueryOptions};
use proptest::prelude::*;

fn hash(number: u8) -> ContentHash {
    ContentHash::from_bytes([number; 32])
}

fn kept(text: &str) -> KeptText {
    KeptText::new(text.to_owned())
}

#[test]
fn text_is_returned_under_its_hash_only() {
    let cache = TextCache::default();
    assert!(cache.is_empty() && !cache.is_full());
    cache.put(hash(1), &kept("one"));
    cache.put(hash(2), &kept("two"));
    assert_eq!(&*cache.get(&hash(1)).unwrap().text, "one");
    assert!(cache.has(&hash(2)) && !cache.has(&hash(3)));
    assert!(cache.get(&hash(3)).is_none());
    cache.put(hash(1), &kept("another text with the same hash"));
    assert_eq!(&*cache.get(&hash(1)).unwrap().text, "one");
    assert_eq!(cache.len(), 2);
}

/// One large text must not evict all others.
#[test]
fn very_large_text_is_not_cached() {
    let cache = TextCache::default();
    cache.put(hash(1), &kept(&"x".repeat((32 << 20) + 1)));
    assert!(cache.is_empty());
}

#[test]
fn filter_of_a_text_is_built_once() {
    let cache = TextCache::default();
    cache.put(hash(1), &kept("alpha beta"));
    let mut text = cache.get(&hash(1)).unwrap();
    assert!(text.sieve.is_none());
    cache.sift(&hash(1), &mut text);
    let first = text.sieve.clone().unwrap();
    let mut again = cache.get(&hash(1)).unwrap();
    cache.sift(&hash(1), &mut again);
    assert!(std::sync::Arc::ptr_eq(
        &first,
        again.sieve.as_ref().unwrap()
    ));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// A filter never removes a text that contains the word.
    #[test]
    fn filters_keep_every_text_with_the_word(texts in prop::collection::vec("[a-c ]{0,40}", 1..8), word in "[a-c]{3,6}") {
        let cache = TextCache::default();
        for (at, text) in (0u8..).zip(&texts) {
            cache.put(hash(at), &kept(text));
            if at % 2 == 0 {
                cache.sift(&hash(at), &mut cache.get(&hash(at)).unwrap());
            }
        }
        let query = Query::literal(&word, &QueryOptions::default()).unwrap();
        let mut numbers: Vec<u8> = (0..texts.len() as u8).collect();
        cache.retain(&Candidates::new(&query), &mut numbers, |at| Some(hash(*at)));
        for (at, text) in (0u8..).zip(&texts) {
            if text.contains(&word) || at % 2 == 1 {
                prop_assert!(numbers.contains(&at), "{word} in {text:?}");
            }
        }
    }
}
