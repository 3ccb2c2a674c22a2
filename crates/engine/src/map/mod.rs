//! The map of a repository: the overview that a model gets for few tokens. From what
//! each file holds ([`MapFile`]) and what names mean between files to how important
//! files and symbols are, to the choice that fills a budget, to text.
//!
//! Files are linked once ([`Linked`]); maps for other budgets, focuses and questions
//! are made from that without looking at files again.

mod best_first;
mod choose;
mod describe;
mod document;
mod drawn;
mod extract;
mod fill;
mod input;
mod key;
mod linked;
mod offer;
mod query;
mod rank;
mod render;
mod summary;
mod words;

pub use describe::{about_manifest, about_readme};
pub use document::{FileEntry, KeySymbol, Level, Line, MapDocument};
pub use extract::Extract;
pub use fill::{Filled, MapError, MapOptions};
pub(crate) use input::one_line;
pub use input::{MapFile, MapSymbol};
pub use linked::{Flow, Linked, flows};
pub use query::{Focus, Interest};
pub use rank::{Algorithm, Importance, Weights, importance};
pub use render::{MapFormat, PageHead, page};
pub use words::{mentions, words};

#[cfg(test)]
mod tests;
