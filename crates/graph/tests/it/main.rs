//! Comparisons with networkx, and properties of every graph.
#![expect(clippy::unwrap_used, reason = "tests")]

mod networkx;
mod properties;
