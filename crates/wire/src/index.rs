//! The results of building and inspecting the cache.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::NoticeInfo;

/// Output of `infiniloom index`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct IndexInfo {
    /// The version of this shape.
    pub format_version: u32,
    /// The included files: those that `tokens` and `pack` count.
    pub files: usize,
    /// The tokens of their redacted text, without header or tree: the total that `tokens`
    /// and `map` report.
    pub tokens: usize,
    /// The bytes of their redacted text.
    pub bytes: u64,
    /// Files that are new since the last run.
    pub added: usize,
    /// Files whose contents changed since the last run.
    pub changed: usize,
    /// Files that were removed since the last run.
    pub removed: usize,
    /// Number of contents that were not in the cache; only these were processed.
    pub derived: usize,
    /// Duration of the run, in milliseconds.
    pub took_ms: u64,
    /// Duration of the last run that started with an empty cache, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub full_ms: Option<u64>,
    /// Size of the cache for all repositories, in bytes.
    pub store_bytes: u64,
    /// Warnings and notes about the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeInfo>,
}

/// Output of `infiniloom cache stats`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StoreInfo {
    /// The version of this shape.
    pub format_version: u32,
    /// The cache directory.
    pub folder: String,
    /// Number of different contents in the cache.
    pub contents: usize,
    /// Number of cached snapshots of roots.
    pub trees: usize,
    /// Number of files in these snapshots.
    pub files: usize,
    /// Cached values, by kind.
    pub values: Vec<StoredInfo>,
    /// Size of the cache, in bytes.
    pub bytes: u64,
    /// Size of the search index, in bytes; part of `bytes`.
    pub search_bytes: u64,
    /// Maximum size of the cache, in bytes.
    pub limit: u64,
}

/// The cached values of one kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StoredInfo {
    /// Name of the kind, and the version of the program that derived the values.
    pub kind: String,
    /// Number of values.
    pub count: usize,
    /// Size of the values, in bytes.
    pub bytes: u64,
}

/// The result of checking the cache.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CacheVerifiedInfo {
    /// The version of this shape.
    pub format_version: u32,
    /// The directory.
    pub folder: String,
    /// Whether there is a database.
    pub has_store: bool,
    /// Whether the database was broken and was removed.
    pub was_broken: bool,
    /// The values that were checked.
    pub values: usize,
    /// The values that were wrong and were removed.
    pub wrong_values: usize,
    /// The files of the search index that were checked.
    pub index_files: usize,
    /// The files of the search index that were wrong and were removed.
    pub wrong_index_files: usize,
}

/// The result of removing data from the cache.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CacheRemovedInfo {
    /// The version of this shape.
    pub format_version: u32,
    /// The directory.
    pub folder: String,
    /// The contents whose derived data was removed; none if everything was removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contents: Option<usize>,
    /// The bytes that were freed.
    pub bytes: u64,
}
