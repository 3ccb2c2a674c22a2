//! Joins neighbouring pieces while they fit. The weakest seams are closed first, and
//! among equal ones an order that what follows the seam gives, best by its name: it does
//! not depend on the rest of the text, so that an edit somewhere else changes nothing here.

use std::ops::Range;

use super::line_starts::Strength;

/// So many bytes behind a seam give its place in the order, where nothing has a name.
const BEHIND: usize = 48;

/// So many on each side do among those that are alike so far: in the order of the text
/// they would be filled up from its start, and an edit would move all ends behind it.
const AROUND: usize = 128;

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
    order: Order,
}

/// The place of a seam among those of equal strength.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Order(u64, u64);

impl Order {
    /// That of the seam at a place, before something of that name.
    pub(super) fn named(name: &str, text: &str, at: usize) -> Self {
        let around = &text.as_bytes()[at.saturating_sub(AROUND)..];
        let around = &around[..around.len().min(2 * AROUND)];
        Self(hash(name.as_bytes()), hash(around))
    }

    /// That of the seam at a place, by the first words behind it.
    pub(super) fn behind(text: &str, at: usize) -> Self {
        let end = text.floor_char_boundary(at.saturating_add(BEHIND));
        Self::named(text.get(at..end).unwrap_or_default(), text, at)
    }
}

/// A number that bytes give (FNV-1a).
fn hash(bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325, step);
    // The last bytes hardly reach the upper half.
    (hash ^ (hash >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

impl Pieced {
    /// Adds pieces that go on where the last ones ended. `seam` is the one before them;
    /// without one it stays open.
    pub(super) fn push(
        &mut self,
        seam: Option<(Strength, Order)>,
        pieces: impl IntoIterator<Item = Range<usize>>,
    ) {
        let behind = self.pieces.len();
        if let Some((strength, order)) = seam.filter(|_| behind > 0) {
            self.seams.push(Seam {
                behind,
                strength,
                order,
            });
        }
        self.pieces.extend(pieces);
    }

    /// The pieces, joined where the sum fits.
    pub(super) fn joined(self, fits: impl Fn(Range<usize>) -> bool) -> Vec<Range<usize>> {
        let Self { pieces, mut seams } = self;
        seams.sort_by_key(|seam| (seam.strength, seam.order, seam.behind));
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

#[cfg(test)]
mod tests {
    use super::*;

    fn check(strengths: &[Option<Strength>], most: usize, expected: &[Range<usize>]) {
        let mut pieced = Pieced::default();
        for (at, strength) in strengths.iter().enumerate() {
            let seam = strength.map(|strength| (strength, Order::default()));
            pieced.push(seam, std::iter::once(at..at + 1));
        }
        assert_eq!(pieced.joined(|range| range.len() <= most), expected);
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
