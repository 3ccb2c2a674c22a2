//! Where derived values are cached, and how.

use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use loom_base::Stamp;
use loom_store::Options;

/// Where it is remembered, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CacheOptions {
    /// The folder; `None` to remember in memory alone.
    pub folder: Option<PathBuf>,
    /// How the store works.
    pub store: Options,
    /// How coarse the clock of the file system is taken to be.
    pub coarseness: Duration,
}

impl CacheOptions {
    /// In that folder, as usual.
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

/// The day since 1970.
fn today() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| {
        i64::try_from(since.as_secs() / 86_400).unwrap_or_default()
    })
}
