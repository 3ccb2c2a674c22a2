//! Paths in variables of the environment.

use std::env;
use std::path::PathBuf;

/// What a variable holds, where it holds anything.
pub(crate) fn variable(name: &str) -> Option<PathBuf> {
    let value = env::var_os(name).filter(|value| !value.is_empty());
    value.map(PathBuf::from)
}
