//! What makes a vocabulary of bytes: its pattern, its tables and its memo.

use std::collections::HashMap;

use crate::bpe::Merges;
use crate::memo::Memo;
use crate::wholes::Wholes;

/// Which pattern splits the text.
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

/// What is done to a text before it is split.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Nothing.
    AsIs,
    /// Unicode normalisation form C.
    Nfc,
}

/// How the ids of tokens come from their ranks.
pub(crate) enum Ids {
    /// So much is added.
    Ranks(u32),
    /// There is a list.
    Listed {
        of_ranks: Vec<u32>,
        ranks: HashMap<u32, u32>,
    },
}

impl Ids {
    /// Those of a list.
    pub(crate) fn listed(of_ranks: Vec<u32>) -> Self {
        let ranks = of_ranks.iter().copied().zip(0..).collect();
        Self::Listed { of_ranks, ranks }
    }

    pub(crate) fn of(&self, rank: u32) -> u32 {
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

/// A vocabulary at work.
pub(crate) struct Model {
    pub(crate) split: Split,
    pub(crate) form: Form,
    pub(crate) ids: Ids,
    pub(crate) merges: Merges,
    pub(crate) wholes: Wholes,
    pub(crate) memo: &'static Memo,
    /// A number of its own; the first [`MODELS`] are those of `built_in`.
    pub(crate) number: usize,
}

/// How many models are always there.
pub(crate) const MODELS: usize = 4;
