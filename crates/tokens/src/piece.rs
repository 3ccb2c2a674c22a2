//! The tokens of one piece: from the memo if it is there, by merging if not.

use crate::bpe;
use crate::memo::{LongKey, MIDDLE_MOST, MiddleKey, SHORT_MOST, ShortKey};
use crate::model::Model;

/// The number of tokens of `piece`, which is not empty.
#[inline]
pub(crate) fn count(model: &Model, piece: &[u8]) -> usize {
    if piece.len() <= SHORT_MOST {
        short(model, piece)
    } else if piece.len() <= MIDDLE_MOST {
        middle(model, piece)
    } else {
        long(model, piece)
    }
}

fn short(model: &Model, piece: &[u8]) -> usize {
    let key = ShortKey::of(piece);
    let found = model.memo.short.find(key);
    if found.is_hit() {
        return found.count();
    }
    let count = bpe::count(&model.merges, piece);
    model.memo.short.keep(key, count);
    count
}

fn middle(model: &Model, piece: &[u8]) -> usize {
    let key = MiddleKey::of(piece);
    if let Some(count) = model.memo.middle.find(key) {
        return count;
    }
    let count = bpe::count(&model.merges, piece);
    model.memo.middle.keep(key, count);
    count
}

fn long(model: &Model, piece: &[u8]) -> usize {
    let Some(key) = LongKey::of(piece) else {
        return bpe::count(&model.merges, piece);
    };
    if let Some(count) = model.memo.long.find(&key) {
        return count;
    }
    let count = bpe::count(&model.merges, piece);
    model.memo.long.keep(&key, count);
    count
}
