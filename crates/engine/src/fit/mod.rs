//! Fits files into a limit: chooses files, their levels of compression and the places at
//! which an output is divided. The caller supplies texts and threads.

mod levels;
mod limit;
mod rendered;
mod weight;

pub use levels::{FileLevels, Plan, Step, chosen, cost_of};
pub use limit::{LONG_TOKEN, Limit};
pub use rendered::{FileStyle, RenderedFile};
pub use weight::Weight;
