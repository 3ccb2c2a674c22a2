//! Cache entries of roots, loaded while their directories are listed.

use std::collections::HashMap;
use std::time::{SystemTime, UNIX_EPOCH};

use loom_base::{RepoPath, Stamp};
use loom_store::{Values, Version};

use super::Cache;
use super::facts::FACTS;

/// The last snapshot of each root, with the facts about its files.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    pub(super) snapshots: Vec<HashMap<RepoPath, (Stamp, Version, i64)>>,
    pub(super) facts: Vec<Values>,
    /// Time before the roots were listed, in nanoseconds since 1970.
    pub(super) began: i64,
}

/// Selects the cache entries to load in advance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Remember {
    /// Only the contents of each file.
    Contents,
    /// The facts about these contents, too.
    Facts,
}

impl Memory {
    pub(crate) fn of(cache: &Cache, roots: &[Vec<u8>], remember: Remember) -> Self {
        let snapshots = roots.iter().map(|root| {
            let known = cache.store.snapshot(root).into_iter();
            let entry = |known: loom_store::SnapshotEntry| {
                (known.path, (known.stamp, known.version, known.mark))
            };
            known.map(entry).collect()
        });
        let roots = roots.iter().filter(|_| remember == Remember::Facts);
        let facts = roots.map(|root| cache.store.values(root, FACTS));
        Self {
            snapshots: snapshots.collect(),
            facts: facts.collect(),
            began: 0,
        }
    }

    /// Sets the time at which the listing began.
    pub(crate) fn since(self, began: i64) -> Self {
        Self { began, ..self }
    }
}

/// Returns the current time in nanoseconds since 1970.
pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(i64::MIN, |since| {
        i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
    })
}
