//! Text to vectors, and vectors that lie close to another. Which vectors are kept and
//! what closeness is worth is decided elsewhere; threads come from the caller.
//!
//! [`CodeTable`] ships with the program and needs no network: each word of a text has a
//! vector in a table that was distilled from a model of code, and a text has the sum of
//! its words, rare ones counting more. [`Vectors`] keeps many vectors as bytes and finds
//! those closest to one, exactly.
//!
//! ```
//! use loom_base::Embedder;
//! use loom_embed::{Alone, CodeTable, Vectors};
//!
//! let table = CodeTable;
//! let mut vectors = Vectors::new(table.dimensions());
//! for text in ["fn open_file(path: &Path)", "fn send_request(url: &Url)"] {
//!     vectors.push(&table.vector(text));
//! }
//! let meant = table.vector("download a page over http");
//! let nearest = vectors.nearest(&meant, 1, &Alone, |_, close| close.into());
//! assert_eq!(nearest[0].0, 1);
//! ```

mod dot;
mod notices;
mod pieces;
mod table;
mod vectors;
mod workers;

pub use notices::NOTICES;
pub use table::CodeTable;
pub use vectors::{Vectors, VectorsBuilder};
pub use workers::{Alone, Ranked, Workers};
