//! How a provider keeps the start of a prompt from one request to the next. What
//! writing and reading cost is with the prices.

/// The rules of a provider's prompt cache.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CacheRule {
    /// How a prompt is kept.
    pub kind: CacheKind,
    /// The fewest tokens that are kept at all.
    pub least: Option<usize>,
    /// What is kept is a multiple of so many tokens.
    pub step: Option<usize>,
    /// The most break points in one request.
    pub marks: Option<usize>,
    /// How many blocks before a break point are searched for a kept start.
    pub look_back: Option<usize>,
    /// How many seconds a start may be kept after its last use, one for each
    /// choice.
    pub lifetimes: Vec<u32>,
    /// Where the rules are from, a key of the list of sources.
    pub source: String,
}

/// How a prompt is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CacheKind {
    /// The provider finds equal starts by itself.
    Automatic,
    /// The request marks where a start ends.
    Marked,
}

impl CacheKind {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Automatic => "automatic",
            Self::Marked => "marked",
        }
    }
}
