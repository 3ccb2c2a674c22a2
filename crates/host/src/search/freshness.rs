//! Which contents files have, without reading those that did not change: the store
//! knows. Nothing else of the search knows how that is found out.

use loom_base::ContentHash;
use loom_store::Version;

use crate::cache::CacheSession;

/// Stands for contents that are no text.
pub(crate) const NO_TEXT: ContentHash = ContentHash::from_bytes([0; 32]);

/// The contents of the first `count` files; `None` for one that has to be read.
pub(crate) fn contents(recall: &CacheSession, count: usize) -> Vec<Option<ContentHash>> {
    let of = |at: usize| match recall.version(at)?.1 {
        Version::Binary => Some(NO_TEXT),
        Version::Content(_, hash) => Some(*hash),
    };
    (0..count).map(of).collect()
}
