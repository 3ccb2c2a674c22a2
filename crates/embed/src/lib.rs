//! Text to embeddings, and exact search for the nearest embeddings. The caller stores the
//! embeddings, weighs similarities and supplies threads.
//!
//! [`CodeTable`] is part of the program and needs no network: each word of a text has an embedding
//! in a table that was distilled from a code model. The embedding of a text is the sum of its
//! words, with higher weights for rare words. [`Vectors`] stores embeddings as bytes and finds the
//! nearest ones exactly.
//!
//! ```
//! use loom_base::Embedder;
//! use loom_embed::{Alone, CodeTable, Vectors};
//!
//! let table = CodeTable;
//! let mut vectors = Vectors::new(table.dimensions());
//! for text in ["fn open_file(path: &Path)", "fn send_request(url: &Url)"] {
//!       vectors.push(&table.vector(text));
//! }
//! let query = table.vector("download a page over http");
//! let nearest = vectors.nearest(&query, 1, &Alone, |_, close| close.into());
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
