//! Tokens that merging cannot produce. Some vocabularies have a few hundred: a whole piece can be
//! such a token, but never a part of a piece.

/// Such tokens, ordered by their bytes.
#[derive(Default)]
pub(crate) struct Wholes(Vec<(Vec<u8>, u32)>);

impl Wholes {
    /// Empty list, as in most vocabularies.
    pub(crate) const NONE: Self = Self(Vec::new());

    /// Creates a list of these tokens with their ids.
    pub(crate) fn new(mut tokens: Vec<(Vec<u8>, u32)>) -> Self {
        tokens.sort_unstable();
        Self(tokens)
    }

    /// Returns whether the list is empty.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the number of tokens.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns the id of the token that is equal to `piece`.
    pub(crate) fn find(&self, piece: &[u8]) -> Option<u32> {
        if self.0.is_empty() {
            return None;
        }
        let found = self
            .0
            .binary_search_by(|(bytes, _)| bytes.as_slice().cmp(piece));
        found.ok().and_then(|at| self.0.get(at)).map(|(_, id)| *id)
    }

    /// Returns the bytes of a token.
    pub(crate) fn spell(&self, id: u32) -> Option<&[u8]> {
        let token = self.0.iter().find(|(_, known)| *known == id);
        token.map(|(bytes, _)| bytes.as_slice())
    }

    /// Returns the length of the longest token.
    pub(crate) fn longest(&self) -> usize {
        self.0
            .iter()
            .map(|(bytes, _)| bytes.len())
            .max()
            .unwrap_or(0)
    }
}
