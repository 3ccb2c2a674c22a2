//! Serves a repository to agents over the Model Context Protocol: few tools, answers
//! within the tokens that were asked for, every piece with its place. Translates
//! between the protocol and `loom-host`; what is found, ranked and hidden is decided
//! there.

mod answer;
mod arguments;
mod http;
mod prompts;
mod resources;
mod root;
mod roots;
mod server;
mod tools;

pub use http::{HTTP_PATH, HttpError, HttpOptions, serve_http};
pub use roots::{Opener, Roots};
pub use server::{Server, serve_stdio};
