//! How the server gets at a folder: the caller opens it, with the settings that hold there.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use infiniloom::host::Packer;
use loom_settings::Settings;

/// Opens a folder with the settings that hold there; says what is wrong where that
/// cannot be done.
pub type Opener = Arc<dyn Fn(&Path) -> Result<Opened, String> + Send + Sync>;

/// A folder that was opened.
#[derive(Debug)]
pub struct Opened {
    /// What reads it.
    pub packer: Packer,
    /// The settings that hold there.
    pub settings: Settings,
    /// The files that they are from, or would be.
    pub files: Vec<PathBuf>,
    /// Warnings about these files: every answer repeats them.
    pub warnings: Vec<String>,
}
