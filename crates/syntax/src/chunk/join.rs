//! Joins neighbouring pieces while they fit. The weakest seams are closed first, and
//! among equal ones an order that the words on both sides of the seam give: it does not
//! depend on the rest of the text, so that an edit somewhere else changes nothing here.

use std::ops::Range;

use super::line_starts::Strength;

/// So many bytes on each side of a seam give its place in the order.
const AROUND: usize = 48;

/// Pieces in the order of the text, and the seams that may be closed.
#[derive(Debug, Default)]
pub(super) struct Pieced {
    pieces: Vec<Range<usize>>,
    seams: Vec<Seam>,
}

#[derive(Debug)]
struct Seam {
    /// The piece behind it.
    behind: usize,
    strength: Strength,
}

impl Pieced {
    /// Adds pieces that go on where the last ones ended. `strength` is that of the seam
    /// before them; without one it stays open.
    pub(super) fn push(
        &mut self,
        strength: Option<Strength>,
        pieces: impl IntoIterator<Item = Range<usize>>,
    ) {
        let behind = self.pieces.len();
        if let Some(strength) = strength.filter(|_| behind > 0) {
            self.seams.push(Seam { behind, strength });
        }
        self.pieces.extend(pieces);
    }

    /// The pieces, joined where the sum fits.
    pub(super) fn joined(
        self,
        text: &str,
        fits: impl Fn(Range<usize>) -> bool,
    ) -> Vec<Range<usize>> {
        let Self { pieces, mut seams } = self;
        seams.sort_by_cached_key(|seam| {
            let at = pieces[seam.behind].start;
            (seam.strength, order(text.as_bytes(), at), at)
        });
        // The first and the last piece of what a piece at its end, or its start, was
        // joined to.
        let mut first: Vec<usize> = (0..pieces.len()).collect();
        let mut last = first.clone();
        for seam in seams {
            let (from, to) = (first[seam.behind - 1], last[seam.behind]);
            if fits(pieces[from].start..pieces[to].end) {
                (last[from], first[to]) = (to, from);
            }
        }
        let mut joined = Vec::new();
        let mut at = 0;
        while at < pieces.len() {
            joined.push(pieces[at].start..pieces[last[at]].end);
            at = last[at] + 1;
        }
        joined
    }
}

/// A number that the bytes around a place give (FNV-1a).
fn order(text: &[u8], at: usize) -> u64 {
    let around = &text[at.saturating_sub(AROUND)..text.len().min(at + AROUND)];
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = around.iter().fold(0xcbf2_9ce4_8422_2325, step);
    // The last bytes hardly reach the upper half.
    (hash ^ (hash >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(strengths: &[Option<Strength>], most: usize, expected: &[Range<usize>]) {
        let mut pieced = Pieced::default();
        for (at, strength) in strengths.iter().enumerate() {
            pieced.push(*strength, std::iter::once(at..at + 1));
        }
        let text = &"abcdefgh"[..strengths.len()];
        assert_eq!(pieced.joined(text, |range| range.len() <= most), expected);
    }

    #[test]
    fn weak_seams_go_first() {
        check(
            &[Some(0), Some(2), Some(1), Some(2)],
            2,
            &[0..1, 1..3, 3..4],
        );
        check(&[Some(0), Some(1), Some(2), Some(1)], 2, &[0..2, 2..4]);
        check(&[Some(0); 4], 4, std::slice::from_ref(&(0..4)));
        check(&[None; 3], 4, &[0..1, 1..2, 2..3]);
        check(&[], 4, &[]);
    }
}
