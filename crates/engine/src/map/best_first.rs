//! A lazily sorted list of symbols: the rest is sorted when an iteration reaches it.

use std::cell::OnceCell;
use std::cmp::Ordering;

/// A symbol: indices of its file and of the symbol in the file.
type Place = (usize, usize);

/// Number of symbols sorted in advance: more than typical maps show.
const FIRST: usize = 8192;

/// Symbols, the best first. Callers pass the same order again.
pub(super) struct BestFirst {
    first: Vec<Place>,
    /// All others, unsorted.
    rest: Vec<Place>,
    ordered: OnceCell<Vec<Place>>,
}

impl BestFirst {
    pub(super) fn new(mut all: Vec<Place>, by: impl Fn(&Place, &Place) -> Ordering) -> Self {
        let mut rest = Vec::new();
        if all.len() > FIRST {
            all.select_nth_unstable_by(FIRST, &by);
            rest = all.split_off(FIRST);
        }
        all.sort_unstable_by(by);
        Self {
            first: all,
            rest,
            ordered: OnceCell::new(),
        }
    }

    /// Iterates in order.
    pub(super) fn iter(
        &self,
        by: impl Fn(&Place, &Place) -> Ordering,
    ) -> impl Iterator<Item = &Place> {
        let rest = std::iter::once_with(move || {
            self.ordered.get_or_init(|| {
                let mut rest = self.rest.clone();
                rest.sort_unstable_by(by);
                rest
            })
        });
        self.first.iter().chain(rest.flatten())
    }

    /// Iterates in any order.
    pub(super) fn all(&self) -> impl Iterator<Item = &Place> {
        self.first.iter().chain(&self.rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_that_of_sorting_all() {
        for count in [0, 1, FIRST, FIRST + 1, 3 * FIRST] {
            let all: Vec<Place> = (0..count).map(|at| (at * 7919 % 1009, at)).collect();
            let by = |one: &Place, other: &Place| other.cmp(one);
            let mut sorted = all.clone();
            sorted.sort_by(by);
            let best = BestFirst::new(all, by);
            for _ in 0..2 {
                assert!(best.iter(by).eq(&sorted), "{count}");
            }
            assert_eq!(best.all().count(), count);
        }
    }
}
