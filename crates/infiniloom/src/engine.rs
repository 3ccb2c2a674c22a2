//! The engine: configuration and handles that all repositories of a program share.

use std::path::PathBuf;
use std::sync::Arc;

use loom_host::{ConfigFiles, Source, registry};
use loom_settings::{Layer, Resolved, resolve};
use loom_wire::SettingsFileInfo;

use crate::config::{Cache, Engine, Inputs, resolved};
use crate::options::{Options, Settings};
use crate::repository::Repository;
use crate::root::Root;
use crate::settings_file::files;
use crate::{Control, Model, Result};

/// The engine, which opens repositories and resolves models. Clones share the configuration.
///
/// By default, an engine reads only the roots that it opens: no user files, no environment, no
/// cache, no network.
#[derive(Clone, Debug)]
pub struct Infiniloom {
    engine: Arc<Engine>,
}

/// The builder of an engine.
#[derive(Clone, Debug, Default)]
pub struct InfiniloomBuilder {
    inputs: Inputs,
    cache: Cache,
    options: Options,
    is_offline: bool,
    stays_inside: bool,
}

impl InfiniloomBuilder {
    /// Keeps derived data between runs, so that the next run is faster.
    #[must_use]
    pub fn cache(mut self, cache: Cache) -> Self {
        self.cache = cache;
        self
    }

    /// Reads the user's settings file and the environment, as the command does.
    #[must_use]
    pub fn user_settings(self) -> Self {
        self.config_files(ConfigFiles::default())
    }

    /// Reads the environment and this file instead of the user's settings file.
    #[must_use]
    pub fn user_settings_file(self, path: impl Into<PathBuf>) -> Self {
        self.config_files(ConfigFiles {
            user: Some(path.into()),
            none: false,
        })
    }

    /// Reads the environment and no settings file: neither the user's nor a repository's.
    #[must_use]
    pub fn without_settings_files(self) -> Self {
        self.config_files(ConfigFiles {
            user: None,
            none: true,
        })
    }

    fn config_files(mut self, files: ConfigFiles) -> Self {
        self.inputs = Inputs::User(files);
        self
    }

    /// Sets values for all queries. They override every settings file.
    #[must_use]
    pub fn options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// Never contacts a provider, even if the settings name one: the built-in table compares
    /// meanings.
    #[must_use]
    pub fn offline(mut self) -> Self {
        self.is_offline = true;
        self
    }

    /// Reads nothing outside the roots. Secrets that only another part of the work tree reveals are
    /// then not redacted.
    #[must_use]
    pub fn stay_inside_roots(mut self) -> Self {
        self.stays_inside = true;
        self
    }

    /// Builds the engine.
    ///
    /// # Errors
    /// If an option or a setting of the user is invalid: all of them at once.
    pub fn build(self) -> Result<Infiniloom> {
        let settings = resolved(&self.inputs, &self.options, None)?;
        registry(&settings)?;
        Ok(self.with_settings(settings))
    }

    /// Builds the engine without checking its settings. [`Infiniloom::open`] reports everything
    /// that is invalid in them and in those of the repository at once. Until then, the defaults
    /// replace invalid settings.
    pub fn build_unchecked(self) -> Infiniloom {
        let settings = resolved(&self.inputs, &self.options, None);
        let settings = settings.unwrap_or_else(|_| resolve(std::iter::empty::<Layer>()));
        self.with_settings(settings)
    }

    fn with_settings(self, settings: Resolved) -> Infiniloom {
        Infiniloom {
            engine: Arc::new(Engine {
                inputs: self.inputs,
                cache: self.cache,
                options: self.options,
                is_offline: self.is_offline,
                stays_inside: self.stays_inside,
                settings: Arc::new(settings),
            }),
        }
    }
}

impl Infiniloom {
    /// Creates an engine that reads only the roots that it opens.
    pub fn new() -> Self {
        Self {
            engine: Arc::new(Engine {
                inputs: Inputs::Repository,
                cache: Cache::Off,
                options: Options::new(),
                is_offline: false,
                stays_inside: false,
                settings: Arc::new(resolve(std::iter::empty::<Layer>())),
            }),
        }
    }

    /// Configures an engine.
    pub fn builder() -> InfiniloomBuilder {
        InfiniloomBuilder::default()
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Opens a directory, a file or another root. Text is always a path.
    ///
    /// # Errors
    /// If the root does not exist or cannot be read, or its settings are invalid.
    pub fn open(&self, root: impl Into<Root>) -> Result<Repository> {
        self.open_all([root.into()])
    }

    /// Opens several roots as one repository. Paths of results then start with the names of
    /// their roots.
    ///
    /// # Errors
    /// If a root does not exist or cannot be read, or the settings are invalid.
    pub fn open_all(&self, roots: impl IntoIterator<Item = Root>) -> Result<Repository> {
        self.open_with(roots, &Control::new())
    }

    /// Opens several roots, like [`open_all`](Self::open_all), under the control of the caller:
    /// fetching a remote takes time.
    ///
    /// # Errors
    /// If a root does not exist or cannot be read, the settings are invalid, or the run is
    /// cancelled.
    pub fn open_with(
        &self,
        roots: impl IntoIterator<Item = Root>,
        control: &Control,
    ) -> Result<Repository> {
        let roots: Vec<Root> = roots.into_iter().collect();
        control.run(|| Repository::open(&self.engine, roots, control))
    }

    /// Opens a source that the library made itself.
    pub(crate) fn open_source(&self, source: Source) -> Result<Repository> {
        Repository::from_source(&self.engine, source)
    }

    /// Lists the paths of the settings files of a root, including missing ones. It does not read
    /// them.
    ///
    /// # Errors
    /// If the root does not exist or cannot be read.
    pub fn settings_files(&self, root: impl Into<Root>) -> Result<Vec<SettingsFileInfo>> {
        let source = Root::open_all(&[root.into()], 0, &Control::new())?;
        Ok(files(&self.engine, source.roots()))
    }

    /// Resolves the name of a model, as people write it.
    ///
    /// # Errors
    /// If no model has the name; the hint suggests the nearest.
    pub fn model(&self, name: &str) -> Result<Model> {
        let registry = registry(&self.engine.settings)?;
        Ok(Model::from_found(name, registry.find(name)?))
    }

    /// Returns all models, including those that the user describes.
    pub fn models(&self) -> Vec<Model> {
        // Building the engine already checked the user's own descriptions.
        let registry = registry(&self.engine.settings);
        let models = registry.iter().flat_map(|registry| registry.models());
        models.map(Model::from_registry).collect()
    }

    /// Returns the settings without a repository.
    pub fn settings(&self) -> Settings {
        Settings::new(Arc::clone(&self.engine.settings))
    }
}

impl Default for Infiniloom {
    fn default() -> Self {
        Self::new()
    }
}
