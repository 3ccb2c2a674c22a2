//! Exact token counts for vocabularies that are public. Which model uses which
//! vocabulary, and what a budget is, is decided above this crate.
//!
//! Text that looks like a special token (`<|endoftext|>`) is ordinary text.
//!
//! ```
//! use loom_tokens::{Tally, Vocabulary};
//!
//! let vocabulary = Vocabulary::O200kBase;
//! assert_eq!(vocabulary.count("hello world"), 2);
//!
//! // Counts of parts add up to the count of the whole.
//! let parts = ["fn main() {\n", "    run();\n", "}\n"];
//! let mut tally = Tally::new(vocabulary);
//! parts.iter().for_each(|part| tally.push(part));
//! assert_eq!(tally.tokens(), vocabulary.count(&parts.concat()));
//! ```

mod tally;
mod vocabulary;

pub use tally::Tally;
pub use vocabulary::Vocabulary;
