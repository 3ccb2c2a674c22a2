//! Joins neighbouring pieces while they fit. The weakest seams are closed first. Among equal ones,
//! an order decides that depends on the text after the seam, best on its name. It does not depend
//! on the rest of the text, so that an edit elsewhere does not move the seams here.

use std::ops::Range;

use crate::line_starts::Strength;

/// Number of bytes after a seam that decide its order if the next piece has no name.
const BEHIND: usize = 48;

/// Number of bytes on each side of a seam that decide between seams with an equal order. With text
/// order as the tie-breaker, chunks would be filled up from the start, and an edit would move all
/// later seams.
const AROUND: usize = 128;

/// Pieces in the order of the text, and the seams that may be closed.
#[derive(Debug, Default)]
pub(crate) struct Pieced {
    pieces: Vec<Range<usize>>,
    seams: Vec<Seam>,
}

#[derive(Clone, Copy, Debug)]
struct Seam {
    /// Index of the piece after the seam.
    behind: usize,
    strength: Strength,
    order: Order,
}

/// Rank of a seam among those of equal strength.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Order(u64, u64);

impl Order {
    /// Returns the order of the seam at `at`, before something with that name.
    pub(crate) fn named(name: &str, text: &str, at: usize) -> Self {
        let around = &text.as_bytes()[at.saturating_sub(AROUND)..];
        let around = &around[..around.len().min(2 * AROUND)];
        Self(hash(name.as_bytes()), hash_words(around))
    }

    /// Returns the order of the seam at `at`, by the first words after it.
    pub(crate) fn after(text: &str, at: usize) -> Self {
        let end = text.floor_char_boundary(at.saturating_add(BEHIND));
        Self::named(text.get(at..end).unwrap_or_default(), text, at)
    }
}

/// Hashes bytes (FNV-1a).
fn hash(bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325, step);
    // The last bytes hardly affect the upper half.
    (hash ^ (hash >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Hashes bytes eight at a time, because each seam needs a hash.
fn hash_words(bytes: &[u8]) -> u64 {
    let words = bytes.chunks_exact(8);
    let mut last = [0; 8];
    last[..words.remainder().len()].copy_from_slice(words.remainder());
    let step = |hash: u64, word: [u8; 8]| {
        let mixed = (hash ^ u64::from_le_bytes(word)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        mixed ^ (mixed >> 29)
    };
    let word = |word: &[u8]| word.try_into().unwrap_or_default();
    let hash = words.map(word).fold(bytes.len() as u64, step);
    step(hash, last)
}

impl Pieced {
    /// Number of pieces that are joined at a time. A piece with its seam and its tokens takes some
    /// 100 bytes, so these take 26 MB.
    pub(crate) const MOST: usize = 1 << 18;

    /// Returns the number of pieces.
    pub(crate) fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Takes the pieces before the seam in the second half that would be closed last. It depends on
    /// the text around it, so that most edits elsewhere do not move it.
    pub(crate) fn take_front(&mut self) -> Self {
        let half = self.pieces.len() / 2;
        let first = self.seams.partition_point(|seam| seam.behind < half);
        let last = self.seams.iter().enumerate().skip(first);
        let last = last.max_by_key(|(_, seam)| (seam.strength, seam.order, seam.behind));
        let Some((at, seam)) = last else {
            return std::mem::take(self);
        };
        let behind = seam.behind;
        let mut seams = self.seams.split_off(at);
        seams.remove(0);
        for seam in &mut seams {
            seam.behind -= behind;
        }
        let rest = Self {
            pieces: self.pieces.split_off(behind),
            seams,
        };
        std::mem::replace(self, rest)
    }

    /// Adds pieces that follow the last ones. `seam` is the seam before them; without one, they are
    /// never joined with the pieces before.
    pub(crate) fn push(
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

    /// Joins pieces while the result fits. `count` returns the tokens of a range, or `None` above
    /// the limit.
    ///
    /// Two ranges together hardly ever have more tokens than separately, so most joins need no
    /// count. A joined range is counted only if the sum of the known tokens exceeds the limit; the
    /// count then replaces the sum. Between two counts, a range can grow by the unused part of its
    /// limit, so it is counted few times. Every result is counted once more. A result that does not
    /// fit is joined again with a count for each seam.
    pub(crate) fn joined(
        self,
        limit: usize,
        count: impl Fn(Range<usize>) -> Option<usize>,
    ) -> Vec<Range<usize>> {
        let Self { pieces, mut seams } = self;
        seams.sort_by_key(|seam| (seam.strength, seam.order, seam.behind));
        let mut known = KnownTokens::new(limit, pieces.len());
        let joins = Joins::new(&pieces, seams.iter(), |left, right, part| {
            known.join(left, right, part, &count)
        });
        // True for a piece after the first one of a group that does not fit.
        let mut is_wrong = vec![false; pieces.len()];
        for (first, last) in joins.groups() {
            let part = pieces[first].start..pieces[last].end;
            let fits = first == last || known.is_counted[first] || count(part).is_some();
            is_wrong[first..=last].fill(!fits);
            is_wrong[first] = false;
        }
        let wrong = seams.iter().filter(|seam| is_wrong[seam.behind]);
        let exact = Joins::new(&pieces, wrong, |_, _, part| count(part).is_some());
        let groups = joins.groups().flat_map(|(first, last)| {
            let is_wrong = first < last && is_wrong[last];
            let whole = std::iter::once((first, last)).filter(move |_| !is_wrong);
            let parts = exact.groups_from(first, last).filter(move |_| is_wrong);
            whole.chain(parts)
        });
        let range = |(first, last): (usize, usize)| pieces[first].start..pieces[last].end;
        groups.map(range).collect()
    }
}

/// Joined pieces on one side of a seam.
struct Neighbour {
    /// Index of the first piece.
    first: usize,
    part: Range<usize>,
}

/// Known token counts of joined pieces, by the index of the first piece.
struct KnownTokens {
    limit: usize,
    /// Upper bound of the tokens.
    tokens: Vec<Option<usize>>,
    /// True if the whole range was counted.
    is_counted: Vec<bool>,
}

impl KnownTokens {
    fn new(limit: usize, pieces: usize) -> Self {
        Self {
            limit,
            tokens: vec![None; pieces],
            is_counted: vec![false; pieces],
        }
    }

    /// Returns whether two neighbours, which form `part` together, may be joined.
    fn join(
        &mut self,
        left: Neighbour,
        right: Neighbour,
        part: Range<usize>,
        count: impl Fn(Range<usize>) -> Option<usize>,
    ) -> bool {
        // A piece that does not fit by itself is never joined.
        let beyond = self.limit.saturating_add(1);
        let [left, right] = [left, right].map(|Neighbour { first, part }| {
            self.tokens[first] = self.tokens[first].or_else(|| count(part)).or(Some(beyond));
            first
        });
        let sum = self.tokens[left].zip(self.tokens[right]);
        let sum = sum.map(|(left, right)| left.saturating_add(right));
        let bound = sum.filter(|sum| *sum <= self.limit);
        let joined = bound.or_else(|| count(part));
        if joined.is_some() {
            self.tokens[left] = joined;
            self.is_counted[left] = bound.is_none();
        }
        joined.is_some()
    }
}

/// Groups of joined pieces: maps the first piece of each group to its last one.
struct Joins {
    last: Vec<usize>,
}

impl Joins {
    /// Visits the seams in their order.
    fn new<'s>(
        pieces: &[Range<usize>],
        seams: impl Iterator<Item = &'s Seam>,
        mut may_join: impl FnMut(Neighbour, Neighbour, Range<usize>) -> bool,
    ) -> Self {
        let mut first: Vec<usize> = (0..pieces.len()).collect();
        let mut last = first.clone();
        for seam in seams {
            let (from, to) = (first[seam.behind - 1], last[seam.behind]);
            let part = |from: usize, to: usize| pieces[from].start..pieces[to].end;
            let neighbour = |first, last| Neighbour {
                first,
                part: part(first, last),
            };
            let left = neighbour(from, seam.behind - 1);
            let right = neighbour(seam.behind, to);
            if may_join(left, right, part(from, to)) {
                (last[from], first[to]) = (to, from);
            }
        }
        Self { last }
    }

    /// Returns the first and the last piece of each group.
    fn groups(&self) -> impl Iterator<Item = (usize, usize)> {
        self.groups_from(0, self.last.len().wrapping_sub(1))
    }

    fn groups_from(&self, first: usize, last: usize) -> impl Iterator<Item = (usize, usize)> {
        let mut at = first;
        std::iter::from_fn(move || {
            let end = *self.last.get(at).filter(|_| at <= last)?;
            let group = (at, end);
            at = end + 1;
            Some(group)
        })
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
        let count = |range: Range<usize>| Some(range.len()).filter(|tokens| *tokens <= most);
        assert_eq!(pieced.joined(most, count), expected);
    }

    #[test]
    fn weak_seams_are_closed_first() {
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

    /// The sum of the parts' tokens is less than the tokens of the whole.
    #[test]
    fn front_ends_at_the_strongest_seam_of_the_second_half() {
        let mut pieced = Pieced::default();
        for (at, strength) in [0, 3, 0, 1, 2, 1].into_iter().enumerate() {
            let seam = Some((strength, Order::default()));
            pieced.push(seam, std::iter::once(at..at + 1));
        }
        let front = pieced.take_front();
        let count = |range: Range<usize>| Some(range.len()).filter(|tokens| *tokens <= 2);
        assert_eq!((front.len(), pieced.len()), (4, 2));
        assert_eq!(front.joined(2, count), [0..1, 1..3, 3..4]);
        assert_eq!(pieced.joined(2, count), std::slice::from_ref(&(4..6)));
    }

    #[test]
    fn group_that_does_not_fit_is_joined_again() {
        let mut pieced = Pieced::default();
        for at in 0..6 {
            pieced.push(Some((0, Order::default())), std::iter::once(at..at + 1));
        }
        // More than two pieces have twice as many tokens together as separately.
        let count = |range: Range<usize>| {
            let tokens = range.len() * if range.len() > 2 { 2 } else { 1 };
            Some(tokens).filter(|tokens| *tokens <= 4)
        };
        assert_eq!(pieced.joined(4, count), [0..2, 2..4, 4..6]);
    }
}
