//! The result of building or updating the cache and the search index.

use std::time::Duration;

use loom_host::IndexReport;
use loom_wire::{FORMAT_VERSION, IndexInfo};

/// Describes a run of `index`; `store_bytes` is the size of the cache after it.
pub fn info(report: &IndexReport, store_bytes: u64) -> IndexInfo {
    IndexInfo {
        format_version: FORMAT_VERSION,
        files: report.files,
        tokens: report.tokens,
        bytes: report.bytes,
        added: report.added,
        changed: report.changed,
        removed: report.removed,
        derived: report.derived,
        took_ms: milliseconds(report.took),
        full_ms: report.full.map(milliseconds),
        store_bytes,
        notices: Vec::new(),
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
