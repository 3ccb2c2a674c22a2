//! How the server gets at a folder: the caller opens it, with the settings that hold there.

use std::path::Path;
use std::sync::Arc;

use infiniloom::{Repository, Result};

/// Opens a folder with the settings that hold there.
pub type Opener = Arc<dyn Fn(&Path) -> Result<Repository> + Send + Sync>;
