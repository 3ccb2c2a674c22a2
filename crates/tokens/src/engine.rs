//! The two algorithms of vocabularies.

use crate::model::Model;
use crate::spm::Spm;

/// Algorithm of a vocabulary, with its tables.
#[derive(Clone, Copy)]
pub(crate) enum Engine {
    /// Merges the bytes of pieces that a pattern splits off.
    Bytes(&'static Model),
    /// Merges characters.
    Pieces(&'static Spm),
}

impl Engine {
    /// Returns the address of the tables, which identifies the vocabulary.
    pub(crate) fn address(self) -> usize {
        match self {
            Self::Bytes(model) => std::ptr::from_ref(model).addr(),
            Self::Pieces(spm) => std::ptr::from_ref(spm).addr(),
        }
    }
}
