//! Counting text that repeats one character without encoding all of it.

use std::iter;

use super::long;
use super::merges::Merges;

/// Bytes that are encoded in any case: several times the longest token.
const BASE: usize = 512;
/// The longest period that is looked for: the bytes of one character.
const PERIOD: usize = 4;

/// The number of tokens of `piece` if it is long and repeats one character.
///
/// If the encoding of a shorter text begins with the same tokens twice, putting
/// them once more before it gives the encoding of the longer text: every two
/// neighbours stood side by side before.
pub(crate) fn count(merges: &Merges, piece: &[u8]) -> Option<usize> {
    if piece.len() < 2 * BASE {
        return None;
    }
    let repeats = |period: &usize| piece[*period..] == piece[..piece.len() - period];
    let period = (1..=PERIOD).find(repeats)?;
    let step = Start::of(merges, &piece[..BASE], period)?;
    let base = BASE + (piece.len() - BASE) % step.length;
    // The text repeats, so its end is the end of the longer text as well.
    let start = Start::of(merges, &piece[piece.len() - base..], period)?;
    let same = (start.tokens, start.length) == (step.tokens, step.length);
    same.then(|| start.all + (piece.len() - base) / step.length * step.tokens)
}

/// The tokens that an encoding begins with twice.
struct Start {
    tokens: usize,
    /// Their length in bytes, a multiple of the period.
    length: usize,
    /// All tokens of the encoding.
    all: usize,
}

impl Start {
    fn of(merges: &Merges, text: &[u8], period: usize) -> Option<Self> {
        let mut ids = Vec::new();
        long::encode(merges, text, |run| {
            ids.extend(iter::repeat_n(run.id, run.count));
        });
        let twice = |tokens: &usize| ids[..*tokens] == ids[*tokens..2 * tokens];
        let length =
            |tokens: usize| -> usize { ids[..tokens].iter().map(|&id| merges.length(id)).sum() };
        let tokens = (1..=ids.len() / 2)
            .filter(twice)
            .find(|&tokens| length(tokens) % period == 0)?;
        Some(Self {
            tokens,
            length: length(tokens),
            all: ids.len(),
        })
    }
}
