//! Tests the public API with files in memory: searching, scoring, caches and navigation.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod calls;
mod definitions;
mod families;
mod fixture;
mod implementations;
mod imports;
mod parts;
mod query_cache;
mod redaction;
mod references;
mod score;
mod search;
mod secrets;
mod shadowing;
mod text_cache;
mod time;
