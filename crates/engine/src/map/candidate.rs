//! Candidates for a map, ordered by value per token.

use std::cmp::{Ordering, Reverse};

/// A file or symbol that a map could show.
pub(super) struct Candidate {
    density: f64,
    pub(super) cost: f64,
    pub(super) file: usize,
    /// Rank among the symbols of the file; `None` for the file itself.
    pub(super) symbol: Option<usize>,
}

impl Candidate {
    pub(super) fn new(value: f64, cost: f64, file: usize, symbol: Option<usize>) -> Self {
        let density = value / cost.max(1.0);
        Self {
            density,
            cost,
            file,
            symbol,
        }
    }

    fn key(&self) -> (Reverse<usize>, Reverse<Option<usize>>) {
        (Reverse(self.file), Reverse(self.symbol))
    }
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_density = self.density.total_cmp(&other.density);
        by_density.then_with(|| self.key().cmp(&other.key()))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Candidate {}
