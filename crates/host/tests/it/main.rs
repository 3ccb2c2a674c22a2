//! Tests the public API as the edges use it, on directories of their own.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![expect(clippy::panic, reason = "a test that cannot go on fails")]

mod baseline;
mod changes;
mod compressed;
mod config;
mod fit;
mod fixture;
mod models;
mod output;
mod outputs_of_repositories;
mod patches;
mod patches_apply;
mod scans;
mod secrets;
mod sections;
mod split;
mod streams;
mod survey;
mod text_chunks;
mod totals;
mod unread;
mod why;
mod writing;
