//! The encoding of a window, and the places where two of them can be joined.
//! Which windows there are is decided by `long`.

use super::merges::Merges;
use super::short::{self, Parts};

/// Equal tokens side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) id: u32,
    /// How many; at least one.
    pub(crate) count: usize,
}

impl Run {
    #[inline(always)]
    pub(crate) fn new(id: u32, count: usize) -> Self {
        Self { id, count }
    }
}

/// The tokens of a window.
#[expect(
    clippy::large_enum_variant,
    reason = "nearly all are narrow, and none is kept"
)]
pub(crate) enum Row {
    /// Those of a narrow window.
    Parts(Parts<{ short::MOST }>),
    /// Those of a wide one; equal neighbours are counted, not repeated.
    Runs(Vec<Run>),
}

/// A place between two tokens of a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    /// The bytes before it.
    pub(crate) length: usize,
    /// The token behind it.
    pub(crate) behind: u32,
    /// The run that token belongs to, and how many of the run are before it.
    run: (usize, usize),
}

impl Row {
    /// The first token.
    #[inline]
    pub(crate) fn first(&self) -> u32 {
        match self {
            Self::Parts(parts) => parts.ids().next(),
            Self::Runs(runs) => runs.first().map(|run| run.id),
        }
        .unwrap_or_default()
    }

    /// The last place with at most `most` bytes before it and a token behind it.
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

    /// Hands all tokens before `cut` to `emit`.
    #[inline]
    pub(crate) fn before(&self, cut: Cut, emit: &mut impl FnMut(Run)) {
        match self {
            Self::Parts(parts) => parts
                .ids_before(cut.length)
                .for_each(|id| emit(Run::new(id, 1))),
            Self::Runs(runs) => {
                let (run, inside) = cut.run;
                runs[..run].iter().copied().for_each(&mut *emit);
                if inside > 0 {
                    emit(Run::new(cut.behind, inside));
                }
            }
        }
    }

    /// Hands all tokens to `emit`.
    pub(crate) fn all(&self, emit: &mut impl FnMut(Run)) {
        match self {
            Self::Parts(parts) => parts.ids().for_each(|id| emit(Run::new(id, 1))),
            Self::Runs(runs) => runs.iter().copied().for_each(emit),
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
