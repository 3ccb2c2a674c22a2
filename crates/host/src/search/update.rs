//! One search without a searcher that is kept, and the update of the index that searches
//! use.

use std::ops::ControlFlow;

use loom_base::ContentHash;
use loom_search::Query;
use loom_source::FoundFile;

use super::index::{Index, Location, Tree};
use super::{FileHits, IndexUse, SearchError, SearchOptions, Searched, Searcher};
use crate::cache::Recall;
use crate::unread::Unread;
use crate::{Cancel, PackError, Packer, Progress};

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

/// Brings the index of a source up to date, where there is a place for one. `contents`
/// are those of `files`.
pub(crate) fn update_index(
    (packer, unread): (&Packer, &Unread),
    recall: &Recall<'_>,
    (files, contents): (&[FoundFile], &[Option<ContentHash>]),
    progress: &dyn Progress,
    cancel: &Cancel,
) -> Result<(), PackError> {
    let Some(location) = Location::of(packer) else {
        return Ok(());
    };
    let mut index = Index::open(&location);
    if contents.iter().flatten().all(|hash| index.knows(hash)) {
        return Ok(());
    }
    let tree = Tree {
        packer,
        unread,
        recall,
        files,
        contents,
    };
    index.update(&tree, &location, progress, cancel).map(|_| ())
}
