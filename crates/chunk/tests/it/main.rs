//! The crate as others use it: where texts are cut, by any strategy.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod chunks;
mod chunks_cost;
mod chunks_properties;
