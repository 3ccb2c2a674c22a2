//! One search without a searcher that is kept, and the update of the index that searches
//! use.

use std::io;
use std::ops::ControlFlow;

use loom_base::ContentHash;
use loom_search::Query;

use super::index::{Index, IndexUpdate, Location};
use super::{FileHits, IndexUse, SearchError, SearchOptions, Searched, Searcher};
use crate::{Cancel, Packer};

impl Packer {
    /// Hands out the files that match `query`, ordered by path.
    ///
    /// # Errors
    /// When a pattern of the query is wrong, or a stop was asked for.
    pub fn search(
        &self,
        query: &Query,
        options: &SearchOptions,
        cancel: &Cancel,
        emit: impl FnMut(FileHits) -> ControlFlow<()>,
    ) -> Result<Searched, SearchError> {
        let searcher = Searcher::open(self, IndexUse::Auto, &crate::NoProgress, cancel)?;
        searcher.search(query, options, cancel, emit)
    }
}

/// Begins to update the index of a source whose files have these contents. `None` if there
/// is no place for one, or nothing is new.
pub(crate) fn begin_index_update<'a>(
    packer: &'a Packer,
    contents: &[Option<ContentHash>],
) -> Option<IndexUpdate<'a>> {
    let location = Location::of(packer)?;
    let index = Index::open(&location);
    let knows = |hash: &Option<ContentHash>| hash.is_some_and(|hash| index.knows(&hash));
    let is_new = !contents.iter().all(knows);
    is_new.then(|| IndexUpdate::begin(packer, index, location, contents))
}

impl IndexUpdate<'_> {
    /// Writes what was added. `contents` are those that all files have now.
    ///
    /// # Errors
    /// When the index cannot be written.
    pub(crate) fn write_all(self, contents: &[Option<ContentHash>]) -> io::Result<()> {
        self.finish(contents).built.map(|_| ())
    }
}
