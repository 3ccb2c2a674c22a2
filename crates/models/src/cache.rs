//! How a provider caches the start of a prompt between requests. The prices of cache writes and
//! reads are in `price`.

/// Rules of a provider's prompt cache.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CacheRule {
    /// Method of selecting the start of a prompt for the cache.
    pub kind: CacheKind,
    /// Minimum number of tokens that are cached.
    pub least: Option<usize>,
    /// The number of cached tokens is a multiple of this.
    pub step: Option<usize>,
    /// Maximum number of break points in a request.
    pub marks: Option<usize>,
    /// Number of blocks before a break point that the provider checks for a cache hit.
    pub look_back: Option<usize>,
    /// Lifetimes of an entry after its last use, in seconds, one for each choice.
    pub lifetimes: Vec<u32>,
    /// Source of the rules, as a key of the list of sources.
    pub source: String,
}

/// Method of selecting the start of a prompt for the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CacheKind {
    /// The provider finds equal starts by itself.
    Automatic,
    /// The request marks the end of the part to cache.
    Marked,
}

impl CacheKind {
    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Automatic => "automatic",
            Self::Marked => "marked",
        }
    }
}
