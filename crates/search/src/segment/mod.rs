//! A segment: the index of some contents in one byte sequence, used in place from memory or from a
//! mapped file. Contents are identified by their hash; the caller tracks which ones are live.
//!
//! ```text
//! header    magic, version, counts, places, the checksum of all tables
//! contents  hash, flags, bytes, words in each field, seen as   (fixed size)
//! grams     gram, start of its list                            (fixed size, sorted)
//! terms     a hash of the word, start of its list              (fixed size, sorted)
//! lists     a checksum, and the contents with the gram or term
//! ```

mod build;
mod bytes;
mod read;

pub use build::{Contents, SegmentBuilder};
pub use read::{Damaged, Segment, defining};

/// Number of fields with separate counts.
pub(crate) const FIELDS: usize = 3;
/// Counts of a term in each field of a text.
pub(crate) type Counts = [u16; FIELDS];
/// Field: the whole text.
pub(crate) const BODY: usize = 0;
/// Field: names of the symbols it defines.
pub(crate) const SYMBOLS: usize = 1;
/// Field: comments.
pub(crate) const COMMENTS: usize = 2;

#[cfg(test)]
mod tests;
