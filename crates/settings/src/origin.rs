//! Where a value was written: the place that a message names and that
//! `config list --origin` shows.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use crate::quote::plain;

/// Whose file it is, which decides what it may set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileTrust {
    /// The user's own file.
    User,
    /// A file that came with a repository and may be hostile.
    Repository,
}

/// A settings file: its path as messages show it, and whose it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FileOrigin {
    /// The path to show.
    pub path: PathBuf,
    /// Whose file it is.
    pub trust: FileTrust,
}

impl FileOrigin {
    /// The user's own file.
    pub fn user(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            trust: FileTrust::User,
        }
    }

    /// The file of a repository.
    pub fn repository(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            trust: FileTrust::Repository,
        }
    }
}

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Origin {
    /// The default.
    BuiltIn,
    /// A settings file. Lines and columns (in characters) count from 1.
    File {
        /// The file, shared by all that it says.
        file: Arc<FileOrigin>,
        /// The line of the value, or of the key where the key is wrong.
        line: usize,
        /// The column there.
        column: usize,
    },
    /// An environment variable, by its name.
    Environment(String),
    /// A flag, by its long name without dashes.
    Flag(String),
    /// A program that uses Infiniloom as a library.
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
