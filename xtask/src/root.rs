//! The location of the checkout.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// Returns the root of the checkout that `cargo xtask` was called in.
///
/// Cargo sets `CARGO_MANIFEST_DIR` at run time, too; the value from compile time applies if the
/// program is started by hand.
pub(crate) fn find() -> Result<PathBuf> {
    let manifest_dir = env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    manifest_dir
        .parent()
        .map(Path::to_path_buf)
        .context("the xtask package has no parent folder")
}
