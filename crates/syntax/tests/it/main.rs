//! The public interface of the crate on hostile and mutated texts.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod bounded;
mod compress;
mod corpus;
mod fragments;
mod hostile;
mod mutated;
