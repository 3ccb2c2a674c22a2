//! The cache between runs, so that a run only processes changes. It never changes the result of a
//! run.

mod compressed;
mod cut;
mod entries;
mod facts;
mod memory;
mod roots;
mod session;
mod structure;
#[cfg(test)]
mod tests;
mod vectors;

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use loom_store::{Store, ValueKind};

use crate::environment::variable;
use crate::options::CacheOptions;

pub(crate) use compressed::CompressedText;
pub(crate) use cut::cut_variant;
pub(crate) use entries::{CacheEntries, EntryKey};
pub(crate) use facts::{Counts, Facts, ScanTarget};
pub(crate) use memory::{Memory, Remember, now};
pub(crate) use roots::root_bytes;
pub(crate) use session::{CacheSession, ContentKey, PassFiles};
pub(crate) use structure::structure_variant;

/// Returns the user's directory for caches.
pub fn cache_folder() -> Option<PathBuf> {
    let folder = if cfg!(windows) {
        variable("LOCALAPPDATA")
    } else {
        let cache = variable("XDG_CACHE_HOME").filter(|path| path.is_absolute());
        cache.or_else(|| variable("HOME").map(|home| home.join(".cache")))
    };
    folder.map(|folder| folder.join("infiniloom"))
}

/// The cache of derived values.
#[derive(Debug)]
pub struct Cache {
    pub(crate) store: Store,
    coarseness: i64,
    warning: Option<String>,
    /// Reason why the search index could not be written.
    failed: Mutex<Option<String>>,
}

impl Cache {
    /// Opens the cache. If the directory cannot be used, the cache lasts only as long as the
    /// process.
    pub fn open(options: &CacheOptions) -> Self {
        let (store, warning) = match &options.folder {
            None => (Store::in_memory(options.store), None),
            Some(folder) => match Store::open(folder, options.store) {
                Ok(store) => (store, None),
                Err(error) => (
                    Store::in_memory(options.store),
                    Some(format!("nothing is remembered for the next run: {error}")),
                ),
            },
        };
        let coarseness = options.coarseness.as_nanos();
        Self {
            store,
            coarseness: i64::try_from(coarseness).unwrap_or(i64::MAX),
            warning,
            failed: Mutex::default(),
        }
    }

    /// Returns a warning if values cannot be cached, with the reason.
    pub fn warning(&self) -> Option<String> {
        let trouble = self.store.trouble();
        let trouble = trouble.map(|why| format!("what this run derived is not remembered: {why}"));
        let failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        self.warning.clone().or(trouble).or_else(|| failed.clone())
    }

    /// Records that the search index cannot be written, so that the next run does without it.
    pub(crate) fn note_index_failure(&self, error: &std::io::Error) {
        let message = format!("the index of searches is not remembered: {error}");
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        failed.get_or_insert(message);
    }

    /// Returns the store of the cache.
    pub fn store(&self) -> &Store {
        &self.store
    }
}

/// Returns the kind of a value that this build derives.
pub(crate) const fn kind(name: &'static str) -> ValueKind {
    ValueKind {
        name,
        version: revision(),
    }
}

/// Returns the revision that the build script computed.
pub(crate) const fn revision() -> u32 {
    let digits = env!("LOOM_REVISION").as_bytes();
    let (mut number, mut at) = (0u32, 0);
    while at < digits.len() {
        number = number
            .wrapping_mul(10)
            .wrapping_add((digits[at] - b'0') as u32);
        at += 1;
    }
    number
}

/// Returns a hash of the choices under which a value of a kind is derived.
pub(crate) fn variant(choices: &[&[u8]]) -> i64 {
    let mut hasher = blake3::Hasher::new();
    for choice in choices {
        hasher.update(&(choice.len() as u64).to_le_bytes());
        hasher.update(choice);
    }
    let mut bytes = [0; 8];
    hasher.finalize_xof().fill(&mut bytes);
    i64::from_le_bytes(bytes)
}
