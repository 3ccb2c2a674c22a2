//! Encoding of long pieces in time that grows with their length alone.
//!
//! A row of tokens is the encoding of its bytes if and only if every two
//! neighbours are the encoding of theirs. So a piece can be encoded window by
//! window: a window begins at a token of the window before it, and if its own
//! first token is that very token, the two rows join there and every two
//! neighbours of the joined row stand side by side in one of the windows. Where
//! the token differs, one of the windows was too short to tell and is widened.

use std::mem;

use super::merges::Merges;
use super::rounds::Rounds;
use super::row::{Cut, Row};
use super::{queue, repeat, short};

/// The width of a window at first.
const NARROW: usize = short::MOST;
/// The width of one that was too narrow: many times the longest token.
const WIDE: usize = 1 << 12;
/// How much wider a window becomes that was still too narrow.
const WIDER: usize = 4;

/// The longest repeated tokens that are looked for, in bytes: those of long tokens
/// of short characters, and of lines.
const MOST_REPEATED: usize = WIDE / 4;

/// Encodes `piece` and hands rows of tokens to `emit`, in order, each up to the
/// place behind which the next one begins, and how many times it is repeated.
#[inline]
pub(crate) fn encode(merges: &Merges, piece: &[u8], mut emit: impl FnMut(&Row, Cut, usize)) {
    let mut windows = Windows {
        merges,
        piece,
        rounds: Rounds::new(merges),
    };
    let (mut start, mut width) = (0, NARROW);
    let (mut row, mut behind) = (Row::EMPTY, Row::EMPTY);
    windows.encode(start, width, &mut row);
    while start + width < piece.len() {
        if let Some((block, times)) = windows.repeated(start, width, &row) {
            emit(&row, block, times);
            start += block.length * times;
            continue;
        }
        let joined = tries(width).iter().find_map(|&(spared, next)| {
            let cut = row.cut(merges, width - spared);
            windows.encode(start + cut.length, next, &mut behind);
            (cut.length > 0 && cut.behind == behind.first()).then_some((cut, next))
        });
        if let Some((cut, found)) = joined {
            emit(&row, cut, 1);
            mem::swap(&mut row, &mut behind);
            (start, width) = (start + cut.length, found);
        } else {
            width = WIDE.max(width * WIDER);
            windows.encode(start, width, &mut row);
        }
    }
    emit(&row, row.end(piece.len() - start), 1);
}

/// The ways to go on behind a window of that width: how many bytes at its end are
/// not trusted, because the text behind the window may change their tokens, and
/// the width of the next window.
fn tries(width: usize) -> &'static [(usize, usize)] {
    if width > NARROW {
        &[(WIDE / 8, NARROW), (WIDE / 8, WIDE)]
    } else {
        &[
            (NARROW / 5, NARROW),
            (NARROW / 2, NARROW),
            (NARROW / 4, WIDE),
        ]
    }
}

struct Windows<'a> {
    merges: &'a Merges,
    piece: &'a [u8],
    rounds: Rounds<'a>,
}

impl Windows<'_> {
    /// The tokens that the row of a window begins with twice, if they can be put
    /// before it at least once: the text goes on repeating itself. Every two
    /// neighbours stand side by side in the row then, and the window behind the
    /// repeated tokens is the same as this one.
    #[inline]
    fn repeated(&self, start: usize, width: usize, row: &Row) -> Option<(Cut, usize)> {
        let period = repeat::period(&self.piece[start..start + width])?;
        let most = (width / 2).min(MOST_REPEATED);
        let blocks = (period..=most).step_by(period);
        let once = blocks.into_iter().find_map(|length| {
            let [once, twice] = [length, 2 * length].map(|most| row.cut(self.merges, most));
            let ends = once.length == length && twice.length == 2 * length;
            (ends && row.begins_twice(once, twice)).then_some(once)
        })?;
        let times = repeat::spare(&self.piece[start..], once.length, width);
        (times > 0).then_some((once, times))
    }

    /// Puts the tokens of a window into `row`.
    #[inline]
    fn encode(&mut self, start: usize, width: usize, row: &mut Row) {
        let window = &self.piece[start..self.piece.len().min(start + width)];
        if window.len() <= short::MOST {
            *row = Row::Parts(short::encode(self.merges, window));
            return;
        }
        let runs = self.rounds.encode(window);
        *row = Row::Runs(runs.unwrap_or_else(|| queue::encode(self.merges, window)));
    }
}
