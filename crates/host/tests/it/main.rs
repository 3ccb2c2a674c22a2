//! Tests the public API as the edges use it, on directories of their own.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![expect(clippy::panic, reason = "a test that cannot go on fails")]

mod baseline;
mod caches;
mod changes;
mod compressed;
mod config;
mod contexts;
mod fit;
mod fixture;
mod index_files;
mod layers;
mod maps;
mod meanings;
mod models;
mod navigation;
mod output;
mod outputs_of_repositories;
mod patches;
mod patches_apply;
mod ranked;
mod scans;
mod search;
mod secrets;
mod secrets_shown;
mod sections;
mod sequences;
mod split;
mod streams;
mod structures;
mod survey;
mod text_chunks;
mod totals;
mod unread;
mod why;
mod writing;
