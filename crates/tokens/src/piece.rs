//! The tokens of one piece: from the memo if it has them, otherwise by merging.

use crate::bpe;
use crate::memo::{LONG_MOST, LongKey, MIDDLE_MOST, Memo, MiddleKey, SHORT_MOST, ShortKey};
use crate::model::Model;

/// Counts the tokens of `piece`, which is not empty.
#[inline]
pub(crate) fn count(model: &Model, piece: &[u8]) -> usize {
    if let Some(count) = find(model.memo, piece) {
        return count;
    }
    let count = match model.wholes.find(piece) {
        Some(_) => 1,
        None => bpe::count(&model.merges, piece),
    };
    keep(model.memo, piece, count);
    count
}

/// Returns the number of tokens of `piece`, if it is in the memo.
#[inline]
pub(crate) fn find(memo: &Memo, piece: &[u8]) -> Option<usize> {
    let reach = memo.reach();
    if piece.len() <= SHORT_MOST {
        let found = memo.short.find(ShortKey::from_piece(piece), reach);
        found.is_hit().then(|| found.count())
    } else if piece.len() <= MIDDLE_MOST {
        memo.middle.find(MiddleKey::from_piece(piece), reach)
    } else {
        memo.find_long(LongKey::from_piece(piece, LONG_MOST)?, reach)
    }
}

/// Stores the number of tokens of `piece`, if the memo can.
pub(crate) fn keep(memo: &Memo, piece: &[u8], count: usize) {
    let reach = memo.reach();
    if piece.len() <= SHORT_MOST {
        memo.short.keep(ShortKey::from_piece(piece), count, reach);
    } else if piece.len() <= MIDDLE_MOST {
        memo.middle.keep(MiddleKey::from_piece(piece), count, reach);
    } else if let Some(key) = LongKey::from_piece(piece, LONG_MOST) {
        memo.keep_long(key, count, reach);
    }
}
