//! A source and the choices about it, ready to be packed.

mod caching;

use std::path::Path;
use std::sync::{Arc, OnceLock};

use loom_source::{OpenError, Source};
use loom_syntax::{Language, Limits, Structure};

use crate::cache::Cache;
use crate::memory_gate::MemoryGate;
use crate::options::{PackOptions, SecretsMode};

/// Packs one source: its configuration and handles. Several runs may use it at the same
/// time; the findings of each are in its [`Run`](crate::Run).
#[derive(Debug)]
pub struct Packer {
    pub(crate) source: Arc<Source>,
    pub(crate) options: PackOptions,
    /// What is remembered between runs.
    pub(crate) cache: OnceLock<Option<Arc<Cache>>>,
    /// The memory that parses of all runs share.
    pub(crate) parses: MemoryGate,
    /// The memory that large texts of all runs share.
    pub(crate) texts: MemoryGate,
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
        Self::sharing(Arc::new(source), options)
    }

    /// The same trees with other choices.
    pub fn with_options(&self, options: PackOptions) -> Self {
        Self::sharing(Arc::clone(&self.source), options)
    }

    /// Another source with the same choices.
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

    /// Extracts the structure of a text when there is memory for its parse.
    pub(crate) fn extract(&self, language: Language, text: &str, limits: &Limits) -> Structure {
        self.parses.extract(language, text, limits)
    }

    /// Runs `work`, which parses a text of so many bytes, when there is memory for it.
    pub(crate) fn parsing<T>(&self, bytes: usize, work: impl FnOnce() -> T) -> T {
        self.parses.parsing(bytes, work)
    }

    /// The choices.
    pub fn options(&self) -> &PackOptions {
        &self.options
    }

    /// The trees that are read.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// What is done about secrets.
    pub fn secrets_mode(&self) -> SecretsMode {
        self.options.secrets.mode
    }
}
