//! A source and the choices about it, ready to be packed.

use std::path::Path;

use loom_source::{OpenError, Source};

use crate::PackOptions;

/// Packs one source.
#[derive(Debug)]
pub struct Packer {
    pub(crate) source: Source,
    pub(crate) options: PackOptions,
}

impl Packer {
    /// Opens the folders and files that the user named.
    ///
    /// # Errors
    /// When one of them does not exist or cannot be read.
    pub fn open(paths: &[impl AsRef<Path>], options: PackOptions) -> Result<Self, OpenError> {
        let source = Source::open(paths)?;
        Ok(Self { source, options })
    }

    /// The choices.
    pub fn options(&self) -> &PackOptions {
        &self.options
    }

    /// The trees that are read.
    pub fn source(&self) -> &Source {
        &self.source
    }
}
