//! Hermetic fixtures for tests. A sandbox has its own home directory, so that the machine does not
//! influence a test. Never a normal dependency.

mod browser;
mod embedding;
mod http;
mod odd_tree;
mod provider;
mod sandbox;
mod shop;
mod ssh;
mod time;

pub use browser::Browser;
pub use embedding::EmbeddingServer;
pub use http::{HttpServer, USER_AND_PASSWORD};
pub use odd_tree::odd_tree;
pub use provider::ProviderServer;
pub use sandbox::{Run, Sandbox};
pub use shop::shop;
pub use ssh::SshServer;
pub use time::{tick, until};
