//! The configuration of an engine, which everything that it opens shares.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use loom_host::{CacheOptions, ConfigFiles, PackOptions, SecretsScope, Source};
use loom_settings::Resolved;

use crate::Result;
use crate::options::Options;

/// The settings file of a repository.
const NAME: &str = "infiniloom.toml";

/// Bytes of a settings file to compare: one more than the largest file that is read.
const MOST_SETTINGS: u64 = (1 << 20) + 1;

/// The location of data that is cached between runs.
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
    /// Whether the engine never contacts a provider.
    pub(crate) is_offline: bool,
    /// Whether the engine reads only inside the roots.
    pub(crate) stays_inside: bool,
    /// The settings without those of a repository.
    pub(crate) settings: Arc<Resolved>,
}

/// The inputs of settings other than the repository's own file.
#[derive(Clone, Debug, Default)]
pub(crate) enum Inputs {
    #[default]
    Repository,
    User(ConfigFiles),
}

impl Engine {
    /// Resolves the settings for a source.
    pub(crate) fn resolved(&self, source: &Source) -> Result<Resolved> {
        resolved(&self.inputs, &self.options, Some(source))
    }

    /// Returns whether the engine uses the user's own data, such as calibrations.
    pub(crate) fn reads_user_data(&self) -> bool {
        matches!(self.inputs, Inputs::User(_))
    }

    /// Returns whether the engine was built with a cache.
    pub(crate) fn has_cache(&self) -> bool {
        self.cache != Cache::Off
    }

    /// Reads the settings files of a source.
    pub(crate) fn settings_texts(&self, source: &Source) -> SettingsTexts {
        let files = match &self.inputs {
            Inputs::User(files) => files.places(source),
            Inputs::Repository => source.roots().map(|root| root.join(NAME)).collect(),
        };
        SettingsTexts::read(files)
    }

    /// Applies the engine's cache and limits to the options.
    pub(crate) fn with_cache(&self, mut options: PackOptions) -> PackOptions {
        if self.stays_inside {
            options.secrets.scope = SecretsScope::Roots;
        }
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

/// The texts of settings files. While they do not change, the settings do not change.
#[derive(Debug, Default)]
pub(crate) struct SettingsTexts {
    files: Vec<(PathBuf, Option<Vec<u8>>)>,
}

impl SettingsTexts {
    fn read(files: Vec<PathBuf>) -> Self {
        let read = |file: PathBuf| {
            let text = settings_text(&file);
            (file, text)
        };
        Self {
            files: files.into_iter().map(read).collect(),
        }
    }

    /// Returns whether the files still have these texts.
    pub(crate) fn is_current(&self) -> bool {
        self.files
            .iter()
            .all(|(file, text)| settings_text(file) == *text)
    }
}

/// Returns the text of a settings file. A repository may put a named pipe there, which would block
/// the reader.
fn settings_text(file: &Path) -> Option<Vec<u8>> {
    std::fs::metadata(file)
        .ok()
        .filter(std::fs::Metadata::is_file)?;
    let mut text = Vec::new();
    let file = std::fs::File::open(file).ok()?;
    file.take(MOST_SETTINGS).read_to_end(&mut text).ok()?;
    Some(text)
}

/// Resolves the settings for a source, or without one.
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
