//! What belongs to each vocabulary: its tables in the binary, its pattern and
//! its memo. Names are the business of `vocabulary`.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::bpe::{Merges, Table};
use crate::load::{self, Traits};
use crate::memo::Memo;
use crate::spm::Spm;
use crate::wholes::Wholes;

/// Bytes on a cache line of their own, so that no entry of a table crosses two.
#[repr(C, align(64))]
struct Aligned<B: ?Sized>(B);

/// A table that the build script wrote.
macro_rules! table {
    ($name:literal, $kind:literal) => {{
        static TABLE: &Aligned<[u8]> = &Aligned(*include_bytes!(concat!(
            env!("OUT_DIR"),
            "/",
            $name,
            ".",
            $kind
        )));
        TABLE.0.as_chunks().0
    }};
}

/// The tables of a vocabulary, of which it uses that many tokens.
macro_rules! merges {
    ($name:literal, $tokens:literal) => {
        Merges {
            splits: include_bytes!(concat!("../data/", $name, ".splits"))
                .as_chunks()
                .0,
            lengths: include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".lengths")),
            bytes: array(table!($name, "bytes")),
            byte_pairs: array(table!($name, "byte_pairs")),
            filter: Table::new(table!($name, "filter")),
            pairs: Table::new(table!($name, "pairs")),
            tokens: $tokens,
            ordered: true,
            longest: include!(concat!(env!("OUT_DIR"), "/", $name, ".longest")),
        }
    };
}

/// A memo of its own, which costs no memory before it is used.
macro_rules! memo {
    () => {{
        static MEMO: Memo = Memo::new();
        &MEMO
    }};
}

/// A table of known size.
#[expect(clippy::panic, reason = "evaluated at build time only")]
const fn array<T, const N: usize>(table: &[T]) -> &[T; N] {
    match table.first_chunk() {
        Some(table) if table.len() == N => table,
        _ => panic!("a table has another size than its layout"),
    }
}

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

/// A vocabulary at work.
pub(crate) struct Model {
    pub(crate) split: Split,
    pub(crate) form: Form,
    pub(crate) ids: Ids,
    pub(crate) merges: Merges,
    pub(crate) wholes: Wholes,
    pub(crate) memo: &'static Memo,
    /// A number of its own; those of [`MODELS`] come first.
    pub(crate) number: usize,
}

/// How many models are always there.
pub(crate) const MODELS: usize = 4;

pub(crate) static O200K: Model = Model {
    split: Split::O200k,
    form: Form::AsIs,
    ids: Ids::Ranks(0),
    wholes: Wholes::NONE,
    merges: merges!("o200k", 199_998),
    memo: memo!(),
    number: 0,
};

pub(crate) static CL100K: Model = Model {
    split: Split::Cl100k,
    form: Form::AsIs,
    ids: Ids::Ranks(0),
    wholes: Wholes::NONE,
    merges: merges!("cl100k", 100_256),
    memo: memo!(),
    number: 1,
};

pub(crate) static P50K: Model = Model {
    split: Split::Gpt2,
    form: Form::AsIs,
    ids: Ids::Ranks(0),
    wholes: Wholes::NONE,
    merges: merges!("p50k", 50_281),
    memo: memo!(),
    number: 2,
};

/// The tables of [`P50K`] without its last tokens.
pub(crate) static R50K: Model = Model {
    split: Split::Gpt2,
    form: Form::AsIs,
    ids: Ids::Ranks(0),
    wholes: Wholes::NONE,
    merges: merges!("p50k", 50_256),
    memo: memo!(),
    number: 3,
};

/// A vocabulary that comes compressed, expanded at first use.
macro_rules! packed {
    ($name:ident, $file:literal, $split:ident, $form:ident, $offset:literal) => {
        pub(crate) static $name: LazyLock<Model> = LazyLock::new(|| {
            let tokens = load::unpack(include_bytes!(concat!("../data/", $file, ".packed")));
            debug_assert!(tokens.is_some(), "the data file is broken");
            let traits = Traits {
                split: Split::$split,
                form: Form::$form,
                ids: Ids::Ranks($offset),
            };
            load::model(tokens.unwrap_or_default(), traits, memo!())
        });
    };
}

packed!(QWEN, "qwen", Qwen, Nfc, 0);
packed!(TEKKEN, "tekken", Tekken, AsIs, 1000);
packed!(GLM4, "glm4", Llama3, AsIs, 0);
packed!(DEEPSEEK_V3, "deepseek_v3", DeepSeek, AsIs, 0);

/// As above, for vocabularies of the SentencePiece kind.
macro_rules! pieces {
    ($name:ident, $file:literal) => {
        pub(crate) static $name: LazyLock<Spm> = LazyLock::new(|| {
            let packed = include_bytes!(concat!("../data/", $file, ".pieces"));
            load::spm(packed, memo!())
        });
    };
}

pieces!(MISTRAL, "mistral");
pieces!(GEMMA4, "gemma4");
