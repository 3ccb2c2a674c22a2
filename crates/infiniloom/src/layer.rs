//! The derived parts of a snapshot, as callers name them.

/// A part that is derived from the files of a snapshot: built by the first query that needs it,
/// or ahead by [`Repository::keep_warm`](crate::Repository::keep_warm).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Layer {
    /// The known secrets and the index of contents, for lines and texts.
    Search,
    /// The syntax of files that queries parsed, for definitions and references.
    Symbols,
    /// The files with their symbols and links, for maps.
    Map,
    /// The files as pieces of code, for contexts.
    Context,
}

impl Layer {
    /// All layers.
    pub const ALL: [Self; 4] = [Self::Search, Self::Symbols, Self::Map, Self::Context];
}
