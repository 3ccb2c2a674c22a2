//! Fills the shapes of `loom-wire`, in one place for every edge: the command, the MCP server,
//! the later server and the bindings. Text for people and exit codes belong to the edges.

pub mod cache;
pub mod calibration;
pub mod chunks;
pub mod context;
pub mod index;
pub mod map;
pub mod models;
pub mod navigation;
mod rounding;
pub mod sarif;
pub mod scan;
pub mod search;
pub mod settings;
pub mod symbols;
pub mod tokens;
pub mod why;
