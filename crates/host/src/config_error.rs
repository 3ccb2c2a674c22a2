//! Why settings cannot be used.

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
    /// What is wrong in files, variables and flags.
    #[error("{} in the settings", if .0.len() == 1 { "1 problem".to_owned() } else { format!("{} problems", .0.len()) })]
    Problems(Vec<Problem>),
    /// A file that the user named, or has, cannot be read.
    #[error("cannot read the settings file {}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A pattern is not a glob.
    #[error("{origin}: {error}")]
    Glob {
        /// Where it is written.
        origin: String,
        /// What is wrong.
        error: InvalidGlob,
    },
    /// A template or instructions cannot be read.
    #[error("{origin}")]
    UserText {
        /// Where it is named.
        origin: String,
        /// What is wrong.
        source: UserTextError,
    },
    /// A template is wrong.
    #[error(transparent)]
    Template(#[from] TemplateError),
    /// A vocabulary file cannot be used.
    #[error("{origin}")]
    Vocabulary {
        /// Where it is named.
        origin: String,
        /// What is wrong.
        source: VocabularyError,
    },
    /// A baseline of secrets cannot be used.
    #[error("{origin}")]
    Baseline {
        /// Where it is named.
        origin: String,
        /// What is wrong.
        source: BaselineError,
    },
    /// The models are not one where one is needed, or none at all.
    #[error("{origin}: {names:?} names {count} models; expected {expected}")]
    Models {
        /// Where they are named.
        origin: String,
        /// As they are written.
        names: String,
        /// How many they are.
        count: usize,
        /// How many there should be.
        expected: &'static str,
    },
    /// No model has that name.
    #[error("{origin}: {}", error.message())]
    UnknownModel {
        /// Where it is named.
        origin: String,
        /// The name, and what may be meant.
        error: Box<loom_models::UnknownModel>,
    },
    /// There can be no chunks of that size.
    #[error("{origin}: {error}")]
    Chunk {
        /// Where it is written.
        origin: String,
        /// What is wrong.
        error: ChunkOptionsError,
    },
    /// A model of the user's own makes no sense.
    #[error("{origin}: {error}")]
    Model {
        /// Where it is written.
        origin: String,
        /// What is wrong.
        error: loom_models::OwnModelError,
    },
}

pub(crate) fn origin(resolved: &Resolved, key: &str) -> String {
    let origin = resolved.origin(key);
    origin.map(ToString::to_string).unwrap_or_default()
}
