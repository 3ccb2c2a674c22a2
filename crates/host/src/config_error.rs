//! Errors in settings.

use std::io;
use std::path::PathBuf;

use loom_chunk::ChunkOptionsError;
use loom_engine::TemplateError;
use loom_settings::{Problem, Resolved};
use loom_source::InvalidGlob;

use crate::options::BaselineError;
use crate::user_text::UserTextError;
use crate::vocabulary::VocabularyError;

/// Settings that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// Problems in files, variables and flags.
    #[error("{} in the settings", if .0.len() == 1 { "1 problem".to_owned() } else { format!("{} problems", .0.len()) })]
    Problems(Vec<Problem>),
    /// A config file exists or is named by the user, and cannot be read.
    #[error("cannot read the settings file {}", path.display())]
    Unreadable {
        /// Path of the file.
        path: PathBuf,
        /// Cause.
        source: io::Error,
    },
    /// A pattern is not a glob.
    #[error("{origin}: {error}")]
    Glob {
        /// Origin of the setting.
        origin: String,
        /// Cause.
        error: InvalidGlob,
    },
    /// A template or an instruction file cannot be read.
    #[error("{origin}")]
    UserText {
        /// Origin of the setting.
        origin: String,
        /// Cause.
        source: UserTextError,
    },
    /// A template is invalid.
    #[error(transparent)]
    Template(#[from] TemplateError),
    /// A vocabulary file cannot be used.
    #[error("{origin}")]
    Vocabulary {
        /// Origin of the setting.
        origin: String,
        /// Cause.
        source: VocabularyError,
    },
    /// A baseline file cannot be used.
    #[error("{origin}")]
    Baseline {
        /// Origin of the setting.
        origin: String,
        /// Cause.
        source: BaselineError,
    },
    /// The settings name a wrong number of models.
    #[error("{origin}: {names:?} names {count} models; expected {expected}")]
    Models {
        /// Origin of the setting.
        origin: String,
        /// The names as written.
        names: String,
        /// Number of names.
        count: usize,
        /// Expected number.
        expected: &'static str,
    },
    /// No model has this name.
    #[error("{origin}: {}", error.message())]
    UnknownModel {
        /// Origin of the setting.
        origin: String,
        /// The name, with suggestions.
        error: Box<loom_models::UnknownModel>,
    },
    /// The size or the overlap of the chunks is invalid.
    #[error("{origin}: {error}")]
    Chunk {
        /// Origin of the setting.
        origin: String,
        /// Cause.
        error: ChunkOptionsError,
    },
    /// A model that the user describes is invalid.
    #[error("{origin}: {error}")]
    Model {
        /// Origin of the description.
        origin: String,
        /// Cause.
        error: loom_models::OwnModelError,
    },
}

pub(crate) fn origin(resolved: &Resolved, key: &str) -> String {
    let origin = resolved.origin(key);
    origin.map(ToString::to_string).unwrap_or_default()
}
