//! Counting a text: pieces are split off in batches, and each batch is looked up
//! as a whole, so that the splitter and the tables do not wait for each other.

use std::cell::RefCell;

use crate::batch::Batch;
use crate::model::{Model, Split};
use crate::piece;
#[cfg(target_arch = "x86_64")]
use crate::split::avx2;
use crate::split::window::{Classify, Scalar};
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
            let batch = batch.get_or_insert_default();
            Some(fastest::<P>(batch, model, text, limit))
        })
        .ok()
        .flatten()
        .unwrap_or_else(|| one_by_one::<P>(model, text, limit))
}

/// Counts in batches with the best instructions that this processor has.
#[cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "instructions that must be known to exist")
)]
fn fastest<P: Pattern>(
    batch: &mut Batch,
    model: &Model,
    text: &[u8],
    limit: usize,
) -> Option<usize> {
    #[cfg(target_arch = "x86_64")]
    if avx2::is_available() {
        // SAFETY: the processor has all the features that the function enables.
        return unsafe { with_avx2::<P>(batch, model, text, limit) };
    }
    #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
    return in_batches::<P, crate::split::neon::Neon>(batch, model, text, limit);
    #[cfg(not(all(target_arch = "aarch64", target_feature = "neon")))]
    in_batches::<P, Scalar>(batch, model, text, limit)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn with_avx2<P: Pattern>(
    batch: &mut Batch,
    model: &Model,
    text: &[u8],
    limit: usize,
) -> Option<usize> {
    in_batches::<P, avx2::Avx2>(batch, model, text, limit)
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

#[inline(always)]
fn in_batches<P: Pattern, C: Classify>(
    batch: &mut Batch,
    model: &Model,
    text: &[u8],
    limit: usize,
) -> Option<usize> {
    let (mut at, mut count) = (0, 0);
    while at < text.len() {
        // Every piece is at least one token.
        let most = (limit - count).saturating_add(1);
        let end = batch.fill::<P, C>(text, at, most);
        count += batch.count(model, &text[at..], end - at);
        at = end;
        if count > limit {
            return None;
        }
    }
    Some(count)
}
