//! Byte-pair encoding of one piece. Where pieces begin and end is decided by
//! `split`; what is remembered of them by `memo`.

mod long;
mod merges;
mod queue;
mod run;
mod short;

pub(crate) use merges::Merges;

use short::Parts;

/// The number of tokens of `piece`.
pub(crate) fn count(merges: &Merges, piece: &[u8]) -> usize {
    if piece.len() <= short::MOST {
        Parts::of(merges, piece).ids().len()
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
        out.extend_from_slice(Parts::of(merges, piece).ids());
    } else {
        long::encode(merges, piece, |ids| out.extend_from_slice(ids));
    }
}
