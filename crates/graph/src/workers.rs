//! An interface to run pieces of work on the caller's threads.

/// Executor of pieces of work.
pub trait Workers {
    /// Calls `work` with every number below `pieces`, in any order and on any thread. Returns the
    /// results in the order of the numbers.
    fn run(&self, pieces: usize, work: &(dyn Fn(usize) -> Vec<f64> + Sync)) -> Vec<Vec<f64>>;
}

/// Executor that runs the pieces one after another on the calling thread.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

impl Workers for Alone {
    fn run(&self, pieces: usize, work: &(dyn Fn(usize) -> Vec<f64> + Sync)) -> Vec<Vec<f64>> {
        (0..pieces).map(work).collect()
    }
}

/// Computes a value for each of `count` nodes, in pieces of a fixed size, so that sums do not
/// depend on the number of threads.
pub(crate) fn by_node(
    workers: &dyn Workers,
    count: usize,
    value: &(dyn Fn(usize) -> f64 + Sync),
) -> Vec<f64> {
    // A smaller graph is computed on the calling thread, without the cost of others.
    const PIECE: usize = 1 << 14;
    if count <= PIECE {
        return (0..count).map(value).collect();
    }
    let piece = |at: usize| {
        let start = at * PIECE;
        (start..count.min(start + PIECE)).map(value).collect()
    };
    workers.run(count.div_ceil(PIECE), &piece).concat()
}
