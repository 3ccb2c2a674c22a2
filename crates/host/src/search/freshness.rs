//! Looks up the content hashes of unchanged files in the store, without reading them. It is the
//! only search module that knows how.

use loom_base::ContentHash;
use loom_store::Version;

use crate::cache::CacheSession;

/// Represents contents that are not text.
pub(crate) const NO_TEXT: ContentHash = ContentHash::from_bytes([0; 32]);

/// Returns the content hashes of the first `count` files; `None` for a file that must be read.
pub(crate) fn contents(recall: &CacheSession, count: usize) -> Vec<Option<ContentHash>> {
    let of = |at: usize| match recall.version(at)?.1 {
        Version::Binary => Some(NO_TEXT),
        Version::Content(_, hash) => Some(*hash),
    };
    (0..count).map(of).collect()
}
