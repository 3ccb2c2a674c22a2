//! Searches the files of a source. Every result comes from the current files; an index only
//! excludes files that cannot match.

mod best_first;
mod by_name;
mod copies;
mod freshness;
mod index;
mod query;
mod ranked;
mod refreshed;
mod same_contents;
mod searcher;
mod shown_text;
mod snapshot_secrets;
#[cfg(test)]
mod tests;
mod update;
mod warm;

use loom_search::QueryError;

use crate::PackError;

pub(crate) use freshness::{NO_TEXT, contents};
pub(crate) use index::verify_index_files;
pub use index::{Built as IndexBuilt, IndexVerified, remove_search_index, search_index_bytes};
pub(crate) use index::{IndexUpdate, Location};
pub(crate) use searcher::search_text;
pub use searcher::{IndexUse, Searcher};
pub use shown_text::ShownText;
pub(crate) use update::begin_index_update;

/// Reason why a search fails.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The query is invalid.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The files cannot be read.
    #[error(transparent)]
    Pack(#[from] PackError),
}
