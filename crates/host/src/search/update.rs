//! Updates the search index.

use std::io;

use loom_base::ContentHash;

use super::index::{Index, IndexUpdate, Location};
use crate::Packer;

/// Begins to update the index of a source whose files have these contents. Returns `None` if the
/// index has no directory, or nothing is new.
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
    /// Writes the added contents. `contents` are those of all files now.
    ///
    /// # Errors
    /// If the index cannot be written.
    pub(crate) fn write_all(self, contents: &[Option<ContentHash>]) -> io::Result<()> {
        self.finish(contents).built.map(|_| ())
    }
}
