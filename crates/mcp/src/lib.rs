//! Serves a repository to agents over the Model Context Protocol: few tools, answers
//! within the tokens that were asked for, every piece with its place. Translates
//! between the protocol and the library; what is found, ranked and hidden is decided
//! there. Also puts the server into the configuration of clients, and checks that.

mod address;
mod answer;
mod arguments;
mod client_limits;
mod clients;
mod doctor;
mod http;
mod log;
mod one_line;
mod opener;
mod prompts;
mod request_id;
mod resources;
mod root;
mod roots;
mod server;
mod setup;
mod sources;
mod stdio;
mod synonyms;
mod tool_error;
mod tools;

pub use clients::{CLIENTS, Client, Places, SERVER_NAME, Scope, System};
pub use doctor::{Check, Doctor, Outcome, RootsIn};
pub use http::{HTTP_PATH, HttpError, HttpLimits, HttpOptions, serve_http};
pub use opener::Opener;
pub use roots::Roots;
pub use server::{Server, serve_stdio};
pub use setup::{Change, SetupError, plan_install, plan_uninstall};
