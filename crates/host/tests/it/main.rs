//! The crate as edges use it: output files, baselines, packs of folders.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod baseline;
mod output;
