//! Encoding of long pieces in time linear in their length.
//!
//! A row of tokens is the encoding of its bytes if and only if every two neighbours are the
//! encoding of their bytes. So a piece can be encoded window by window: a window begins at a token
//! of the window before it. If the window's own first token is the same token, the two rows join
//! there, and every two neighbours of the joined row are neighbours in one of the windows. If the
//! token differs, one of the windows was too short and is widened.

use std::mem;

use super::merges::Merges;
use super::rounds::Rounds;
use super::row::{Cut, Row};
use super::{queue, repeat, short};

/// Initial width of a window.
const NARROW: usize = short::MOST;
/// Width of a window after a narrow one failed: many times the longest token.
const WIDE: usize = 1 << 12;
/// Growth factor of a window that is still too narrow.
const WIDER: usize = 4;

/// Distance in bytes after which the text of narrow windows is checked for repetition as a whole.
/// Checks are more frequent near the start.
const PROBES: usize = 1 << 16;
/// Maximum length in bytes of repeated tokens that are searched: enough for long tokens of short
/// characters, and for lines.
const MOST_REPEATED: usize = WIDE / 4;

/// Encodes `piece` and passes rows of tokens to `emit`, in order, each up to the start of the next
/// one, with the number of its repetitions.
#[inline]
pub(crate) fn encode(merges: &Merges, piece: &[u8], mut emit: impl FnMut(&Row, Cut, usize)) {
    let mut windows = Windows {
        merges,
        piece,
        rounds: Rounds::new(merges),
    };
    let (mut start, mut width, mut probe) = (0, NARROW, WIDE / 4);
    let (mut row, mut behind) = (Row::EMPTY, Row::EMPTY);
    windows.encode(start, width, &mut row);
    while start + width < piece.len() {
        if width == NARROW && start >= probe {
            probe = start + start.clamp(WIDE, PROBES);
            if windows.widen_repeated(start, &mut row) {
                width = WIDE;
            }
        }
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

/// Returns the attempts to continue after a window of that width. Each has the number of trailing
/// bytes that are not trusted, because the text after the window may change their tokens, and the
/// width of the next window.
fn tries(width: usize) -> &'static [(usize, usize)] {
    if width > NARROW {
        &[(WIDE / 8, NARROW), (WIDE / 8, WIDE)]
    } else {
        &[
            (NARROW / 8, NARROW),
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
    /// Replaces the row of a narrow window by that of a wide one if the text of the wide window
    /// repeats itself; then [`repeated`](Self::repeated) may skip it.
    #[cold]
    fn widen_repeated(&mut self, start: usize, row: &mut Row) -> bool {
        let Some(wide) = self.piece[start..].first_chunk::<{ WIDE + 1 }>() else {
            return false;
        };
        if repeat::period(wide).is_none() {
            return false;
        }
        let mut found = Row::EMPTY;
        self.encode(start, WIDE, &mut found);
        let joins = found.first() == row.first();
        if joins {
            *row = found;
        }
        joins
    }

    /// Returns the tokens that the row of a window begins with twice, and how often they can be put
    /// before it, if at least once: the text continues to repeat itself. Every two neighbours are
    /// neighbours in the row, too, and the window after the repeated tokens is equal to this one.
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

    /// Encodes a window into `row`.
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
