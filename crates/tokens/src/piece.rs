//! The tokens of one piece: from the memo if it is there, by merging if not.

use crate::bpe;
use crate::memo::{LONG_MOST, LongKey, MIDDLE_MOST, MiddleKey, SHORT_MOST, ShortKey};
use crate::model::Model;

/// The number of tokens of `piece`, which is not empty.
#[inline]
pub(crate) fn count(model: &Model, piece: &[u8]) -> usize {
    if let Some(count) = known(model, piece) {
        return count;
    }
    let count = bpe::count(&model.merges, piece);
    keep(model, piece, count);
    count
}

/// The number of tokens of `piece`, if it is remembered.
#[inline]
pub(crate) fn known(model: &Model, piece: &[u8]) -> Option<usize> {
    let reach = model.memo.reach();
    if piece.len() <= SHORT_MOST {
        let found = model.memo.short.find(ShortKey::of(piece), reach);
        found.is_hit().then(|| found.count())
    } else if piece.len() <= MIDDLE_MOST {
        model.memo.middle.find(MiddleKey::of(piece), reach)
    } else {
        model.memo.find_long(LongKey::of(piece, LONG_MOST)?, reach)
    }
}

/// Remembers the number of tokens of `piece`, if it can be.
pub(crate) fn keep(model: &Model, piece: &[u8], count: usize) {
    let reach = model.memo.reach();
    if piece.len() <= SHORT_MOST {
        model.memo.short.keep(ShortKey::of(piece), count, reach);
    } else if piece.len() <= MIDDLE_MOST {
        model.memo.middle.keep(MiddleKey::of(piece), count, reach);
    } else if let Some(key) = LongKey::of(piece, LONG_MOST) {
        model.memo.keep_long(key, count, reach);
    }
}
