//! The threads of a run, for graphs and embeddings.

use std::ops::ControlFlow;

use loom_embed::Ranked;

use crate::ordered::{Lookahead, ordered};

/// Limits results that wait for earlier ones.
const AHEAD: Lookahead = Lookahead {
    items: 256,
    weight: usize::MAX,
};

/// Number of threads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Threads(pub(crate) usize);

impl Threads {
    /// Calls `work` for each number below `count`. Returns the results in order.
    pub(crate) fn map<R: Send>(self, count: usize, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
        let mut results = Vec::with_capacity(count);
        let emit = |_, result| {
            results.push(result);
            ControlFlow::Continue(())
        };
        ordered(count, self.0, AHEAD, |_| 1, work, emit);
        results
    }
}

impl loom_lookup::Threads for Threads {
    fn map<R: Send>(&self, count: usize, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
        (*self).map(count, work)
    }
}

impl loom_graph::Workers for Threads {
    fn run(&self, pieces: usize, work: &(dyn Fn(usize) -> Vec<f64> + Sync)) -> Vec<Vec<f64>> {
        self.map(pieces, work)
    }
}

impl loom_embed::Workers for Threads {
    fn run(&self, pieces: usize, work: &(dyn Fn(usize) -> Ranked + Sync)) -> Vec<Ranked> {
        self.map(pieces, work)
    }
}
