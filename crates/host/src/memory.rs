//! How the memory that a run may take is shared out.

use crate::ordered::Lookahead;

/// What a run takes besides: the program and its tables, what is remembered of pieces,
/// what is known about some 80,000 files, and twice the largest single file of the
/// trees that were measured.
const BASE: u64 = 126 << 20;

/// The parts of a run's memory that grow with what it reads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Memory {
    total: u64,
    growing: usize,
}

impl Memory {
    /// Shares out about `total` bytes. Less than is needed to work at all is taken
    /// for the least that is.
    pub(crate) fn of(total: u64) -> Self {
        let growing = total.saturating_sub(BASE).max(2 << 20);
        Self {
            total,
            growing: usize::try_from(growing).unwrap_or(usize::MAX),
        }
    }

    /// The bytes of text that are kept between the passes.
    pub(crate) fn kept(self) -> usize {
        (self.growing / 16 * 5).min(64 << 20)
    }

    /// The bytes of one long list that stay in memory. A context has nine such lists.
    pub(crate) fn column(self) -> usize {
        self.growing / 64
    }

    /// The bytes that all parses may take at once. Half is left to everything else. A
    /// parse that needs more runs alone.
    pub(crate) fn parses(self) -> u64 {
        self.total / 2
    }

    /// The bytes that one parse may take. A quarter is left to everything else. Less than
    /// every small file may use makes no sense.
    pub(crate) fn parse(self) -> u64 {
        (self.total / 4 * 3).max(32_000_000)
    }

    /// The bytes that large texts may take at once, beside those that are kept.
    pub(crate) fn texts(self) -> u64 {
        self.total / 8
    }

    /// The bytes of text of one segment of the index, if so many threads make one each. A
    /// segment takes two to three times as much while it is made.
    pub(crate) fn segment(self, threads: usize) -> usize {
        let all = usize::try_from(self.total / 2).unwrap_or(usize::MAX);
        (all / threads.max(1)).clamp(2 << 20, 48 << 20)
    }

    /// Results that wait for those of earlier files and hold texts.
    pub(crate) fn waiting(self, items: usize) -> Lookahead {
        Lookahead {
            items,
            ..self.structures()
        }
    }

    /// Structures that wait for those of earlier files.
    pub(crate) fn structures(self) -> Lookahead {
        Lookahead {
            items: 64,
            weight: (self.growing / 8).clamp(4 << 20, 32 << 20),
        }
    }

    /// Rendered and unwritten text: enough to keep every thread busy.
    pub(crate) fn ahead(self) -> Lookahead {
        Lookahead {
            items: 64,
            weight: (self.growing / 6).min(24 << 20),
        }
    }
}
