//! Compares two states of the files by their contents: a file that was written again with the
//! same text is the same.

use loom_base::ContentHash;

use super::Searcher;
use super::freshness::NO_TEXT;
use super::searcher::IndexState;

impl Searcher {
    /// Returns whether the files have the same paths, contents and known secrets as those of
    /// `other`, whatever their stamps. False if the index does not know every file.
    pub fn has_contents_of(&self, other: &Self) -> bool {
        let is_known = self.is_all_known && other.is_all_known;
        let paths = || self.files.iter().map(|file| &file.path);
        is_known
            && self.files.len() == other.files.len()
            && paths().eq(other.files.iter().map(|file| &file.path))
            && (0..self.files.len()).all(|at| self.contents_of(at) == other.contents_of(at))
            && self.known_secrets().digest() == other.known_secrets().digest()
    }

    fn contents_of(&self, number: usize) -> Option<ContentHash> {
        match self.known[number] {
            IndexState::Indexed(place) => self.index.hash(place),
            IndexState::NoText => Some(NO_TEXT),
            IndexState::Nothing => None,
        }
    }
}
