//! Divides the memory limit of a run among its consumers.

use crate::ordered::Lookahead;

/// Memory that does not grow with the input: the program with its tables, the cache of token
/// counts, metadata of about 80,000 files, and twice the largest single file of the measured
/// repositories.
const BASE: u64 = 126 << 20;

/// Shares of a run's memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Memory {
    total: u64,
    growing: usize,
}

impl Memory {
    /// Divides about `total` bytes. Values below the minimum to work at all count as the minimum.
    pub(crate) fn of(total: u64) -> Self {
        let growing = total.saturating_sub(BASE).max(2 << 20);
        Self {
            total,
            growing: usize::try_from(growing).unwrap_or(usize::MAX),
        }
    }

    /// Returns the bytes of text that are kept between passes: in a survey, in an index run, or
    /// from the scan for secrets to the structures and chunks. A run keeps one of these at a time.
    pub(crate) fn kept(self) -> usize {
        (self.growing / 16 * 5).min(64 << 20)
    }

    /// Returns the bytes of one long list that stay in memory. A context has nine such lists.
    pub(crate) fn column(self) -> usize {
        self.growing / 64
    }

    /// Returns the bytes that all concurrent parses may use together: half of the total. A parse
    /// that needs more runs while no other does.
    pub(crate) fn parses(self) -> u64 {
        self.total / 2
    }

    /// Returns the bytes that one parse may use: three quarters of the total, but at least the
    /// memory that a small file may need.
    pub(crate) fn parse(self) -> u64 {
        (self.total / 4 * 3).max(32_000_000)
    }

    /// Returns the bytes that large texts may use at once, in addition to kept texts.
    pub(crate) fn texts(self) -> u64 {
        self.total / 8
    }

    /// Returns the bytes of text in one segment of the search index, if each of `threads` threads
    /// builds one. Building a segment needs two to three times its size.
    pub(crate) fn segment(self, threads: usize) -> usize {
        let all = usize::try_from(self.total / 2).unwrap_or(usize::MAX);
        (all / threads.max(1)).clamp(2 << 20, 48 << 20)
    }

    /// Limits results with texts that wait for those of earlier files.
    pub(crate) fn waiting(self, items: usize) -> Lookahead {
        Lookahead {
            items,
            ..self.structures()
        }
    }

    /// Limits structures that wait for those of earlier files.
    pub(crate) fn structures(self) -> Lookahead {
        Lookahead {
            items: 64,
            weight: (self.growing / 8).clamp(4 << 20, 32 << 20),
        }
    }

    /// Limits rendered text that waits to be written: enough to keep every thread busy.
    pub(crate) fn ahead(self) -> Lookahead {
        Lookahead {
            items: 64,
            weight: (self.growing / 6).min(24 << 20),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn least_memory_still_allows_to_work() {
        for total in [0, 1, BASE] {
            let memory = Memory::of(total);
            assert!(memory.kept() >= 640 << 10, "{total}");
            assert!(memory.column() >= 32 << 10 && memory.parse() >= 32_000_000);
            assert!(memory.ahead().weight > 0 && memory.structures().weight >= 4 << 20);
            assert_eq!(memory.segment(1_000), 2 << 20);
        }
    }

    #[test]
    fn shares_have_upper_limits() {
        let memory = Memory::of(u64::MAX);
        assert_eq!(memory.kept(), 64 << 20);
        assert_eq!(memory.ahead().weight, 24 << 20);
        assert_eq!(memory.structures().weight, 32 << 20);
        assert_eq!(memory.segment(1), 48 << 20);
        assert_eq!(memory.segment(0), 48 << 20, "no thread counts as one");
        assert_eq!(
            (memory.waiting(7).items, memory.waiting(7).weight),
            (7, 32 << 20)
        );
    }

    proptest! {
        #[test]
        fn shares_grow_with_the_memory_and_fit_into_it(total in 0u64..2 << 30, more in 0u64..2 << 30) {
            let (small, large) = (Memory::of(total), Memory::of(total + more));
            prop_assert!(small.kept() <= large.kept() && small.column() <= large.column());
            prop_assert!(small.parses() <= large.parses() && small.parse() <= large.parse());
            prop_assert!(small.texts() <= large.texts());
            prop_assert!(small.ahead().weight <= large.ahead().weight);
            // The texts of one pass fit into the growing part, but for the least structures.
            let texts = small.kept() + small.ahead().weight + small.column();
            prop_assert!(texts <= small.growing, "{texts} of {}", small.growing);
            // So do the pooled texts of a context with its columns and waiting structures.
            let waiting = small.structures().weight;
            let context = small.kept() + 9 * small.column() + waiting;
            prop_assert!(waiting == 4 << 20 || context <= small.growing, "{context}");
        }
    }
}
