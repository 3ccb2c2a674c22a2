//! The vocabularies in the binary: their tables, patterns and memos. `vocabulary` owns their names.

use std::sync::LazyLock;

use crate::bpe::{Merges, Table};
use crate::load::{self, Traits};
use crate::memo::Memo;
use crate::model::{Ids, Model, Split, TextForm};
use crate::spm::Spm;
use crate::wholes::Wholes;

/// Bytes that start at a cache line, so that no entry of a table crosses two.
#[repr(C, align(64))]
struct Aligned<B: ?Sized>(B);

/// Includes a table that the build script wrote.
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

/// Includes the tables of a vocabulary and limits the number of its tokens.
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

/// Creates a separate memo, which allocates no memory before its first use.
macro_rules! memo {
    () => {{
        static MEMO: Memo = Memo::new();
        &MEMO
    }};
}

/// Converts a table to an array of known size.
#[expect(clippy::panic, reason = "evaluated at build time only")]
const fn array<T, const N: usize>(table: &[T]) -> &[T; N] {
    match table.first_chunk() {
        Some(table) if table.len() == N => table,
        _ => panic!("a table has another size than its layout"),
    }
}

pub(crate) static O200K: Model = Model {
    split: Split::O200k,
    form: TextForm::AsIs,
    ids: Ids::Ranks(0),
    wholes: Wholes::NONE,
    merges: merges!("o200k", 199_998),
    memo: memo!(),
    number: 0,
};

pub(crate) static CL100K: Model = Model {
    split: Split::Cl100k,
    form: TextForm::AsIs,
    ids: Ids::Ranks(0),
    wholes: Wholes::NONE,
    merges: merges!("cl100k", 100_256),
    memo: memo!(),
    number: 1,
};

pub(crate) static P50K: Model = Model {
    split: Split::Gpt2,
    form: TextForm::AsIs,
    ids: Ids::Ranks(0),
    wholes: Wholes::NONE,
    merges: merges!("p50k", 50_281),
    memo: memo!(),
    number: 2,
};

/// Vocabulary with the tables of [`P50K`], without its last tokens.
pub(crate) static R50K: Model = Model {
    split: Split::Gpt2,
    form: TextForm::AsIs,
    ids: Ids::Ranks(0),
    wholes: Wholes::NONE,
    merges: merges!("p50k", 50_256),
    memo: memo!(),
    number: 3,
};

/// Declares a compressed vocabulary that is expanded at first use.
macro_rules! packed {
    ($name:ident, $file:literal, $split:ident, $form:ident, $offset:literal) => {
        pub(crate) static $name: LazyLock<Model> = LazyLock::new(|| {
            let tokens = load::unpack(include_bytes!(concat!("../data/", $file, ".packed")));
            debug_assert!(tokens.is_some(), "the data file is broken");
            let traits = Traits {
                split: Split::$split,
                form: TextForm::$form,
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

/// Declares a compressed vocabulary of the SentencePiece kind.
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
