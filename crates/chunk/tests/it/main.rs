//! The public interface of the crate: chunk boundaries for any strategy.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod chunks;
mod chunks_cost;
mod chunks_properties;
