//! What is remembered between runs.

use schemars::JsonSchema;
use serde::Serialize;

use crate::NoticeInfo;

/// The answer of `infiniloom index`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
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
    /// Files that were not there when somebody looked last.
    pub added: usize,
    /// Files with other contents than then.
    pub changed: usize,
    /// Files that are no longer there.
    pub removed: usize,
    /// Contents that were met for the first time: only these were worked on.
    pub derived: usize,
    /// How long it took, in milliseconds.
    pub took_ms: u64,
    /// How long the last run took that began with nothing, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub full_ms: Option<u64>,
    /// The bytes of everything that is remembered, of all repositories.
    pub store_bytes: u64,
    /// Remarks beside the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeInfo>,
}

/// The answer of `infiniloom cache stats`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct StoreInfo {
    /// The version of this shape.
    pub format_version: u32,
    /// The folder.
    pub folder: String,
    /// Different contents that something is remembered about.
    pub contents: usize,
    /// Trees whose files are remembered.
    pub trees: usize,
    /// Their files.
    pub files: usize,
    /// What is remembered.
    pub values: Vec<StoredInfo>,
    /// The bytes of all of it.
    pub bytes: u64,
    /// Those of them that the index of searches takes.
    pub search_bytes: u64,
    /// How many bytes it may grow to.
    pub limit: u64,
}

/// One kind of thing that is remembered.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct StoredInfo {
    /// What it is, and which version of the program derived it.
    pub kind: String,
    /// How many there are.
    pub count: usize,
    /// Their bytes.
    pub bytes: u64,
}

/// The result of checking the cache.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
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
