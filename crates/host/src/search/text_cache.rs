//! Texts that earlier queries read, by the hash of their contents, so that a process that
//! lives on does not read them again. Bounded in bytes; nothing of it is written down.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use loom_base::ContentHash;
use loom_search::{Candidates, Sieve};

/// All texts together: those of a large repository that questions keep coming back to.
const BYTES: usize = 128 << 20;

/// A longer text is a long one.
const LONG: usize = 32 << 10;

/// A text that is kept.
#[derive(Debug)]
pub(super) struct KeptText {
    pub(super) text: String,
    /// Its grams, where it is long, or the index may not know them.
    pub(super) sieve: OnceLock<Sieve>,
}

impl KeptText {
    pub(super) fn new(text: String) -> Self {
        Self {
            text,
            sieve: OnceLock::new(),
        }
    }

    /// Whether it pays to know which parts of it can match.
    pub(super) fn is_long(&self) -> bool {
        self.text.len() > LONG
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + self.text.len() + self.sieve.get().map_or(0, Sieve::bytes)
    }
}

/// The texts, and the order in which they may go.
#[derive(Debug, Default)]
pub(super) struct TextCache(Mutex<Held>);

#[derive(Debug, Default)]
struct Held {
    texts: HashMap<ContentHash, Entry>,
    order: VecDeque<ContentHash>,
    bytes: usize,
}

#[derive(Debug)]
struct Entry {
    text: Arc<KeptText>,
    bytes: usize,
    /// Whether somebody asked for it since it was last passed over.
    is_used: bool,
}

impl TextCache {
    fn lock(&self) -> MutexGuard<'_, Held> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn get(&self, hash: &ContentHash) -> Option<Arc<KeptText>> {
        let mut held = self.lock();
        let entry = held.texts.get_mut(hash)?;
        entry.is_used = true;
        Some(Arc::clone(&entry.text))
    }

    pub(super) fn put(&self, hash: ContentHash, text: &Arc<KeptText>) {
        self.lock().put(hash, text, BYTES);
    }

    /// Makes the sieve of a text that is asked for again.
    pub(super) fn sift(&self, hash: &ContentHash, text: &KeptText) {
        if text.sieve.get().is_some() {
            return;
        }
        text.sieve.get_or_init(|| Sieve::new(text.text.as_bytes()));
        self.lock().weigh(hash, BYTES);
    }

    /// Leaves out of `contents` those whose texts are known not to match.
    pub(super) fn retain<T>(
        &self,
        candidates: &Candidates,
        contents: &mut Vec<T>,
        hash: impl Fn(&T) -> Option<ContentHash>,
    ) {
        let held = self.lock();
        let may_match = |one: &T| {
            let kept = hash(one).and_then(|hash| held.texts.get(&hash));
            let sieve = kept.and_then(|entry| entry.text.sieve.get());
            sieve.is_none_or(|sieve| candidates.pass(sieve))
        };
        contents.retain(may_match);
    }
}

impl Held {
    fn put(&mut self, hash: ContentHash, text: &Arc<KeptText>, most: usize) {
        let bytes = text.bytes();
        // One text does not push out all others.
        if bytes > most / 8 || self.texts.contains_key(&hash) {
            return;
        }
        self.make_room(bytes, most);
        self.bytes += bytes;
        self.order.push_back(hash);
        let entry = Entry {
            text: Arc::clone(text),
            bytes,
            is_used: false,
        };
        self.texts.insert(hash, entry);
    }

    /// Counts a text again that grew.
    fn weigh(&mut self, hash: &ContentHash, most: usize) {
        if let Some(entry) = self.texts.get_mut(hash) {
            let bytes = entry.text.bytes();
            self.bytes = self.bytes - entry.bytes + bytes;
            entry.bytes = bytes;
            self.make_room(0, most);
        }
    }

    /// Lets texts go until so many bytes more have room.
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
                    self.bytes -= gone.map_or(0, |entry| entry.bytes);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(number: u8) -> ContentHash {
        ContentHash::from_bytes([number; 32])
    }

    #[test]
    fn what_nobody_asks_for_goes_first() {
        let text = Arc::new(KeptText::new("x".repeat(1000)));
        let most = 10 * text.bytes();
        let mut held = Held::default();
        for number in 0..10 {
            held.put(hash(number), &text, most);
        }
        held.texts.get_mut(&hash(0)).unwrap().is_used = true;
        held.put(hash(10), &text, most);
        let has = |held: &Held, number| held.texts.contains_key(&hash(number));
        assert!(has(&held, 0) && !has(&held, 1) && has(&held, 10));
        // Used once does not keep it for ever.
        for number in 11..30 {
            held.put(hash(number), &text, most);
        }
        assert!(!has(&held, 0));
        assert_eq!((held.texts.len(), held.order.len()), (10, 10));
        assert_eq!(held.bytes, most);
        // A text that grows pushes others out.
        let last = Arc::clone(&held.texts[&hash(29)].text);
        last.sieve.get_or_init(|| Sieve::new(last.text.as_bytes()));
        held.weigh(&hash(29), most);
        assert!(held.bytes <= most && held.texts.len() == held.order.len());
        assert!(held.texts.len() < 10);
        held.put(hash(99), &Arc::new(KeptText::new("x".repeat(5000))), most);
        assert!(!has(&held, 99));
    }

    #[test]
    fn a_sieve_rules_out() {
        let cache = TextCache::default();
        let text = Arc::new(KeptText::new("alpha beta".to_owned()));
        cache.put(hash(1), &text);
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
        cache.sift(&hash(1), &cache.get(&hash(1)).unwrap());
        assert_eq!(left("gamma"), [2]);
        assert_eq!(left("beta"), [1, 2]);
    }
}
