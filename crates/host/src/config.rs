//! Finds the settings of a run in the user's config file, the repository's config file, the
//! environment and the caller's flags, and converts them into options.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use loom_chunk::{ChunkOptions, ChunkOptionsError, Strategy};
use loom_engine::{Format, Guidance, Template};
use loom_settings::{FileOrigin, InputPath, Layer, Problem, Resolved, Settings, resolve};
use loom_source::{Filter, FilterKind, ScanOptions, Source, TopFile};

use crate::chosen::{Chosen, chosen_models, wrong_number};
use crate::config_error::{ConfigError, origin};
use crate::environment::variable;
use crate::shorten::{idle, shorten_options};
use crate::{
    Baseline, CacheOptions, Confidence, HashChoice, HistoryOptions, PackOptions, SecretsMode,
    SecretsOptions, StoreCompression, cache_folder, read_user_text,
};

/// Name of a config file, the user's and a repository's.
const FILE_NAME: &str = "infiniloom.toml";

/// Maximum size of a config file in bytes, far more than one needs.
const FILE_LIMIT: u64 = 1 << 20;

/// Our environment variables that are not settings.
const OTHER_VARIABLES: &[&str] = &[
    "INFINILOOM_CONFIG",
    "INFINILOOM_EMBEDDING_KEY",
    "INFINILOOM_MCP_TOKEN",
];

/// Selects the config files to read.
#[derive(Clone, Debug, Default)]
pub struct ConfigFiles {
    /// Replaces the path of the user's config file.
    pub user: Option<PathBuf>,
    /// Reads no config file.
    pub none: bool,
}

impl ConfigFiles {
    /// Merges all layers; `flags` override all others.
    ///
    /// # Errors
    /// If a file cannot be read, or a file, the environment or the flags contain errors. The error
    /// lists all of them at once.
    pub fn resolve(
        &self,
        source: Option<&Source>,
        flags: Result<Layer, Vec<Problem>>,
    ) -> Result<Resolved, ConfigError> {
        let mut layers = Vec::new();
        let mut problems = Vec::new();
        let mut take = |layer: Result<Layer, Vec<Problem>>| match layer {
            Ok(layer) => layers.push(layer),
            Err(mut found) => problems.append(&mut found),
        };
        if let Some((path, text)) = self.user_text()? {
            take(Layer::from_toml(&FileOrigin::user(path), &text));
        }
        let mut warnings = Vec::new();
        match source.filter(|_| !self.none).and_then(repository_text) {
            Some(Ok(text)) => take(Layer::from_toml(&FileOrigin::repository(FILE_NAME), &text)),
            Some(Err(warning)) => warnings.push(warning),
            None => {}
        }
        take(Layer::from_env(env::vars_os()));
        take(flags);
        if problems.is_empty() {
            Ok(resolve(layers).with_warnings(warnings))
        } else {
            Err(ConfigError::Problems(problems))
        }
    }

    /// Merges only the config file of the repository at `source` and `layer`, for programs that
    /// must not depend on the user's config file and the environment.
    ///
    /// # Errors
    /// If the file or the layer contains errors. The error lists all of them at once.
    pub fn resolve_repository(
        source: Option<&Source>,
        layer: Result<Layer, Vec<Problem>>,
    ) -> Result<Resolved, ConfigError> {
        let (mut layers, mut problems, mut warnings) = (Vec::new(), Vec::new(), Vec::new());
        let file = match source.and_then(repository_text) {
            Some(Ok(text)) => Some(Layer::from_toml(&FileOrigin::repository(FILE_NAME), &text)),
            Some(Err(warning)) => {
                warnings.push(warning);
                None
            }
            None => None,
        };
        for layer in file.into_iter().chain([layer]) {
            match layer {
                Ok(layer) => layers.push(layer),
                Err(mut found) => problems.append(&mut found),
            }
        }
        match problems.is_empty() {
            true => Ok(resolve(layers).with_warnings(warnings)),
            false => Err(ConfigError::Problems(problems)),
        }
    }

    /// Returns the paths of the config files for `source`, whether or not they exist.
    pub fn places(&self, source: &Source) -> Vec<PathBuf> {
        if self.none {
            return Vec::new();
        }
        let user = self.user_place().map(|(path, _)| path);
        let own = source.folder().map(|folder| folder.join(FILE_NAME));
        user.into_iter().chain(own).collect()
    }

    /// Returns the path of the user's config file, and whether the user named it.
    fn user_place(&self) -> Option<(PathBuf, bool)> {
        let named = self.user.clone().or_else(|| variable("INFINILOOM_CONFIG"));
        let is_named = named.is_some();
        Some((named.or_else(user_file)?, is_named))
    }

    fn user_text(&self) -> Result<Option<(PathBuf, String)>, ConfigError> {
        if self.none {
            return Ok(None);
        }
        let Some((path, is_named)) = self.user_place() else {
            return Ok(None);
        };
        match fs::read_to_string(&path) {
            Ok(text) => Ok(Some((path, text))),
            Err(error) if is_absent(&error) && !is_named => Ok(None),
            Err(source) => Err(ConfigError::Unreadable { path, source }),
        }
    }
}

/// Returns true if the file does not exist. `HOME` may be something other than a directory, such as
/// `/dev/null`.
fn is_absent(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

/// Finds `INFINILOOM_*` variables of this process that are unknown, and suggests a similar name for
/// each.
pub fn unknown_variables() -> Vec<Problem> {
    loom_settings::unknown_variables(env::vars_os(), OTHER_VARIABLES)
}

/// Returns the default path of the user's config file, whether or not it exists.
pub fn user_file() -> Option<PathBuf> {
    let folder = if cfg!(windows) {
        variable("APPDATA")
    } else {
        let config = variable("XDG_CONFIG_HOME").filter(|path| path.is_absolute());
        config.or_else(|| variable("HOME").map(|home| home.join(".config")))
    };
    folder.map(|folder| folder.join("infiniloom").join(FILE_NAME))
}

/// Reads the repository's config file. Returns a warning if it is too large.
fn repository_text(source: &Source) -> Option<Result<String, String>> {
    Some(match source.read_at_top(FILE_NAME, FILE_LIMIT)? {
        TopFile::Bytes(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        TopFile::TooLarge(size) => Err(format!(
            "ignoring the repository's settings in {FILE_NAME}: it has {size} bytes; the limit \
             is {FILE_LIMIT}"
        )),
    })
}

/// Converts the settings into the options of a pack. The run writes `outputs` and must not read
/// them.
///
/// # Errors
/// If a pattern is not a glob, a file cannot be used, or the settings name several models.
pub fn pack_options(resolved: &Resolved, outputs: &[PathBuf]) -> Result<PackOptions, ConfigError> {
    let chosen = chosen_models(resolved)?;
    match <[Chosen; 1]>::try_from(chosen) {
        Ok([chosen]) => pack_options_for(chosen, resolved, outputs),
        Err(several) => Err(wrong_number(resolved, several.len(), "one")),
    }
}

/// Converts the settings into the options of a pack for a model that is already resolved.
///
/// # Errors
/// If a pattern is not a glob, or a file cannot be used.
pub fn pack_options_for(
    Chosen {
        model, mut notes, ..
    }: Chosen,
    resolved: &Resolved,
    outputs: &[PathBuf],
) -> Result<PackOptions, ConfigError> {
    let settings = resolved.settings();
    let shorten = shorten_options(resolved)?;
    notes.extend(idle(resolved, &shorten));
    let cores = std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    Ok(PackOptions {
        scan: ScanOptions {
            filters: filters(settings)?,
            default_ignore: settings.scan.default_ignore,
            ignore_files: settings.scan.ignore_files,
            outputs: outputs
                .iter()
                .chain(cache_dir(settings).as_ref())
                .map(|path| absolute(path))
                .collect(),
            threads: settings.run.threads.count(cores).get(),
            ..ScanOptions::default()
        },
        max_file_size: settings.scan.max_file_size.bytes(),
        format: Format::from_name(settings.pack.format.name()).unwrap_or(Format::Xml),
        template: template(resolved)?,
        guidance: guidance(resolved)?,
        history: history(settings),
        secrets: secrets_options(resolved)?,
        shorten,
        line_numbers: settings.pack.line_numbers,
        model,
        max_memory: settings.run.max_memory.bytes(),
        keeps_text: true,
        cache: cache_options(settings),
        notes,
        threads: Some(settings.run.threads.count(cores)),
    })
}

/// Converts the settings into the options of the cache; `None` if it is disabled or has no
/// directory.
pub fn cache_options(settings: &Settings) -> Option<CacheOptions> {
    let cache = &settings.cache;
    if !cache.enabled {
        return None;
    }
    let mut options = CacheOptions::new(Some(cache_dir(settings)?));
    options.store.limit = cache.max_size.bytes();
    let compression = StoreCompression::from_name(cache.compression.name());
    options.store.compression = compression.unwrap_or_default();
    options.store.hash = HashChoice::from_name(cache.hash.name()).unwrap_or_default();
    Some(options)
}

/// Returns the directory of the cache, even if the cache is disabled.
fn cache_dir(settings: &Settings) -> Option<PathBuf> {
    let named = settings.cache.dir.as_ref();
    let named = named.map(|dir| dir.as_written().into());
    named.or_else(cache_folder)
}

/// Converts the settings into the options of the secret scanner.
///
/// # Errors
/// If a pattern is not a glob, or a baseline cannot be used.
pub fn secrets_options(resolved: &Resolved) -> Result<SecretsOptions, ConfigError> {
    let secrets = &resolved.settings().secrets;
    let mode =
        SecretsMode::from_name(resolved.settings().privacy.secrets.name()).unwrap_or_default();
    let least = Confidence::ALL
        .into_iter()
        .find(|level| level.name() == secrets.confidence.name());
    let mut options =
        SecretsOptions::new(mode).with_min_confidence(least.unwrap_or(Confidence::Medium));
    if let Some(path) = &secrets.baseline {
        let baseline =
            Baseline::read(path.as_written()).map_err(|source| ConfigError::Baseline {
                origin: origin(resolved, "secrets.baseline"),
                source,
            })?;
        options = options.with_baseline(&baseline);
    }
    options
        .allowing(secrets.allow.as_slice())
        .map_err(|error| ConfigError::Glob {
            origin: origin(resolved, "secrets.allow"),
            error,
        })
}

/// Converts the settings into the options of `chunk`.
///
/// # Errors
/// If the size or the overlap of the chunks is invalid.
pub fn chunk_options(resolved: &Resolved) -> Result<ChunkOptions, ConfigError> {
    let chunk = &resolved.settings().chunk;
    let strategy = Strategy::from_name(chunk.strategy.name()).unwrap_or_default();
    let tokens = usize::try_from(chunk.tokens.tokens()).unwrap_or(usize::MAX);
    let overlap = chunk.overlap.map(|overlap| overlap as usize);
    ChunkOptions::new(strategy, tokens, overlap).map_err(|error| {
        let key = match error {
            ChunkOptionsError::Overlap { .. } => "chunk.overlap",
            _ => "chunk.tokens",
        };
        ConfigError::Chunk {
            origin: origin(resolved, key),
            error,
        }
    })
}

fn history(settings: &Settings) -> HistoryOptions {
    HistoryOptions {
        log: settings.pack.log as usize,
        diff: settings.pack.diff,
        staged: settings.pack.staged,
        since: settings.pack.since.clone(),
        changed: settings.scan.changed.clone(),
        highlight: settings.pack.highlight_changes,
    }
}

fn template(resolved: &Resolved) -> Result<Option<Template>, ConfigError> {
    let Some(path) = &resolved.settings().pack.template else {
        return Ok(None);
    };
    let text = user_text(resolved, "pack.template", path)?;
    let name = path.as_written().to_string_lossy();
    Ok(Some(Template::parse(&name, &text)?))
}

fn guidance(resolved: &Resolved) -> Result<Guidance, ConfigError> {
    let pack = &resolved.settings().pack;
    let mut guidance = Guidance::NONE;
    if let Some(header) = &pack.header {
        guidance = guidance.with_header(header);
    }
    if let Some(path) = &pack.instruction_file {
        let text = user_text(resolved, "pack.instruction_file", path)?;
        guidance = guidance.with_instructions(&text);
    }
    Ok(guidance)
}

fn user_text(resolved: &Resolved, key: &str, path: &InputPath) -> Result<String, ConfigError> {
    read_user_text(path.as_written()).map_err(|source| ConfigError::UserText {
        origin: origin(resolved, key),
        source,
    })
}

fn filters(settings: &Settings) -> Result<Vec<Filter>, ConfigError> {
    let filter = |rule: &loom_settings::FilterRule| {
        let kind = match rule.kind {
            loom_settings::FilterKind::Include => FilterKind::Include,
            loom_settings::FilterKind::Exclude => FilterKind::Exclude,
        };
        Filter::new(kind, &rule.glob).map_err(|error| ConfigError::Glob {
            origin: rule.origin.to_string(),
            error,
        })
    };
    settings.scan.filters.rules().iter().map(filter).collect()
}

/// Returns true if two outputs are the same file, so that the second would replace the first.
/// Special files such as `/dev/null` accept both.
pub fn is_same_output(one: &Path, other: &Path) -> bool {
    let is_special = fs::metadata(one).is_ok_and(|meta| !meta.is_file());
    !is_special && absolute(one) == absolute(other)
}

/// Returns the path in the form that the walk produces, even if the file does not exist yet.
fn absolute(path: &Path) -> PathBuf {
    let full = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    if let Ok(existing) = fs::canonicalize(&full) {
        return existing;
    }
    match (
        full.parent()
            .and_then(|parent| fs::canonicalize(parent).ok()),
        full.file_name(),
    ) {
        (Some(parent), Some(name)) => parent.join(name),
        _ => full,
    }
}

#[cfg(test)]
mod tests;
