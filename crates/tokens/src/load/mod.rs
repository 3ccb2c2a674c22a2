//! Vocabularies whose tables are not laid out at build time: compressed ones that come with the
//! program and are expanded at first use, and those from a user's file.

mod error;
mod halves;
mod hugging_face;
mod packed;
mod piece_vocabulary;
mod pieces;
mod protobuf;
mod sentence_piece;
mod tiktoken;

pub use error::LoadError;
pub(crate) use packed::unpack;
pub(crate) use pieces::spm;

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::bpe::{Merges, Table};
use crate::layout::{ID_BITS, SPLIT_BYTES};
use crate::memo::Memo;
use crate::model::{Ids, MODELS, Model, Split, TextForm};
use crate::tables::Tables;
use crate::wholes::Wholes;
use piece_vocabulary::PieceVocabulary;

/// Maximum number of tokens in the tables; one id is reserved for "nothing".
const MOST_TOKENS: usize = (1 << ID_BITS) - 1;
/// Maximum length of a token from a file; the longest known ones have 256 bytes.
pub(crate) const MOST_BYTES: usize = 1024;
/// Maximum sum of the squared lengths of all tokens, which is the cost of finding their halves; the
/// largest known vocabularies have 2^24.
const MOST_WORK: usize = 1 << 28;

/// Tokens by their halves, and those that only whole pieces can become.
#[derive(Default)]
pub(crate) struct Tokens {
    pub(crate) splits: Vec<[u8; SPLIT_BYTES]>,
    pub(crate) wholes: Wholes,
}

/// Properties of a vocabulary, without its tokens.
pub(crate) struct Traits {
    pub(crate) split: Split,
    pub(crate) form: TextForm,
    pub(crate) ids: Ids,
}

/// Contents of a file.
pub(crate) enum Read {
    /// Tokens of bytes, without a pattern.
    Tokens(Tokens),
    /// Tokens of bytes, with all other properties.
    Whole(Tokens, Traits),
    /// Tokens of characters.
    Pieces(PieceVocabulary),
}

impl Read {
    /// Returns the number of ordinary tokens.
    pub(crate) fn tokens(&self) -> usize {
        match self {
            Self::Tokens(tokens) | Self::Whole(tokens, _) => tokens.count(),
            Self::Pieces(made) => made.tokens(),
        }
    }
}

/// Parses a file like [`read`] and returns only the number of tokens.
pub(crate) fn check(file: &[u8]) -> Result<usize, LoadError> {
    let read = read(file)?;
    if let Read::Pieces(made) = &read {
        made.check()?;
    }
    Ok(read.tokens())
}

impl Tokens {
    fn count(&self) -> usize {
        let is_token = |entry: &&[u8; SPLIT_BYTES]| **entry != [0xFF; SPLIT_BYTES];
        self.splits.iter().filter(is_token).count() + self.wholes.len()
    }
}

/// Parses the vocabulary in `file`, of any known kind.
///
/// # Errors
/// Returns an error if the file is of no known kind, damaged, or uses an unsupported feature.
pub(crate) fn read(file: &[u8]) -> Result<Read, LoadError> {
    if file.trim_ascii_start().starts_with(b"{") {
        return hugging_face::parse(file);
    }
    if sentence_piece::is_model(file) {
        return sentence_piece::parse(file).map(Read::Pieces);
    }
    if !tiktoken::is_table(file) {
        return Err(LoadError::Unknown);
    }
    tiktoken::parse(file).map(Read::Tokens)
}

/// Checks that tokens of these lengths stay within the limits.
fn check_lengths(lengths: impl IntoIterator<Item = usize>) -> Result<(), LoadError> {
    let mut work = 0usize;
    for length in lengths {
        work = work.saturating_add(length.saturating_mul(length));
        if length > MOST_BYTES || work > MOST_WORK {
            return Err(LoadError::Long);
        }
    }
    Ok(())
}

/// Parses the byte of a token such as `<0x0A>`.
fn byte_token(token: &str) -> Option<u8> {
    let digits = token.strip_prefix("<0x")?.strip_suffix('>')?;
    let is_plain = digits.len() == 2 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_plain.then(|| u8::from_str_radix(digits, 16).ok())?
}

/// Encodes an entry of two halves.
fn pair(left: u32, right: u32) -> [u8; SPLIT_BYTES] {
    let ([a, b, c, _], [d, e, f, _]) = (left.to_le_bytes(), right.to_le_bytes());
    [a, b, c, d, e, f]
}

/// Next number for a model that is not built in.
static NEXT: AtomicUsize = AtomicUsize::new(MODELS);

/// Builds the model of `tokens`. Its tables stay in memory until the program ends.
pub(crate) fn model(tokens: Tokens, traits: Traits, memo: &'static Memo) -> Model {
    let tables = Tables::new(&tokens.splits);
    let longest = longest(&tokens, &tables.lengths);
    let is_ordered = is_ordered(&tokens.splits);
    Model {
        split: traits.split,
        form: traits.form,
        ids: traits.ids,
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

/// Converts a table to an array of known size; missing entries are zero.
fn array<T: Copy + Default, const N: usize>(table: Vec<T>) -> &'static [T; N] {
    let mut array = [T::default(); N];
    for (place, value) in array.iter_mut().zip(table) {
        *place = value;
    }
    Box::leak(Box::new(array))
}

/// Returns an upper bound of the length of the longest token. Lengths that do not fit their table
/// are the sums of the halves.
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

/// Returns whether both halves of every token have lower ids.
fn is_ordered(splits: &[[u8; SPLIT_BYTES]]) -> bool {
    let mut splits = (0u32..).zip(splits);
    splits.all(|(id, &entry)| match crate::layout::read_split(entry) {
        (_, crate::layout::NO_ID) => true,
        (left, right) => left < id && right < id,
    })
}
