//! What networkx computes, and what holds for every graph.
#![expect(clippy::unwrap_used, reason = "tests")]

mod networkx;
mod properties;
