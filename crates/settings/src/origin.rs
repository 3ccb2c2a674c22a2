//! The origin of a value, for messages and `config list --origin`.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use crate::quote::plain;

/// Owner of a settings file, which decides the settings that it may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileTrust {
    /// The user's own file.
    User,
    /// A file that came with a repository and may be hostile.
    Repository,
}

/// Settings file: its path for messages, and its trust.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FileOrigin {
    /// Path for messages.
    pub path: PathBuf,
    /// Trust of the file.
    pub trust: FileTrust,
}

impl FileOrigin {
    /// Creates the origin of the user's own file.
    pub fn user(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            trust: FileTrust::User,
        }
    }

    /// Creates the origin of a repository's file.
    pub fn repository(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            trust: FileTrust::Repository,
        }
    }
}

/// Origin of a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Origin {
    /// Default value.
    BuiltIn,
    /// Settings file. Lines and columns (in characters) count from 1.
    File {
        /// File, shared by all of its values.
        file: Arc<FileOrigin>,
        /// Line of the value, or of the key if the key is wrong.
        line: usize,
        /// Column of the value or key.
        column: usize,
    },
    /// Environment variable, by its name.
    Environment(String),
    /// Flag, by its long name without dashes.
    Flag(String),
    /// Program that uses Infiniloom as a library.
    Program,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BuiltIn => f.write_str("built in"),
            Self::File { file, line, column } => {
                let path = plain(&file.path.to_string_lossy());
                write!(f, "{path}:{line}:{column}")
            }
            Self::Environment(name) => write!(f, "environment variable {}", plain(name)),
            Self::Flag(name) => write!(f, "flag --{name}"),
            Self::Program => f.write_str("calling program"),
        }
    }
}
