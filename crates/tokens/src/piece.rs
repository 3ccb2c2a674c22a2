//! The tokens of one piece: from the memo if it is there, by merging if not.

use crate::bpe;
use crate::memo::{LONG_MOST, LongKey, MIDDLE_MOST, Memo, MiddleKey, SHORT_MOST, ShortKey};
use crate::model::Model;

/// The number of tokens of `piece`, which is not empty.
#[inline]
pub(crate) fn count(model: &Model, piece: &[u8]) -> usize {
    if let Some(count) = known(model.memo, piece) {
        return count;
    }
    let count = match model.wholes.find(piece) {
        Some(_) => 1,
        None => bpe::count(&model.merges, piece),
    };
    keep(model.memo, piece, count);
    count
}

/// The number of tokens of `piece`, if it is remembered.
#[inline]
pub(crate) fn known(memo: &Memo, piece: &[u8]) -> Option<usize> {
    let reach = memo.reach();
    if piece.len() <= SHORT_MOST {
        let found = memo.short.find(ShortKey::of(piece), reach);
        found.is_hit().then(|| found.count())
    } else if piece.len() <= MIDDLE_MOST {
        memo.middle.find(MiddleKey::of(piece), reach)
    } else {
        memo.find_long(LongKey::of(piece, LONG_MOST)?, reach)
    }
}

/// Remembers the number of tokens of `piece`, if it can be.
pub(crate) fn keep(memo: &Memo, piece: &[u8], count: usize) {
    let reach = memo.reach();
    if piece.len() <= SHORT_MOST {
        memo.short.keep(ShortKey::of(piece), count, reach);
    } else if piece.len() <= MIDDLE_MOST {
        memo.middle.keep(MiddleKey::of(piece), count, reach);
    } else if let Some(key) = LongKey::of(piece, LONG_MOST) {
        memo.keep_long(key, count, reach);
    }
}
