//! Exact token counts for public vocabularies, and marked estimates for the others. Callers decide
//! which model uses which vocabulary, and compute budgets.
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
//!
//! # How it works
//!
//! A vocabulary's pattern splits text into pieces that no token crosses; in source code they have
//! four bytes on average. Few different pieces make up most of a text, so their counts are cached:
//! in a small table of each thread, and then in a table that all threads share. The shared
//! table has a fixed size and replaces old entries. A piece that is not in a table is merged pair
//! by pair. The build script lays out the tables of OpenAI's vocabularies, so their first count has
//! nothing to load. The tables of the others are compressed, and expanded at first use.
//!
//! Every input takes time linear in its length, even a piece of megabytes: it is encoded window by
//! window, and repeated text is encoded once.
//!
//! The shared tables take 2 MB, and 34 MB after much text has been counted.

mod batch;
mod bpe;
mod built_in;
mod calibration;
mod count;
mod counted;
mod encode;
mod engine;
mod estimate;
mod layout;
mod load;
mod loaded;
mod memo;
mod model;
mod notices;
mod piece;
mod prefetch;
mod ruler;
mod split;
mod spm;
mod tables;
mod tally;
mod tokenizer;
mod unicode;
mod vocabulary;
mod wholes;

pub use calibration::Calibration;
pub use counted::{Counted, Estimate};
pub use encode::DecodeError;
pub use estimate::Estimator;
#[doc(hidden)]
pub use estimate::{amounts, factors_of};
pub use load::LoadError;
pub use loaded::{FileKind, Loaded};
pub use notices::NOTICES;
pub use ruler::Ruler;
pub use tally::Tally;
pub use tokenizer::Tokenizer;
pub use vocabulary::Vocabulary;

/// Compiles the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
