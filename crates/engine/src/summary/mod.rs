//! What files and folders are about, in a few words taken from themselves; no model is
//! asked. Each sentence of a file tells the lines that it was taken from, and a folder is
//! told by what is in it, so that a changed file changes its folders alone.

mod file;
mod folder;

pub use file::{FileSummary, Sentence};
pub use folder::FolderSummary;
