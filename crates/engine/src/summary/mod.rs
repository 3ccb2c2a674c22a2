//! Short summaries of files and directories, taken from their own text without a model. Each
//! sentence of a file has its source lines, and a directory is summarised by its contents, so that
//! a changed file affects only its directories.

mod file;
mod folder;

pub use file::{FileSummary, Sentence};
pub use folder::FolderSummary;
