//! What networkx computes, and what holds for every graph.

mod networkx;
mod properties;
