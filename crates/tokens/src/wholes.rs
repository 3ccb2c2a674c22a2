//! Tokens that merging never makes. Some vocabularies have a few hundred: a piece
//! that is such a token is one, and no part of a piece ever is.

/// The tokens, ordered by their bytes.
#[derive(Default)]
pub(crate) struct Wholes(Vec<(Vec<u8>, u32)>);

impl Wholes {
    /// None, as in most vocabularies.
    pub(crate) const NONE: Self = Self(Vec::new());

    /// These tokens with their ids.
    pub(crate) fn new(mut tokens: Vec<(Vec<u8>, u32)>) -> Self {
        tokens.sort_unstable();
        Self(tokens)
    }

    /// Whether there are none.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The token that `piece` is.
    pub(crate) fn find(&self, piece: &[u8]) -> Option<u32> {
        if self.0.is_empty() {
            return None;
        }
        let found = self
            .0
            .binary_search_by(|(bytes, _)| bytes.as_slice().cmp(piece));
        found.ok().and_then(|at| self.0.get(at)).map(|(_, id)| *id)
    }

    /// The bytes of a token.
    pub(crate) fn spell(&self, id: u32) -> Option<&[u8]> {
        let token = self.0.iter().find(|(_, known)| *known == id);
        token.map(|(bytes, _)| bytes.as_slice())
    }

    /// The length of the longest.
    pub(crate) fn longest(&self) -> usize {
        self.0
            .iter()
            .map(|(bytes, _)| bytes.len())
            .max()
            .unwrap_or(0)
    }
}
