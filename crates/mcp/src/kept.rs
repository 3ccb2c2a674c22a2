//! A folder as it was opened: what reads it, and the settings that hold there, with the
//! files that they are from.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use infiniloom::host::{Packer, Source};
use loom_settings::Settings;

use crate::opener::Opener;

/// So much of a file of settings is compared: more than is read of any.
const SETTINGS: u64 = (1 << 20) + 1;

/// A folder as it was opened.
pub(crate) struct Kept {
    pub(crate) packer: Arc<Packer>,
    pub(crate) settings: Arc<Settings>,
    /// The way from the top of the repository to the root, with its last slash.
    pub(crate) prefix: String,
    /// Warnings about the settings.
    pub(crate) warnings: Vec<String>,
    /// What the files say that the settings are from.
    files: Vec<(PathBuf, Option<Vec<u8>>)>,
}

impl Kept {
    pub(crate) fn open(path: &Path, opener: &Opener) -> Result<Self, String> {
        let opened = opener(path)?;
        let files = opened.files.into_iter();
        let prefix = way(opened.packer.source(), path);
        Ok(Self {
            packer: Arc::new(opened.packer),
            settings: Arc::new(opened.settings),
            prefix,
            warnings: opened.warnings,
            files: files.map(|file| (file.clone(), said(&file))).collect(),
        })
    }

    /// Whether the files say what they said.
    pub(crate) fn has_settings(&self) -> bool {
        self.files.iter().all(|(file, text)| said(file) == *text)
    }
}

/// The way from the top of a source to a folder in it, with its last slash.
fn way(source: &Source, folder: &Path) -> String {
    let mut tops = source.roots();
    let below = tops.find_map(|top| folder.strip_prefix(top).ok()?.to_str());
    match below {
        None | Some("") => String::new(),
        Some(below) => format!("{below}/"),
    }
}

/// What a file of settings says.
fn said(file: &Path) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    let file = std::fs::File::open(file).ok()?;
    file.take(SETTINGS).read_to_end(&mut text).ok()?;
    Some(text)
}
