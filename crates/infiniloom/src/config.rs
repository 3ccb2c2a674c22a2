//! The configuration of an engine, which everything that it opens shares.

use std::path::PathBuf;
use std::sync::Arc;

use loom_host::{CacheOptions, ConfigFiles, PackOptions, Source};
use loom_settings::Resolved;

use crate::Result;
use crate::options::Options;

/// Where derived data is kept between runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cache {
    /// Nowhere.
    #[default]
    Off,
    /// In the directory that the settings name, else in the user's cache directory.
    User,
    /// In this directory.
    Directory(PathBuf),
}

/// The configuration of an engine.
#[derive(Debug)]
pub(crate) struct Engine {
    pub(crate) inputs: Inputs,
    pub(crate) cache: Cache,
    pub(crate) options: Options,
    /// The settings without those of a repository.
    pub(crate) settings: Arc<Resolved>,
}

/// The inputs of settings beside the repository's own file.
#[derive(Clone, Debug, Default)]
pub(crate) enum Inputs {
    #[default]
    Repository,
    User(ConfigFiles),
}

impl Engine {
    /// Resolves the settings that hold for a source.
    pub(crate) fn resolved(&self, source: &Source) -> Result<Resolved> {
        resolved(&self.inputs, &self.options, Some(source))
    }

    /// Returns whether the user's own data counts, such as calibrations.
    pub(crate) fn reads_user_data(&self) -> bool {
        matches!(self.inputs, Inputs::User(_))
    }

    /// Returns whether the engine was built with a cache.
    pub(crate) fn has_cache(&self) -> bool {
        self.cache != Cache::Off
    }

    /// The options with the cache that the engine has.
    pub(crate) fn with_cache(&self, mut options: PackOptions) -> PackOptions {
        match &self.cache {
            Cache::Off => options.cache = None,
            Cache::User => {}
            Cache::Directory(directory) => {
                options.scan.outputs.push(directory.clone());
                let cache = options.cache.take();
                options.cache = Some(CacheOptions {
                    folder: Some(directory.clone()),
                    ..cache.unwrap_or_else(|| CacheOptions::new(None))
                });
            }
        }
        options
    }
}

/// Resolves the settings that hold for a source, or without one.
pub(crate) fn resolved(
    inputs: &Inputs,
    options: &Options,
    source: Option<&Source>,
) -> Result<Resolved> {
    let (layer, values) = options.layers();
    let resolved = match inputs {
        Inputs::Repository => ConfigFiles::resolve_repository(source, layer)?,
        Inputs::User(files) => files.resolve(source, layer)?,
    };
    Ok(match values {
        Some(values) => resolved.overlaid(&values.checked_layer()?),
        None => resolved,
    })
}
