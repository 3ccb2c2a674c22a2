//! A segment: the index of a number of contents, in one run of bytes that is used as
//! it lies, from memory or from a mapped file. Contents are known by their hash; which
//! of them are alive is known elsewhere.
//!
//! ```text
//! head      magic, version, counts, places, the check of all tables
//! contents  hash, flags, bytes, words in each field, seen as   (fixed size)
//! grams     gram, where its list starts                        (fixed size, ordered)
//! terms     a hash of the word, where its list starts          (fixed size, ordered)
//! lists     a check, and which contents hold the gram or term
//! ```

mod build;
mod bytes;
mod read;

pub use build::{Contents, SegmentBuilder};
pub use read::{Damaged, Segment, defining};

/// The fields that words are counted in.
pub(crate) const FIELDS: usize = 3;
/// How often a text has a term, in each field.
pub(crate) type Counts = [u16; FIELDS];
/// Everything that the text says.
pub(crate) const BODY: usize = 0;
/// The names of what it defines.
pub(crate) const SYMBOLS: usize = 1;
/// Its comments.
pub(crate) const COMMENTS: usize = 2;

#[cfg(test)]
mod tests;
