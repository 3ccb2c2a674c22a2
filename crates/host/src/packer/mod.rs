//! The packer: a source with the options of its runs.

mod caching;
mod listing;

use std::path::Path;
use std::sync::{Arc, OnceLock};

use loom_source::{OpenError, Source};
use loom_syntax::{Language, Limits, Structure};

use crate::cache::Cache;
use crate::memory_gate::MemoryGate;
use crate::options::{PackOptions, SecretsMode};

/// Source and options for packing, without the state of a run. Several runs may use a packer at the
/// same time; the findings of each are in its [`Run`](crate::Run).
#[derive(Debug)]
pub struct Packer {
    pub(crate) source: Arc<Source>,
    pub(crate) options: PackOptions,
    /// The cache, once it is opened.
    pub(crate) cache: OnceLock<Option<Arc<Cache>>>,
    /// Memory that the parses of all runs share.
    pub(crate) parses: MemoryGate,
    /// Memory that the large texts of all runs share.
    pub(crate) texts: MemoryGate,
}

impl Packer {
    /// Opens the directories and files that the user names.
    ///
    /// # Errors
    /// If one of them does not exist or cannot be read.
    pub fn open(paths: &[impl AsRef<Path>], options: PackOptions) -> Result<Self, OpenError> {
        Ok(Self::new(Source::open(paths)?, options))
    }

    /// Creates a packer for an open source.
    pub fn new(source: Source, options: PackOptions) -> Self {
        Self::sharing(Arc::new(source), options)
    }

    /// Creates a packer for the same source with other options.
    pub fn with_options(&self, options: PackOptions) -> Self {
        Self::sharing(Arc::clone(&self.source), options)
    }

    /// Creates a packer for another source with the same options.
    pub(crate) fn with_source(&self, source: Source) -> Self {
        Self::sharing(Arc::new(source), self.options.clone())
    }

    fn sharing(source: Arc<Source>, options: PackOptions) -> Self {
        Self {
            source,
            cache: OnceLock::new(),
            parses: MemoryGate::new(options.memory().parses()),
            texts: MemoryGate::new(options.memory().texts()),
            options,
        }
    }

    /// Extracts the structure of a text as soon as there is memory for its parse.
    pub(crate) fn extract(&self, language: Language, text: &str, limits: &Limits) -> Structure {
        self.parses.extract(language, text, limits)
    }

    /// Runs `work`, which parses a text of `bytes` bytes, as soon as there is memory for it.
    pub(crate) fn parsing<T>(&self, bytes: usize, work: impl FnOnce() -> T) -> T {
        self.parses.parsing(bytes, work)
    }

    /// Returns the options.
    pub fn options(&self) -> &PackOptions {
        &self.options
    }

    /// Returns the source.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Returns the treatment of secrets.
    pub fn secrets_mode(&self) -> SecretsMode {
        self.options.secrets.mode
    }
}
