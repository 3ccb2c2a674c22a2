//! Counting of many short pieces side by side. Each step of merging waits for memory, and needs the
//! step before it. So several pieces take turns, and the memory that one requests arrives while the
//! others work.

use super::Merges;
use super::short::{Parts, Seam};

/// Number of pieces that take turns: enough to hide the latency of the third-level cache.
const LANES: usize = 8;

struct Lane<'a, const N: usize> {
    piece: &'a [u8],
    parts: Parts<N>,
    /// Lookup that the last turn requested.
    seam: Option<Seam>,
}

/// Calls `done` with each of `pieces` and its count, in any order. No piece may be longer than `N`
/// bytes.
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
    /// Merges once; returns false if nothing is left to merge.
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
