//! Caches the symbols of texts by content hash, so that the next question does not parse them
//! again. Bounded, and only in memory.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use loom_base::ContentHash;
use loom_syntax::Symbol;

/// Maximum number of cached symbols, enough for some thousands of files.
const SYMBOLS: usize = 200_000;

/// Content hash and language id. The file name also decides the language, so the hash is not
/// enough.
type Key = (ContentHash, &'static str);

/// Symbols by text.
#[derive(Debug, Default)]
pub struct SymbolCache(Mutex<Held>);

#[derive(Debug, Default)]
struct Held {
    texts: HashMap<Key, Arc<[Symbol]>>,
    symbols: usize,
}

impl SymbolCache {
    /// Returns the cached symbols of a text, or calls `make` and caches its result.
    pub fn get(&self, key: Key, make: impl FnOnce() -> Vec<Symbol>) -> Arc<[Symbol]> {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().texts.get(&key) {
            return Arc::clone(known);
        }
        let made: Arc<[Symbol]> = make().into();
        let mut held = lock();
        if held.symbols + made.len() > SYMBOLS {
            *held = Held::default();
        }
        // Another thread may have inserted the same text.
        if held.texts.insert(key, Arc::clone(&made)).is_none() {
            held.symbols += made.len();
        }
        made
    }
}

#[cfg(test)]
mod tests {
    use loom_syntax::{Language, Limits, extract};

    use super::*;

    #[test]
    fn a_text_is_parsed_once_and_what_is_held_is_bounded() {
        let python = Language::from_id("python").unwrap();
        let symbols = |text: &str| extract(python, text, &Limits::default()).symbols;
        let cache = SymbolCache::default();
        let key = |of: u8| (ContentHash::from_bytes([of; 32]), python.id());
        let one = cache.get(key(1), || symbols("def one(): pass\n"));
        let again = cache.get(key(1), || panic!("it is known"));
        assert!(Arc::ptr_eq(&one, &again) && one[0].name == "one");
        let many = vec![one[0].clone(); SYMBOLS];
        assert_eq!(cache.get(key(2), || many).len(), SYMBOLS);
        assert_eq!(cache.0.lock().unwrap().texts.len(), 1);
    }
}
