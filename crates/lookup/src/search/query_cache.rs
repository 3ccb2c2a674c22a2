//! Cache of the files that earlier queries matched. Until a file changes, the same query reads only
//! those files. Bounded in queries and in files.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use loom_search::Query;

use super::types::SearchText;

/// Maximum number of cached queries; the least recently used one is evicted.
const QUERIES: usize = 128;
/// Maximum number of matched files per entry. A query that matches more is slow anyway.
const FILES: usize = 20_000;
/// Maximum size of a query in bytes. Users do not repeat longer ones.
const BYTES: usize = 16 << 10;

/// File numbers.
pub type Matched = Arc<Vec<u32>>;

/// The cached queries, the most recently used one last.
#[derive(Debug, Default)]
pub struct QueryCache(Mutex<VecDeque<(Key, Matched)>>);

/// A query, and the form of the text that it ran on.
type Key = (Query, SearchText);

impl QueryCache {
    /// Returns the files that a query matched before.
    pub fn get(&self, query: &Query, search_text: SearchText) -> Option<Matched> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |((one, of), _): &(Key, Matched)| one == query && *of == search_text;
        let at = known.iter().position(is_it)?;
        let entry = known.remove(at)?;
        let matched = Arc::clone(&entry.1);
        known.push_back(entry);
        Some(matched)
    }

    /// Stores the files that a query matched.
    pub fn put(&self, query: &Query, search_text: SearchText, matched: Vec<u32>) {
        if matched.len() > FILES || query.bytes() > BYTES {
            return;
        }
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // An entry stays valid, because another snapshot has another cache.
        if known
            .iter()
            .any(|((one, of), _)| one == query && *of == search_text)
        {
            return;
        }
        if known.len() >= QUERIES {
            known.pop_front();
        }
        known.push_back(((query.clone(), search_text), Arc::new(matched)));
    }
}

#[cfg(test)]
mod tests {
    use loom_search::QueryOptions;

    use super::*;

    #[test]
    fn the_oldest_goes() {
        let cache = QueryCache::default();
        let query =
            |number: usize| Query::literal(&number.to_string(), &QueryOptions::default()).unwrap();
        for number in 0..QUERIES {
            cache.put(&query(number), SearchText::Raw, vec![number as u32]);
        }
        assert_eq!(cache.get(&query(0), SearchText::Raw).unwrap()[0], 0);
        cache.put(&query(QUERIES), SearchText::Raw, Vec::new());
        assert!(cache.get(&query(1), SearchText::Raw).is_none());
        assert!(cache.get(&query(0), SearchText::Raw).is_some());
        cache.put(&query(2), SearchText::Raw, vec![0; FILES + 1]);
        assert_eq!(cache.get(&query(2), SearchText::Raw).unwrap().len(), 1);
    }
}
