//! Hermetic fixtures for tests. A sandbox has a home of its own, so that nothing
//! of the machine it runs on shows in a test. Never a normal dependency.

mod odd_tree;
mod sandbox;

pub use odd_tree::odd_tree;
pub use sandbox::{Run, Sandbox};
