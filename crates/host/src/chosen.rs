//! Resolves the models that the settings name, and how each counts tokens.

use std::borrow::Cow;
use std::collections::HashSet;

use loom_models::{FileKind, Model, ModelMatch, NameMatch, Registry, UnknownModel, file_kind};
use loom_settings::{Origin, Resolved};

use crate::config_error::{ConfigError, origin};
use crate::vocabulary::read_vocabulary;

/// Returns the registry of models: the built-in ones and those that the user's settings describe.
///
/// # Errors
/// If one of the user's descriptions is invalid.
pub fn registry(resolved: &Resolved) -> Result<Cow<'static, Registry>, ConfigError> {
    let (built_in, own) = (Registry::built_in(), resolved.models());
    if own.is_empty() {
        return Ok(Cow::Borrowed(built_in));
    }
    let all = built_in.with(own).map_err(|error| ConfigError::Model {
        origin: "[[models]]".to_owned(),
        error,
    })?;
    Ok(Cow::Owned(all))
}

/// Maximum number of models at once. Each name is compared with all known ones, and a repository's
/// config file may contain a megabyte of names.
const MOST_MODELS: usize = 64;
const MOST_EXPECTED: &str = "at most 64";

/// Maximum number of characters of a setting that a message quotes.
const QUOTED: usize = 200;

/// A model that the settings name, with notes for the user.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// The model. An unknown model has the most cautious facts; it is accepted if a vocabulary file
    /// counts for it or if it is another size of a known model.
    pub model: Model,
    /// Its name in the settings.
    pub typed: String,
    /// How well the name matches; `None` for an unknown model.
    pub fit: Option<NameMatch>,
    /// Notes for the user.
    pub notes: Vec<String>,
}

/// Resolves the models that the settings name, separated by commas.
///
/// # Errors
/// If one of the user's model descriptions is invalid, or a vocabulary file cannot be used.
pub fn chosen_models(resolved: &Resolved) -> Result<Vec<Chosen>, ConfigError> {
    let registry = registry(resolved)?;
    let names = resolved.settings().model.name.split(',');
    let names = names.map(str::trim).filter(|name| !name.is_empty());
    let mut names: Vec<&str> = names.collect();
    let mut seen = HashSet::new();
    names.retain(|name| seen.insert(*name));
    if names.is_empty() {
        return Err(wrong_number(resolved, 0, "at least one"));
    }
    if names.len() > MOST_MODELS {
        return Err(wrong_number(resolved, names.len(), MOST_EXPECTED));
    }
    // The vocabulary file applies to models with a specific kind of file. Without such a model, it
    // applies to those of kind `Other`.
    let kind = |name: &&str| match registry.resolve(name) {
        Ok(model) => file_kind(model.tokenizer),
        Err(unknown) => file_kind(unknown.fallback().tokenizer),
    };
    let kinds: Vec<_> = names.iter().filter_map(kind).collect();
    let is_certain = kinds.iter().any(|&kind| kind != FileKind::Other);
    let by_file = |name: &&str| match kind(name) {
        Some(FileKind::Other) => !is_certain,
        Some(_) => true,
        // If no model has a kind of file, only a file that the user passes as a flag applies. A
        // file from a config file may be meant for another model.
        None => kinds.is_empty() && is_flag(resolved, "model.vocabulary"),
    };
    let choose_one = |name: &&str| choose(&registry, name, resolved, by_file(name));
    names.iter().map(choose_one).collect()
}

fn is_flag(resolved: &Resolved, key: &str) -> bool {
    matches!(resolved.origin(key), Some(Origin::Flag(_)))
}

pub(crate) fn wrong_number(
    resolved: &Resolved,
    count: usize,
    expected: &'static str,
) -> ConfigError {
    ConfigError::Models {
        origin: origin(resolved, "model.name"),
        names: resolved
            .settings()
            .model
            .name
            .chars()
            .take(QUOTED)
            .collect(),
        count,
        expected,
    }
}

fn choose(
    registry: &Registry,
    name: &str,
    resolved: &Resolved,
    by_file: bool,
) -> Result<Chosen, ConfigError> {
    let found = match registry.find(name) {
        Ok(found) => found,
        Err(unknown) => return choose_unknown(&unknown, name, resolved, by_file),
    };
    let mut notes = taken_as(name, found, resolved);
    let mut model = found.model.clone();
    if by_file {
        match with_vocabulary(model.clone(), resolved) {
            Ok(counting) => model = counting,
            // The config file names the vocabulary of another model: a note is enough.
            Err(ConfigError::Vocabulary { origin, source })
                if !is_flag(resolved, "model.vocabulary") =>
            {
                notes.push(format!("{origin}: {source}: {name} is estimated"));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(Chosen {
        model,
        typed: name.to_owned(),
        fit: Some(found.fit),
        notes,
    })
}

/// Returns a note if a name matches only a part of the model's name.
fn taken_as(
    name: &str,
    ModelMatch { model, fit }: ModelMatch<'_>,
    resolved: &Resolved,
) -> Vec<String> {
    let note = || {
        let origin = origin(resolved, "model.name");
        format!(
            "{origin}: no model {name:?} is known; taken as {}",
            model.name
        )
    };
    (fit == NameMatch::Part).then(note).into_iter().collect()
}

fn choose_unknown(
    unknown: &UnknownModel,
    name: &str,
    resolved: &Resolved,
    by_file: bool,
) -> Result<Chosen, ConfigError> {
    let mut model = unknown.fallback();
    if by_file {
        model = with_vocabulary(model, resolved)?;
    }
    let has_file = by_file && resolved.settings().model.vocabulary.is_some();
    let counted = match unknown.relative() {
        _ if has_file => "tokens are counted by the vocabulary file".to_owned(),
        Some(relative) => format!("tokens are counted as for {relative}"),
        // The name may be misspelt: its tokens and its window would be guesses.
        None => {
            return Err(ConfigError::UnknownModel {
                origin: origin(resolved, "model.name"),
                error: Box::new(unknown.clone()),
            });
        }
    };
    let note = format!(
        "{}: {}: {counted}, and its window is taken as {}; {}",
        origin(resolved, "model.name"),
        unknown.message(),
        model.limits.window,
        unknown.hint(),
    );
    Ok(Chosen {
        model,
        typed: name.to_owned(),
        fit: None,
        notes: vec![note],
    })
}

/// Returns the model with the vocabulary file that the user names, if any.
fn with_vocabulary(mut model: Model, resolved: &Resolved) -> Result<Model, ConfigError> {
    let Some(path) = &resolved.settings().model.vocabulary else {
        return Ok(model);
    };
    let problem = |source| ConfigError::Vocabulary {
        origin: origin(resolved, "model.vocabulary"),
        source,
    };
    let vocabulary = read_vocabulary(model.tokenizer, path.as_written()).map_err(problem)?;
    model.tokenizer = vocabulary.into();
    Ok(model)
}
