//! Byte-pair encoding of one piece. Where pieces begin and end is decided by
//! `split`; what is remembered of them by `memo`.

pub(crate) mod lanes;
mod long;
mod medium;
mod merges;
mod queue;
mod run;
mod short;

pub(crate) use merges::{Merges, NEVER};

/// The longest piece that is short.
pub(crate) const SHORT_MOST: usize = short::MOST;

/// The number of tokens of `piece`.
pub(crate) fn count(merges: &Merges, piece: &[u8]) -> usize {
    if piece.len() <= short::MOST {
        short::encode(merges, piece).count()
    } else if !merges.ordered {
        queue::encode(merges, piece).len()
    } else if let Some(count) = run::count(merges, piece) {
        count
    } else {
        let mut count = 0;
        long::encode(merges, piece, |ids| count += ids.len());
        count
    }
}

/// Appends the tokens of `piece` to `out`.
pub(crate) fn encode(merges: &Merges, piece: &[u8], out: &mut Vec<u32>) {
    if piece.len() <= short::MOST {
        out.extend(short::encode(merges, piece).ids());
    } else if !merges.ordered {
        out.extend(queue::encode(merges, piece));
    } else {
        long::encode(merges, piece, |ids| out.extend_from_slice(ids));
    }
}

/// Puts the tokens of a window of any length into `out`.
fn encode_window(merges: &Merges, window: &[u8], out: &mut Vec<u32>) {
    out.clear();
    if window.len() <= short::MOST {
        out.extend(short::encode(merges, window).ids());
    } else if window.len() <= medium::MOST {
        out.extend_from_slice(medium::Parts::of(merges, window).ids());
    } else {
        out.extend(queue::encode(merges, window));
    }
}
