//! What a run tells about how far it is.

/// The parts of a run that take time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stage {
    /// Looking for files.
    Scan,
    /// Looking for secrets, before any text is shown.
    Secrets,
    /// Reading and counting.
    Count,
    /// Reading and parsing.
    Parse,
    /// Deriving what later runs want to know.
    Index,
    /// Compressing, until files fit.
    Compress,
    /// Writing.
    Write,
}

/// Is told how far a run is. Called often: implementations must be quick.
pub trait Progress: Sync {
    /// A stage begins, with so many files before it where that is known.
    fn begin(&self, stage: Stage, files: Option<usize>);

    /// So many files of the stage are done.
    fn advance(&self, files: usize);
}

/// Tells nobody.
#[derive(Clone, Copy, Debug)]
pub struct NoProgress;

impl Progress for NoProgress {
    fn begin(&self, _stage: Stage, _files: Option<usize>) {}

    fn advance(&self, _files: usize) {}
}
