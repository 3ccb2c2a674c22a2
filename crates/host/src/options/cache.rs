//! Options of the cache.

use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use loom_base::Stamp;
use loom_store::Options;

/// Location and settings of the cache.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CacheOptions {
    /// Directory of the cache; `None` keeps it only in memory.
    pub folder: Option<PathBuf>,
    /// Settings of the store.
    pub store: Options,
    /// Assumed resolution of the file system's timestamps.
    pub coarseness: Duration,
}

impl CacheOptions {
    /// Returns the default options for a directory.
    pub fn new(folder: Option<PathBuf>) -> Self {
        Self {
            folder,
            store: Options {
                day: today(),
                ..Options::default()
            },
            coarseness: Duration::from_nanos(Stamp::COARSEST.unsigned_abs()),
        }
    }
}

/// Returns the number of days since 1970.
fn today() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| {
        i64::try_from(since.as_secs() / 86_400).unwrap_or_default()
    })
}
