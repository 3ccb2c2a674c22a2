//! Errors that prevent a pack. A problem with a single file is not an error: the file is skipped,
//! counted and listed.

use std::io;

use loom_engine::{FoundSecret, TemplateError};
use loom_source::{HistoryError, OpenError};

use crate::Limit;

/// A reason why a pack fails.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PackError {
    /// A path that the user named cannot be read.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The user requested git data that is not available.
    #[error("{flag}")]
    History {
        /// The flag that requested it.
        flag: String,
        /// Cause.
        source: HistoryError,
    },
    /// The output could not be written.
    #[error("cannot write the output")]
    Write(#[source] io::Error),
    /// The user's template uses an unknown name, or fails.
    #[error(transparent)]
    Template(TemplateError),
    /// The budget is too small for the header.
    #[error("the header of the pack needs {smallest}; the budget is {budget}")]
    BudgetTooSmall {
        /// The budget.
        budget: Limit,
        /// Smallest possible size.
        smallest: usize,
    },
    /// The budget is too small for the header of a map.
    #[error(transparent)]
    Map(#[from] loom_engine::map::MapError),
    /// The budget is too small for the smallest context.
    #[error(transparent)]
    Context(#[from] loom_engine::context::FitError),
    /// The embedding service that the user named fails.
    #[error(transparent)]
    Embed(#[from] loom_base::EmbedError),
    /// A temporary file was lost.
    #[error("cannot use a temporary file in {}", .directory.display())]
    Scratch {
        /// Directory of the file.
        directory: std::path::PathBuf,
        /// Cause.
        source: loom_base::ColumnLost,
    },
    /// The run found secrets, and the user chose to fail in this case.
    #[error("{} found", if .found.len() == 1 { "1 secret".to_owned() } else { format!("{} secrets", .found.len()) })]
    Secrets {
        /// The secrets with their locations.
        found: Vec<FoundSecret>,
    },
    /// The reading threads stopped because of a bug.
    #[error("the reading stopped unexpectedly; what came so far is not complete")]
    ReaderStopped,
    /// The opened directory no longer exists.
    #[error("the folder {} is no longer there", .0.display())]
    Gone(std::path::PathBuf),
    /// The caller cancelled the run.
    #[error("interrupted")]
    Cancelled,
}
