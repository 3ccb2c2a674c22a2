//! The encoding of a window, and the positions at which two of them can be joined. `long` decides
//! which windows are encoded.

use std::iter;

use super::merges::{Merges, NEVER};
use super::short::{self, Parts};

/// Adjacent equal tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) id: u32,
    /// Number of tokens; at least one.
    pub(crate) count: usize,
}

impl Run {
    #[inline(always)]
    pub(crate) fn new(id: u32, count: usize) -> Self {
        Self { id, count }
    }
}

/// Tokens of a window.
#[expect(
    clippy::large_enum_variant,
    reason = "nearly all are narrow, and none is kept"
)]
pub(crate) enum Row {
    /// Tokens of a narrow window.
    Parts(Parts<{ short::MOST }>),
    /// Tokens of a wide window; equal neighbours are counted, not repeated.
    Runs(Vec<Run>),
}

/// Position between two tokens of a row, or its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    /// Number of bytes before it.
    pub(crate) length: usize,
    /// Token after it.
    pub(crate) behind: u32,
    /// Index of the run of that token, and the number of its tokens before the cut.
    run: (usize, usize),
}

impl Row {
    /// Row without tokens.
    pub(crate) const EMPTY: Self = Self::Runs(Vec::new());

    /// Returns the first token.
    #[inline]
    pub(crate) fn first(&self) -> u32 {
        match self {
            Self::Parts(parts) => parts.ids().next(),
            Self::Runs(runs) => runs.first().map(|run| run.id),
        }
        .unwrap_or_default()
    }

    /// Returns the last position with at most `most` bytes before it and a token after it.
    #[inline]
    pub(crate) fn cut(&self, merges: &Merges, most: usize) -> Cut {
        match self {
            Self::Parts(parts) => {
                let (length, behind) = parts.last_start(most);
                let run = (0, 0);
                Cut {
                    length,
                    behind,
                    run,
                }
            }
            Self::Runs(runs) => cut_runs(merges, runs, most),
        }
    }

    /// Returns the number of tokens before `cut`.
    #[inline]
    pub(crate) fn count(&self, cut: Cut) -> usize {
        match self {
            Self::Parts(parts) => parts.starts_before(cut.length).count_ones() as usize,
            Self::Runs(runs) => {
                let whole = runs[..cut.run.0].iter().map(|run| run.count);
                whole.sum::<usize>() + cut.run.1
            }
        }
    }

    /// Returns whether the tokens before `once` are the same as those between `once` and `twice`.
    /// The bytes are equal; so the tokens are equal if they end at the same positions.
    #[inline]
    pub(crate) fn begins_twice(&self, once: Cut, twice: Cut) -> bool {
        match self {
            Self::Parts(parts) => {
                let first = parts.starts_before(once.length);
                let both = parts.starts_before(twice.length);
                both ^ first == first << once.length
            }
            Self::Runs(_) => {
                let mut ids = Vec::new();
                self.append(twice, &mut ids);
                let half = self.count(once);
                ids.len() == 2 * half && ids[..half] == ids[half..]
            }
        }
    }

    /// Appends the tokens before `cut` to `out`.
    pub(crate) fn append(&self, cut: Cut, out: &mut Vec<u32>) {
        match self {
            Self::Parts(parts) => out.extend(parts.ids_at(parts.starts_before(cut.length))),
            Self::Runs(runs) => {
                let part = (cut.run.1 > 0).then_some(Run::new(cut.behind, cut.run.1));
                for run in runs[..cut.run.0].iter().copied().chain(part) {
                    out.extend(iter::repeat_n(run.id, run.count));
                }
            }
        }
    }

    /// Returns the end of a row of `length` bytes.
    pub(crate) fn end(&self, length: usize) -> Cut {
        let run = match self {
            Self::Parts(_) => (0, 0),
            Self::Runs(runs) => (runs.len(), 0),
        };
        let behind = NEVER;
        Cut {
            length,
            behind,
            run,
        }
    }
}

fn cut_runs(merges: &Merges, runs: &[Run], most: usize) -> Cut {
    let mut length = 0;
    for (at, run) in runs.iter().enumerate() {
        let each = merges.length(run.id);
        let left = run.count - usize::from(at + 1 == runs.len());
        let inside = if left * each <= most - length {
            left
        } else {
            (most - length) / each
        };
        length += inside * each;
        if inside < run.count {
            let (behind, run) = (run.id, (at, inside));
            return Cut {
                length,
                behind,
                run,
            };
        }
    }
    let (length, behind, run) = (0, 0, (0, 0));
    Cut {
        length,
        behind,
        run,
    }
}
