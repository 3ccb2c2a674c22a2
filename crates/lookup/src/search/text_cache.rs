//! Caches texts by content hash, so that a long-lived process does not read them again. The texts
//! are not compressed, because decompression takes longer than a search. Bounded in bytes, and only
//! in memory.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use loom_base::ContentHash;
use loom_search::{Candidates, Sieve};

/// Maximum size of all texts, enough for a large repository.
const BYTES: usize = 256 << 20;

/// A text with its cached search data.
#[derive(Clone, Debug)]
pub struct KeptText {
    /// The text.
    pub text: Arc<str>,
    /// Filter of its grams, if the index does not contain all of them.
    pub sieve: Option<Arc<Sieve>>,
    /// True if the index contains this text; false if the file changed since.
    pub is_indexed: bool,
}

impl KeptText {
    /// Creates an entry without search data.
    pub fn new(text: String) -> Self {
        Self {
            text: text.into(),
            sieve: None,
            is_indexed: false,
        }
    }
}

/// Cached texts and their eviction order.
#[derive(Debug, Default)]
pub struct TextCache(Mutex<Held>);

#[derive(Debug, Default)]
struct Held {
    texts: HashMap<ContentHash, Entry>,
    order: VecDeque<ContentHash>,
    bytes: usize,
}

#[derive(Debug)]
struct Entry {
    kept: KeptText,
    /// True if the entry was read since the eviction last skipped it.
    is_used: bool,
}

impl Entry {
    fn bytes(&self) -> usize {
        let sieve = self.kept.sieve.as_deref().map_or(0, Sieve::bytes);
        size_of::<Self>() + size_of::<ContentHash>() + self.kept.text.len() + sieve
    }
}

impl TextCache {
    fn lock(&self) -> MutexGuard<'_, Held> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the text with these contents.
    pub fn get(&self, hash: &ContentHash) -> Option<KeptText> {
        let mut held = self.lock();
        let entry = held.texts.get_mut(hash)?;
        entry.is_used = true;
        Some(entry.kept.clone())
    }

    /// Caches a text if it fits.
    pub fn put(&self, hash: ContentHash, text: &KeptText) {
        self.lock().put(hash, text.clone(), BYTES);
    }

    /// Returns true if the text with these contents is cached.
    pub fn has(&self, hash: &ContentHash) -> bool {
        self.lock().texts.contains_key(hash)
    }

    /// Returns the number of cached texts.
    pub fn len(&self) -> usize {
        self.lock().texts.len()
    }

    /// Returns true if the cache is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns true if the next text could evict others.
    pub fn is_full(&self) -> bool {
        self.lock().bytes > BYTES - BYTES / 8
    }

    /// Builds the sieve of a text that is searched again.
    pub fn sift(&self, hash: &ContentHash, text: &mut KeptText) {
        if text.sieve.is_none() {
            let sieve = Arc::new(Sieve::new(text.text.as_bytes()));
            text.sieve = Some(Arc::clone(&sieve));
            self.lock().sift(hash, sieve, BYTES);
        }
    }

    /// Removes the entries of `contents` whose texts cannot match, according to their sieves.
    pub fn retain<T>(
        &self,
        candidates: &Candidates,
        contents: &mut Vec<T>,
        hash: impl Fn(&T) -> Option<ContentHash>,
    ) {
        let held = self.lock();
        let may_match = |one: &T| {
            let kept = hash(one).and_then(|hash| held.texts.get(&hash));
            let sieve = kept.and_then(|entry| entry.kept.sieve.as_deref());
            sieve.is_none_or(|sieve| candidates.pass(sieve))
        };
        contents.retain(may_match);
    }
}

impl Held {
    fn put(&mut self, hash: ContentHash, kept: KeptText, most: usize) {
        let entry = Entry {
            kept,
            is_used: false,
        };
        let bytes = entry.bytes();
        // A single large text does not evict all others.
        if bytes > most / 8 || self.texts.contains_key(&hash) {
            return;
        }
        self.make_room(bytes, most);
        self.bytes += bytes;
        self.order.push_back(hash);
        self.texts.insert(hash, entry);
    }

    fn sift(&mut self, hash: &ContentHash, sieve: Arc<Sieve>, most: usize) {
        if let Some(entry) = self.texts.get_mut(hash)
            && entry.kept.sieve.is_none()
        {
            self.bytes += sieve.bytes();
            entry.kept.sieve = Some(sieve);
            self.make_room(0, most);
        }
    }

    /// Evicts texts until `bytes` more bytes fit.
    fn make_room(&mut self, bytes: usize, most: usize) {
        while self.bytes + bytes > most {
            let Some(oldest) = self.order.pop_front() else {
                break;
            };
            match self.texts.get_mut(&oldest) {
                Some(entry) if entry.is_used => {
                    entry.is_used = false;
                    self.order.push_back(oldest);
                }
                _ => {
                    let gone = self.texts.remove(&oldest);
                    self.bytes -= gone.map_or(0, |entry| entry.bytes());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Whatever is added, read and filtered, the size is counted right and stays bounded.
        #[test]
        fn size_is_counted_and_bounded(steps in prop::collection::vec((0u8..20, 0usize..600, 0u8..3), 0..80)) {
            let most = 4_000;
            let mut held = Held::default();
            for (number, length, step) in steps {
                match step {
                    0 => held.put(hash(number), text(length), most),
                    1 => {
                        if let Some(entry) = held.texts.get_mut(&hash(number)) {
                            entry.is_used = true;
                        }
                    }
                    _ => held.sift(&hash(number), Arc::new(Sieve::new(&[b'x'; 300])), most),
                }
                let counted: usize = held.texts.values().map(Entry::bytes).sum();
                prop_assert_eq!(counted, held.bytes);
                prop_assert!(held.bytes <= most);
                prop_assert_eq!(held.order.len(), held.texts.len());
            }
        }
    }

    fn hash(number: u8) -> ContentHash {
        ContentHash::from_bytes([number; 32])
    }

    fn text(length: usize) -> KeptText {
        KeptText::new("x".repeat(length))
    }

    #[test]
    fn what_nobody_asks_for_goes_first() {
        let kept = text(1000);
        let mut held = Held::default();
        held.put(hash(0), kept.clone(), usize::MAX);
        let most = 10 * held.bytes;
        for number in 1..10 {
            held.put(hash(number), kept.clone(), most);
        }
        held.texts.get_mut(&hash(0)).unwrap().is_used = true;
        held.put(hash(10), kept.clone(), most);
        let has = |held: &Held, number| held.texts.contains_key(&hash(number));
        assert!(has(&held, 0) && !has(&held, 1) && has(&held, 10));
        // One use does not protect an entry forever.
        for number in 11..30 {
            held.put(hash(number), kept.clone(), most);
        }
        assert!(!has(&held, 0));
        assert_eq!((held.texts.len(), held.order.len()), (10, 10));
        assert_eq!(held.bytes, most);
        // The sieve counts toward the size too.
        held.sift(&hash(29), Arc::new(Sieve::new(&[b'x'; 1000])), most);
        assert!(held.bytes <= most && held.texts.len() == held.order.len());
        assert!(held.texts.len() < 10);
        held.put(hash(99), text(5000), most);
        assert!(!has(&held, 99));
        let counted: usize = held.texts.values().map(Entry::bytes).sum();
        assert_eq!(counted, held.bytes);
    }

    #[test]
    fn a_sieve_rules_out() {
        let cache = TextCache::default();
        cache.put(hash(1), &KeptText::new("alpha beta".to_owned()));
        let candidates = |word: &str| {
            let query = loom_search::Query::literal(word, &loom_search::QueryOptions::default());
            Candidates::new(&query.unwrap())
        };
        let left = |word: &str| {
            let mut contents = vec![1, 2];
            cache.retain(&candidates(word), &mut contents, |one| Some(hash(*one)));
            contents
        };
        assert_eq!(left("gamma"), [1, 2]);
        cache.sift(&hash(1), &mut cache.get(&hash(1)).unwrap());
        assert_eq!(left("gamma"), [2]);
        assert_eq!(left("beta"), [1, 2]);
    }
}
