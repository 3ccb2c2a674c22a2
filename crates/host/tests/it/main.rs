//! Tests the public API as the edges use it: output files and baselines.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod baseline;
mod output;
