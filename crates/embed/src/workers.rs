//! Work in pieces that the caller may run on several threads.

/// Result of one piece: numbers of embeddings with their scores.
pub type Ranked = Vec<(usize, f64)>;

/// Runs pieces of work.
pub trait Workers {
    /// Calls `work` with every number below `pieces`, in any order and on any thread. Returns the
    /// results in the order of the numbers.
    fn run(&self, pieces: usize, work: &(dyn Fn(usize) -> Ranked + Sync)) -> Vec<Ranked>;
}

/// Runs all pieces on the calling thread.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

impl Workers for Alone {
    fn run(&self, pieces: usize, work: &(dyn Fn(usize) -> Ranked + Sync)) -> Vec<Ranked> {
        (0..pieces).map(work).collect()
    }
}
