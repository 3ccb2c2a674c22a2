//! Counting runs of one byte without encoding all of them.

use super::long;
use super::merges::Merges;

/// Bytes that are encoded in any case: several times the longest token.
const BASE: usize = 512;

/// The number of tokens of `piece` if it is a long run of one byte.
///
/// If the encoding of a shorter run begins with the same token twice, putting
/// that token once more before it gives the encoding of the longer run: every
/// two neighbours stood side by side before.
pub(crate) fn count(merges: &Merges, piece: &[u8]) -> Option<usize> {
    if piece.len() < 2 * BASE || piece[1..] != piece[..piece.len() - 1] {
        return None;
    }
    let step = repeated(merges, &piece[..BASE])?.1;
    let base = BASE + (piece.len() - BASE) % step;
    let (count, first) = repeated(merges, &piece[..base])?;
    (first == step).then_some(count + (piece.len() - base) / step)
}

/// The number of tokens of a run, and the length of the token that it begins
/// with twice.
fn repeated(merges: &Merges, run: &[u8]) -> Option<(usize, usize)> {
    let mut ids = Vec::new();
    long::encode(merges, run, |tokens| ids.extend_from_slice(tokens));
    let first = *ids.first()?;
    (ids.get(1) == Some(&first)).then(|| (ids.len(), merges.length(first)))
}
