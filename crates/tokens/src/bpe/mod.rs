//! Byte-pair encoding of one piece. `split` decides the boundaries of pieces; `memo` caches their
//! counts.

pub(crate) mod lanes;
mod long;
mod merges;
mod queue;
mod repeat;
mod rounds;
mod row;
mod short;
#[cfg(test)]
mod tests;

pub(crate) use merges::{Merges, NEVER, Table};

/// Maximum length of a short piece.
pub(crate) const SHORT_MOST: usize = short::MOST;

/// Counts the tokens of `piece`.
pub(crate) fn count(merges: &Merges, piece: &[u8]) -> usize {
    if piece.len() <= short::MOST {
        short::encode(merges, piece).count()
    } else if !merges.ordered {
        queue::encode(merges, piece).len()
    } else {
        let mut count = 0;
        long::encode(merges, piece, |row, cut, times| {
            count += times * row.count(cut);
        });
        count
    }
}

/// Appends the tokens of `piece` to `out`.
pub(crate) fn encode(merges: &Merges, piece: &[u8], out: &mut Vec<u32>) {
    if piece.len() <= short::MOST {
        out.extend(short::encode(merges, piece).ids());
    } else if !merges.ordered {
        out.extend(queue::encode(merges, piece).iter().map(|run| run.id));
    } else {
        long::encode(merges, piece, |row, cut, times| {
            (0..times).for_each(|_| row.append(cut, out));
        });
    }
}
