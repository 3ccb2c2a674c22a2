//! The library as a program uses it. Tests that compare it with the command are in
//! `crates/cli`.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod calls;
mod examples;
mod memory;
mod parts;
mod queries;
mod round_trip;
mod secrets;
mod snapshots;
mod stream;
mod types;
mod warm;
