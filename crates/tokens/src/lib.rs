//! Exact token counts for vocabularies that are public, and estimates that say so
//! for the others. Which model uses which, and what a budget is, is decided above
//! this crate.
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
//! A vocabulary's pattern splits text into pieces that no token crosses; four
//! bytes on average in source code. Few different pieces make up most of a text,
//! so their counts are remembered: in a small table of each thread, and behind it
//! in a table that all threads share. It has a fixed size and forgets. A piece
//! that is not remembered is merged pair by pair. The tables of OpenAI's
//! vocabularies are laid out at build time: their first count has nothing to load.
//! Those of the others are compressed, and expanded at first use.
//!
//! Every input takes time that grows with its length alone, also pieces that go
//! on for megabytes: they are encoded window by window, and what repeats itself is
//! encoded once.
//!
//! What is shared takes 2 MB, and 34 MB once much text has been counted.

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

/// The examples of the read-me file are tested as well.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
