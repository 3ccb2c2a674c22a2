//! Encoding of long pieces in time that grows with their length alone.
//!
//! A row of tokens is the encoding of its bytes if and only if every two
//! neighbours are the encoding of theirs. So a piece can be encoded window by
//! window: a window begins at a token of the window before it, and if its own
//! first token is that very token, the two rows join there and every two
//! neighbours of the joined row stand side by side in one of the windows. Where
//! the token differs, one of the windows was too short to tell and is widened.

use super::merges::Merges;
use super::rounds::Rounds;
use super::row::{Row, Run};
use super::{queue, short};

/// The width of a window at first.
const NARROW: usize = short::MOST;
/// The width of one that was too narrow: many times the longest token.
const WIDE: usize = 1 << 12;
/// How much wider a window becomes that was still too narrow.
const WIDER: usize = 4;

/// Encodes `piece` and hands its tokens to `emit`, in order.
pub(crate) fn encode(merges: &Merges, piece: &[u8], mut emit: impl FnMut(Run)) {
    let mut windows = Windows {
        merges,
        piece,
        rounds: Rounds::new(merges),
    };
    let (mut start, mut width) = (0, NARROW);
    let mut row = windows.encode(start, width);
    while start + width < piece.len() {
        let cut = row.cut(merges, trusted(width));
        let joined = [NARROW, WIDE].into_iter().find_map(|width| {
            let behind = windows.encode(start + cut.length, width);
            (cut.length > 0 && cut.behind == behind.first()).then_some((width, behind))
        });
        if let Some((found, behind)) = joined {
            row.before(cut, &mut emit);
            (start, width, row) = (start + cut.length, found, behind);
        } else {
            width = WIDE.max(width * WIDER);
            row = windows.encode(start, width);
        }
    }
    row.all(&mut emit);
}

/// How many bytes of a window can be kept. The text behind the window may change
/// the tokens at its end.
fn trusted(width: usize) -> usize {
    width - (width / 4).min(WIDE / 8)
}

struct Windows<'a> {
    merges: &'a Merges,
    piece: &'a [u8],
    rounds: Rounds<'a>,
}

impl Windows<'_> {
    /// The tokens of a window.
    #[inline]
    fn encode(&mut self, start: usize, width: usize) -> Row {
        let window = &self.piece[start..self.piece.len().min(start + width)];
        if window.len() <= short::MOST {
            return Row::Parts(short::encode(self.merges, window));
        }
        let runs = self.rounds.encode(window);
        Row::Runs(runs.unwrap_or_else(|| queue::encode(self.merges, window)))
    }
}
