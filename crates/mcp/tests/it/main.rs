//! The crate as the command uses it: the server in the configuration of clients.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod clients;
mod setup;
