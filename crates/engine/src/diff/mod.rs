//! Differences between two texts: as a patch in git's unified format, and as marks. The caller
//! supplies the texts.

mod lines;
mod marks;
mod patch;
mod unified;

#[cfg(test)]
mod tests;

pub use lines::{LineCounts, count_changes, similarity};
pub use marks::{Marks, unmark};
pub use patch::{Body, FileMode, Patch, Side};
