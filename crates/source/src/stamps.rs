//! What the file system says about files, without opening them: a change of contents
//! changes it.

use std::fs::Metadata;
use std::time::{SystemTime, UNIX_EPOCH};

use loom_base::Stamp;

/// The version that `meta` is of. Where no file system tells when anything about a
/// file changed, there is none: a program can set all the rest.
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

/// The time by the clock of the machine, in nanoseconds since 1970.
pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(i64::MIN, |since| {
        i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
    })
}
