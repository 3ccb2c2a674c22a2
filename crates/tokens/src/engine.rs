//! The two ways in which vocabularies count.

use crate::model::Model;
use crate::spm::Spm;

/// What counts.
#[derive(Clone, Copy)]
pub(crate) enum Engine {
    /// Merges bytes of pieces that a pattern splits off.
    Bytes(&'static Model),
    /// Merges characters.
    Pieces(&'static Spm),
}

impl Engine {
    /// Which one it is.
    pub(crate) fn address(self) -> usize {
        match self {
            Self::Bytes(model) => std::ptr::from_ref(model).addr(),
            Self::Pieces(spm) => std::ptr::from_ref(spm).addr(),
        }
    }
}
