//! Work in pieces that the caller may run on several threads.

/// What is found in one piece: numbers of vectors, and how good each is.
pub type Ranked = Vec<(usize, f64)>;

/// Runs pieces of work.
pub trait Workers {
    /// Calls `work` with every number below `pieces`, in any order and on any thread,
    /// and gives the results in the order of the numbers.
    fn run(&self, pieces: usize, work: &(dyn Fn(usize) -> Ranked + Sync)) -> Vec<Ranked>;
}

/// One after another, on the thread that asks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

impl Workers for Alone {
    fn run(&self, pieces: usize, work: &(dyn Fn(usize) -> Ranked + Sync)) -> Vec<Ranked> {
        (0..pieces).map(work).collect()
    }
}
