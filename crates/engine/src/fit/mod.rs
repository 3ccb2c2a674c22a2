//! Fits files into a limit: chooses files, their compression levels, and the positions at which an
//! output is split. Sizes are those of the whole output, exactly. The caller supplies texts and
//! threads, so that it also works in a browser.

mod choose;
mod files;
mod ladder;
mod levels;
mod limit;
mod rendered;
mod scale;
mod split;
mod weight;

pub use choose::{BudgetFiles, Chosen, choose};
pub use files::{CurrentFile, FilePart, FitFailure, FitFiles, Placed};
pub use ladder::{LevelChoice, LevelFiles, compress_to_budget};
pub use levels::{FileLevels, Plan, Step};
pub use limit::{LONG_TOKEN, Limit};
pub use rendered::{FileStyle, RenderedFile};
pub use scale::Scale;
pub use split::{PartHead, SplitFiles, split};
pub use weight::Weight;

#[cfg(test)]
mod tests;
