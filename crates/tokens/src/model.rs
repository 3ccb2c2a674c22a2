//! A vocabulary of bytes: its pattern, its tables and its memo.

use std::collections::HashMap;

use crate::bpe::Merges;
use crate::memo::Memo;
use crate::wholes::Wholes;

/// Pattern that splits the text.
#[derive(Clone, Copy)]
pub(crate) enum Split {
    O200k,
    Cl100k,
    Gpt2,
    Llama3,
    Qwen,
    Tekken,
    DeepSeek,
    Kimi,
    CommandR,
}

/// Normalisation of a text before it is split.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextForm {
    /// No normalisation.
    AsIs,
    /// Unicode normalisation form C.
    Nfc,
}

/// Mapping between ranks and ids of tokens.
pub(crate) enum Ids {
    /// The id is the rank plus this number.
    Ranks(u32),
    /// A list contains the ids.
    Listed {
        of_ranks: Vec<u32>,
        ranks: HashMap<u32, u32>,
    },
}

impl Ids {
    /// Creates the mapping of a list.
    pub(crate) fn listed(of_ranks: Vec<u32>) -> Self {
        let ranks = of_ranks.iter().copied().zip(0..).collect();
        Self::Listed { of_ranks, ranks }
    }

    pub(crate) fn id(&self, rank: u32) -> u32 {
        match self {
            Self::Ranks(offset) => rank + offset,
            Self::Listed { of_ranks, .. } => of_ranks.get(rank as usize).copied().unwrap_or(rank),
        }
    }

    pub(crate) fn rank(&self, id: u32) -> Option<u32> {
        match self {
            Self::Ranks(offset) => id.checked_sub(*offset),
            Self::Listed { ranks, .. } => ranks.get(&id).copied(),
        }
    }
}

/// Vocabulary with everything that counting needs.
pub(crate) struct Model {
    pub(crate) split: Split,
    pub(crate) form: TextForm,
    pub(crate) ids: Ids,
    pub(crate) merges: Merges,
    pub(crate) wholes: Wholes,
    pub(crate) memo: &'static Memo,
    /// Unique number; the first [`MODELS`] belong to `built_in`.
    pub(crate) number: usize,
}

/// Number of built-in models.
pub(crate) const MODELS: usize = 4;
