//! The crate as others use it: texts that are out to break it, and mutated ones.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod bounded;
mod compress;
mod corpus;
mod fragments;
mod hostile;
mod mutated;
