//! A source and the choices about it, ready to be packed.

use std::path::Path;

use loom_base::RepoPath;
use loom_source::{OpenError, Reason, Source};

use crate::PackOptions;
use crate::load::load;

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
        Ok(Self::new(Source::open(paths)?, options))
    }

    /// Packs what is already open.
    pub fn new(source: Source, options: PackOptions) -> Self {
        Self { source, options }
    }

    /// Of a single file that the rules take: the reason for which its contents leave
    /// it out, if there is one.
    pub fn left_out_by_contents(&self) -> Option<(RepoPath, Reason)> {
        let scan = self.source.scan(&self.options.scan);
        let file = scan.files.first()?;
        // Taken by the rules, not because it was named.
        let file = file.clone().as_found();
        let reason = load(&self.source, &self.options, &file).err()?;
        Some((file.path, reason))
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
