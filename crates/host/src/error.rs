//! Why a pack could not be made. What is wrong with single files is not an
//! error: they are left out, counted and named.

use std::io;

use loom_engine::{FoundSecret, TemplateError};
use loom_source::{HistoryError, OpenError};

use crate::Limit;

/// A pack that could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PackError {
    /// A path that the user named cannot be read.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// What git knows was asked for and cannot be told.
    #[error("{flag}")]
    History {
        /// What was asked for, as on the command line.
        flag: String,
        /// What is wrong.
        source: HistoryError,
    },
    /// The output could not be written.
    #[error("cannot write the output")]
    Write(#[source] io::Error),
    /// The user's template asks for what is not there.
    #[error(transparent)]
    Template(TemplateError),
    /// Not even the head fits.
    #[error(
        "{budget} do not hold even the head of the pack, with its instructions and what git says: the smallest possible is {smallest}"
    )]
    BudgetTooSmall {
        /// What was asked for.
        budget: Limit,
        /// What would do.
        smallest: usize,
    },
    /// Not even the head of a map fits.
    #[error(transparent)]
    Map(#[from] loom_engine::map::MapError),
    /// Not even the head of a context fits.
    #[error(transparent)]
    Context(#[from] loom_engine::context::FitError),
    /// The service that the user named gives no vectors.
    #[error(transparent)]
    Embed(#[from] loom_base::EmbedError),
    /// A temporary file was lost.
    #[error("cannot use a temporary file in {}", .directory.display())]
    Scratch {
        /// The directory that it was to be in.
        directory: std::path::PathBuf,
        /// What is wrong.
        source: loom_base::ColumnLost,
    },
    /// There are secrets, and the user wants nothing written then.
    #[error("{} found", if .found.len() == 1 { "1 secret".to_owned() } else { format!("{} secrets", .found.len()) })]
    Secrets {
        /// Where, what and why.
        found: Vec<FoundSecret>,
    },
    /// The threads that read stopped because of a defect in them.
    #[error("the reading stopped unexpectedly; what came so far is not complete")]
    ReaderStopped,
    /// The folder that was opened is no longer there.
    #[error("the folder {} is no longer there", .0.display())]
    Gone(std::path::PathBuf),
    /// Somebody asked for a stop.
    #[error("interrupted")]
    Cancelled,
}
