//! Progress of a run.

/// Stages of a run that take time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stage {
    /// Finding files.
    Scan,
    /// Scanning for secrets, before any text is shown.
    Secrets,
    /// Reading and counting.
    Count,
    /// Reading and parsing.
    Parse,
    /// Updating the cache and the search index.
    Index,
    /// Compressing until the files fit.
    Compress,
    /// Writing the output.
    Write,
}

/// Receives the progress of a run. Infiniloom calls it often: implementations must be fast.
pub trait Progress: Sync {
    /// Begins a stage with the given number of files, if known.
    fn begin(&self, stage: Stage, files: Option<usize>);

    /// Reports further `files` files of the stage as done.
    fn advance(&self, files: usize);
}

/// Ignores all progress.
#[derive(Clone, Copy, Debug)]
pub struct NoProgress;

impl Progress for NoProgress {
    fn begin(&self, _stage: Stage, _files: Option<usize>) {}

    fn advance(&self, _files: usize) {}
}
