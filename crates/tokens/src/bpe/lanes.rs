//! Counting many short pieces side by side. Merging waits for memory at every
//! step: each needs the one before it. So several pieces take turns, and what one
//! asks for arrives while the others work.

use super::Merges;
use super::short::{Parts, Seam};

/// Pieces that take turns: enough to cover the way to the third-level cache.
const LANES: usize = 8;

struct Lane<'a, const N: usize> {
    piece: &'a [u8],
    parts: Parts<N>,
    /// What the last turn asked for.
    seam: Option<Seam>,
}

/// Calls `done` with each of `pieces` and its count, in any order. None is longer
/// than `N` bytes.
#[inline(always)]
pub(crate) fn count<'a, const N: usize>(
    merges: &Merges,
    mut pieces: impl Iterator<Item = &'a [u8]>,
    mut done: impl FnMut(&[u8], usize),
) {
    let mut lanes: [Option<Lane<'a, N>>; LANES] = [const { None }; LANES];
    let mut busy = true;
    while busy {
        busy = false;
        for lane in &mut lanes {
            if let Some(lane) = lane {
                if lane.turn(merges) {
                    busy = true;
                    continue;
                }
                done(lane.piece, lane.parts.count());
            }
            *lane = pieces.next().map(|piece| Lane::<N> {
                piece,
                parts: Parts::split(merges, piece),
                seam: None,
            });
            busy |= lane.is_some();
        }
    }
}

impl<const N: usize> Lane<'_, N> {
    /// Merges once; false if nothing is left to merge.
    #[inline(always)]
    fn turn(&mut self, merges: &Merges) -> bool {
        if let Some(seam) = self.seam {
            self.parts.close(merges, seam);
        }
        self.seam = self.parts.merge(merges);
        if let Some(seam) = self.seam {
            seam.prefetch(merges);
        }
        self.seam.is_some()
    }
}
