//! The map of a repository: an overview for a model in few tokens. The stages are the data of each
//! file ([`MapFile`]), the importance of files and symbols by name resolution, the choice that
//! fills a budget, and the text.
//!
//! Files are linked once ([`SymbolGraph`]); maps with other budgets, focuses and queries reuse that
//! without reading files again.

mod best_first;
mod candidate;
mod choose;
mod describe;
mod document;
mod drawn;
mod extract;
mod fill;
mod input;
mod key;
mod linked;
mod links;
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
pub use linked::{Flow, SymbolGraph, flows};
pub(crate) use links::without_targets;
pub use query::{Focus, Interest};
pub use rank::{Algorithm, Importance, Weights, importance};
pub use render::{MapFormat, PageHead, page};
pub use words::{mentions, words};

#[cfg(test)]
mod tests;
