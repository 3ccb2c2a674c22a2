//! Vocabularies that are not laid out at build time: those that come compressed
//! with the program, expanded at first use, and those that a user has as a file.

mod halves;
mod packed;
mod pieces;
mod tiktoken;

pub(crate) use packed::unpack;
pub(crate) use pieces::spm;
pub use tiktoken::LoadError;
pub(crate) use tiktoken::parse;

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::bpe::{Merges, Table};
use crate::layout::SPLIT_BYTES;
use crate::memo::Memo;
use crate::model::{Form, MODELS, Model, Split};
use crate::tables::Tables;
use crate::wholes::Wholes;

/// Tokens by their halves, and those that only whole pieces become.
#[derive(Default)]
pub(crate) struct Tokens {
    pub(crate) splits: Vec<[u8; SPLIT_BYTES]>,
    pub(crate) wholes: Wholes,
}

/// What else makes a vocabulary.
pub(crate) struct Traits {
    pub(crate) split: Split,
    pub(crate) form: Form,
    /// What is added to a rank to make an id.
    pub(crate) offset: u32,
}

/// Numbers for models beside those that are always there.
static NEXT: AtomicUsize = AtomicUsize::new(MODELS);

/// The model of `tokens`. Its tables stay until the program ends.
pub(crate) fn model(tokens: Tokens, traits: &Traits, memo: &'static Memo) -> Model {
    let tables = Tables::of(&tokens.splits);
    let longest = longest(&tokens, &tables.lengths);
    let is_ordered = is_ordered(&tokens.splits);
    Model {
        split: traits.split,
        form: traits.form,
        offset: traits.offset,
        merges: Merges {
            tokens: tokens.splits.len() as u32,
            longest,
            ordered: is_ordered,
            splits: tokens.splits.leak(),
            lengths: tables.lengths.leak(),
            bytes: array(tables.bytes),
            byte_pairs: array(tables.byte_pairs),
            filter: Table::new(tables.filter.leak()),
            pairs: Table::new(tables.pairs.leak()),
        },
        wholes: tokens.wholes,
        memo,
        number: NEXT.fetch_add(1, Ordering::Relaxed),
    }
}

/// A table of known size; what is missing is zero.
fn array<T: Copy + Default, const N: usize>(table: Vec<T>) -> &'static [T; N] {
    let mut array = [T::default(); N];
    for (place, value) in array.iter_mut().zip(table) {
        *place = value;
    }
    Box::leak(Box::new(array))
}

/// At least the length of the longest token; lengths that do not fit their table
/// are summed up from the halves.
fn longest(tokens: &Tokens, lengths: &[u8]) -> usize {
    let (mut longest, mut full) = (tokens.wholes.longest(), vec![0usize; lengths.len()]);
    for (id, &entry) in tokens.splits.iter().enumerate() {
        let (left, right) = crate::layout::read_split(entry);
        full[id] = match (full.get(left as usize), full.get(right as usize)) {
            (Some(left), Some(right)) if lengths[id] == u8::MAX => left + right,
            _ => usize::from(lengths[id]),
        };
        longest = longest.max(full[id]);
    }
    longest.max(1)
}

/// Whether both halves of every token come before it.
fn is_ordered(splits: &[[u8; SPLIT_BYTES]]) -> bool {
    let mut splits = (0u32..).zip(splits);
    splits.all(|(id, &entry)| match crate::layout::read_split(entry) {
        (_, crate::layout::NO_ID) => true,
        (left, right) => left < id && right < id,
    })
}
