//! The contents of the cache directory, as `infiniloom cache stats` reports them.

use std::path::Path;

use loom_host::{Stats, search_index_bytes};
use loom_wire::{FORMAT_VERSION, StoreInfo, StoredInfo};

/// Describes the cache in `directory`, with the `limit` of its size in bytes.
pub fn info(directory: &Path, stats: &Stats, limit: u64) -> StoreInfo {
    let values = stats.values.iter();
    let values = values.map(|(kind, (count, bytes))| StoredInfo {
        kind: kind.clone(),
        count: *count,
        bytes: *bytes,
    });
    let search_bytes = search_index_bytes(directory);
    StoreInfo {
        format_version: FORMAT_VERSION,
        folder: directory.display().to_string(),
        contents: stats.contents,
        trees: stats.trees,
        files: stats.files,
        values: values.collect(),
        bytes: stats.bytes + search_bytes,
        search_bytes,
        limit,
    }
}
