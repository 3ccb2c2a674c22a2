//! Reads paths from environment variables.

use std::env;
use std::path::PathBuf;

/// Returns the value of a variable if it is not empty.
pub(crate) fn variable(name: &str) -> Option<PathBuf> {
    let value = env::var_os(name).filter(|value| !value.is_empty());
    value.map(PathBuf::from)
}
