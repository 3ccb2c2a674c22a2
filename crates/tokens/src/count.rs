//! Counting a text: pieces are split off in batches, and each batch is looked up
//! as a whole, so that the splitter and the tables do not wait for each other.

use std::cell::RefCell;

use crate::batch::Batch;
use crate::model::{Model, Split};
use crate::piece;
use crate::split::{Cl100k, Gpt2, O200k, Pattern};

thread_local! {
    static BATCH: RefCell<Option<Box<Batch>>> = const { RefCell::new(None) };
}

/// Texts of fewer bytes are counted piece by piece.
const SMALL: usize = 96;

/// The number of tokens of `text`, which is UTF-8, or nothing if it is more than
/// `limit`.
pub(crate) fn count(model: &Model, text: &[u8], limit: usize) -> Option<usize> {
    match model.split {
        Split::O200k => count_with::<O200k>(model, text, limit),
        Split::Cl100k => count_with::<Cl100k>(model, text, limit),
        Split::Gpt2 => count_with::<Gpt2>(model, text, limit),
    }
}

fn count_with<P: Pattern>(model: &Model, text: &[u8], limit: usize) -> Option<usize> {
    if text.len() < SMALL {
        return one_by_one::<P>(model, text, limit);
    }
    // A thread that is being torn down has no batch any more.
    BATCH
        .try_with(|batch| {
            let mut batch = batch.try_borrow_mut().ok()?;
            Some(in_batches::<P>(
                batch.get_or_insert_default(),
                model,
                text,
                limit,
            ))
        })
        .ok()
        .flatten()
        .unwrap_or_else(|| one_by_one::<P>(model, text, limit))
}

fn one_by_one<P: Pattern>(model: &Model, text: &[u8], limit: usize) -> Option<usize> {
    let (mut at, mut count) = (0, 0);
    while at < text.len() {
        let end = P::next(text, at);
        count += piece::count(model, &text[at..end]);
        at = end;
        if count > limit {
            return None;
        }
    }
    Some(count)
}

fn in_batches<P: Pattern>(
    batch: &mut Batch,
    model: &Model,
    text: &[u8],
    limit: usize,
) -> Option<usize> {
    let (mut at, mut count) = (0, 0);
    while at < text.len() {
        // Every piece is at least one token.
        let most = (limit - count).saturating_add(1);
        let end = batch.fill::<P>(text, at, most);
        count += batch.count(model, &text[at..], end - at);
        at = end;
        if count > limit {
            return None;
        }
    }
    Some(count)
}
