//! The vocabulary types that every other crate uses: spans of text, paths, content hashes and the
//! traits that count and embed text. This crate does no I/O and makes no decisions.
//!
//! ```
//! use loom_base::{ByteSpan, RepoPath};
//!
//! let path = RepoPath::new("src/main.rs").unwrap();
//! assert_eq!(path.file_name(), b"main.rs");
//! assert_eq!(ByteSpan::new(4, 9).len(), 5);
//! ```

pub mod codec;
mod column;
mod counter;
mod embedder;
mod folders;
mod hash;
mod path;
mod printable;
mod provenance;
mod span;
mod stamp;

pub use column::{Column, ColumnBuilder, ColumnLost, InMemory, Scratch, SharedBytes, Spill};
pub use counter::{Counter, Measure};
pub use embedder::{EmbedError, Embedder};
pub use folders::{EXAMPLE_FOLDERS, TEST_FOLDERS};
pub use hash::{ContentHash, ParseHashError};
pub use path::{Components, InvalidRepoPath, RepoPath};
pub use printable::printable;
pub use provenance::Provenance;
pub use span::{ByteSpan, LineSpan};
pub use stamp::Stamp;
