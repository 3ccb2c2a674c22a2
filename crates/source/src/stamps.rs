//! Stamps: the file system's data about a file, without opening it. A change of contents changes
//! the stamp.

use std::fs::Metadata;
use std::time::{SystemTime, UNIX_EPOCH};

use loom_base::Stamp;

/// Returns the stamp in `meta`. Returns `None` on file systems without a change time, because
/// programs can set all other values.
#[cfg(unix)]
pub(crate) fn of(meta: &Metadata) -> Option<Stamp> {
    use std::os::unix::fs::MetadataExt;
    Some(Stamp {
        size: meta.size(),
        modified: nanoseconds(meta.mtime(), meta.mtime_nsec())?,
        changed: nanoseconds(meta.ctime(), meta.ctime_nsec())?,
        file: meta.ino(),
        device: meta.dev(),
    })
}

#[cfg(not(unix))]
pub(crate) fn of(_meta: &Metadata) -> Option<Stamp> {
    None
}

#[cfg(unix)]
pub(crate) fn nanoseconds(seconds: i64, rest: i64) -> Option<i64> {
    seconds.checked_mul(1_000_000_000)?.checked_add(rest)
}

/// Returns the time by the machine's clock, in nanoseconds since 1970.
pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(i64::MIN, |since| {
        i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
    })
}
