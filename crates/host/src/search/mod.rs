//! Searches the files of a source. Every answer is made from the files as they are now;
//! an index only says which of them cannot match.

mod answer;
mod best_first;
mod by_name;
mod copies;
mod freshness;
mod index;
mod query;
mod query_cache;
mod ranked;
mod searcher;
mod shown_text;
mod snapshot_secrets;
mod symbol_cache;
#[cfg(test)]
mod tests;
mod text_cache;
mod update;
mod warm;

use loom_base::RepoPath;
use loom_lookup::HitLine;
use loom_search::QueryError;
use loom_syntax::Language;

use crate::PackError;

pub(crate) use freshness::{NO_TEXT, contents};
pub(crate) use index::verify_index_files;
pub use index::{Built as IndexBuilt, IndexVerified, remove_search_index, search_index_bytes};
pub(crate) use index::{IndexUpdate, Location};
pub(crate) use ranked::lines_of;
pub use ranked::{RankOptions, RankedHit};
pub(crate) use searcher::search_text;
pub use searcher::{IndexUse, Searcher};
pub use shown_text::ShownText;
pub(crate) use update::begin_index_update;

/// What is wanted of the files that match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// That they do.
    Paths,
    /// How many lines.
    Counts,
    /// The lines, with so many before and after each.
    Lines {
        /// Lines before.
        before: usize,
        /// Lines after.
        after: usize,
    },
}

/// Which text a query is asked of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Judged {
    /// As it is written: what ripgrep finds.
    #[default]
    Written,
    /// As it is shown, without secrets: no answer tells whether a guess of one is right.
    Shown,
}

/// How to search.
#[derive(Clone, Copy, Debug)]
pub struct SearchOptions {
    /// What is wanted of the files that match.
    pub detail: Detail,
    /// Whether the symbol around each line is wanted.
    pub symbols: bool,
    /// At most so many matching lines, or files where lines are not wanted.
    pub limit: Option<usize>,
    /// At most so many matching lines of each file; more are not told.
    pub per_file: Option<usize>,
    /// Which text the query is asked of.
    pub judged: Judged,
}

/// A file that matches. One with very many lines is handed out in several of these, one
/// after the other.
#[derive(Clone, Debug)]
pub struct FileHits {
    /// Its path.
    pub path: RepoPath,
    /// Its language.
    pub language: Option<Language>,
    /// How many of its lines match.
    pub count: usize,
    /// The lines, where they are wanted, and those around them.
    pub lines: Vec<HitLine>,
    /// How well it fits, where that was asked for.
    pub score: Option<f64>,
    /// How many of the lines hold a secret, hidden or not.
    pub secrets: usize,
    /// Whether earlier lines of the same file were handed out before.
    pub is_rest: bool,
}

/// What a search met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Searched {
    /// Files that match.
    pub files: usize,
    /// Lines that match.
    pub lines: usize,
    /// Files that were read.
    pub read: usize,
    /// Lines that were handed out and hold a secret, hidden or not.
    pub secrets: usize,
    /// Whether there may be more than the limit let through.
    pub is_cut: bool,
}

/// Why a search failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The query cannot be asked.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The files cannot be read.
    #[error(transparent)]
    Pack(#[from] PackError),
}
