//! The operations of a type that can be the value of a setting. Each type has a file below;
//! `setting` has the settings.

mod boolean;
mod choice;
mod extent;
mod globs;
mod input;
mod number;
mod optional;
mod path;
mod several;
mod size;
mod text;
mod tokens;
mod weight;

use std::ffi::OsStr;

pub use choice::Choice;
pub(crate) use choice::{choices, no_choice, one_of};
pub use extent::Extent;
pub use globs::Globs;
pub(crate) use globs::MOST_GLOBS;
pub use input::InputPath;
pub use number::Threads;
pub use path::{Anchor, OutputPath, Places};
pub use several::Several;
pub use size::ByteSize;
pub use tokens::TokenCount;
pub use weight::Weight;

use crate::quote::{found_in, quoted};

/// Kind of value, for command-line parsers and editors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shape {
    /// True or false; its flag takes no value.
    Switch,
    /// Number of times that a flag is given; it takes no value.
    Counter,
    /// A whole number.
    Integer,
    /// A number from 0 to 1.
    Weight,
    /// A number of bytes with an optional unit.
    Size,
    /// A number of tokens, such as `100k`.
    Tokens,
    /// A number of tokens, or of bytes with their unit.
    Extent,
    /// Any text.
    Text,
    /// A path to a file.
    Path,
    /// One of several words.
    Choice(&'static [Choice]),
    /// List of such words, separated by commas.
    Words(&'static [Choice]),
    /// List of globs: its flag may be repeated and takes commas.
    Globs,
}

impl Shape {
    /// Returns whether the flag takes a value.
    pub fn takes_value(self) -> bool {
        !matches!(self, Self::Switch | Self::Counter)
    }

    /// Returns whether repeating the flag adds to the earlier value.
    pub fn is_repeatable(self) -> bool {
        matches!(self, Self::Counter | Self::Globs)
    }

    /// Returns the valid words; empty for other kinds of values.
    pub fn choices(self) -> &'static [Choice] {
        match self {
            Self::Choice(choices) | Self::Words(choices) => choices,
            _ => &[],
        }
    }

    /// Returns the kind in words, for the reference.
    pub fn name(self) -> &'static str {
        match self {
            Self::Switch => "boolean",
            Self::Counter | Self::Integer => "integer",
            Self::Weight => "number from 0 to 1",
            Self::Size => "size",
            Self::Tokens => "number of tokens",
            Self::Extent => "number of tokens or size",
            Self::Text => "text",
            Self::Path => "path",
            Self::Choice(_) => "choice",
            Self::Words(_) => "list of choices",
            Self::Globs => "list of globs",
        }
    }
}

/// Type whose values can be written in a file, a variable and a flag.
pub(crate) trait Value: Clone + Send + Sync + 'static {
    const SHAPE: Shape;

    /// Parses the text of a variable or a flag.
    fn from_text(text: &str) -> Result<Self, InvalidValue>;

    /// Parses text that may be invalid UTF-8.
    fn from_os(text: &OsStr) -> Result<Self, InvalidValue> {
        match text.to_str() {
            Some(text) => Self::from_text(text),
            None => Err(InvalidValue::new(
                "UTF-8 text",
                quoted(&text.to_string_lossy()),
            )),
        }
    }

    /// Parses a value of a file.
    fn from_toml(value: &toml_edit::Value) -> Result<Self, InvalidValue>;

    /// Returns the text that [`Value::from_text`] parses as this value.
    fn show(&self) -> String;

    /// Returns the TOML that [`Value::from_toml`] parses as this value.
    fn to_toml(&self) -> toml_edit::Value;

    /// Returns the JSON schema of the type.
    fn schema() -> serde_json::Value;

    /// Converts the value to its meaning in a repository's file.
    fn in_repository(self) -> Self {
        self
    }

    /// Returns whether the value is more than `limit`, for types with an order.
    fn exceeds(&self, _limit: &Self) -> bool {
        false
    }

    /// Returns the reason why a repository's file may not have the value: acting on it would cost
    /// more than the file itself, for every file of the repository.
    fn too_costly(&self) -> Option<InvalidValue> {
        None
    }

    /// Returns whether the value is a path outside of the repository.
    fn leaves_repository(&self) -> bool {
        false
    }
}

/// Error: a type does not accept a value.
#[derive(Debug, thiserror::Error)]
#[error("expected {expected}, found {found}")]
pub(crate) struct InvalidValue {
    pub(crate) expected: String,
    pub(crate) found: String,
    pub(crate) nearest: Option<String>,
}

impl InvalidValue {
    pub(crate) fn new(expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self {
            expected: expected.into(),
            found: found.into(),
            nearest: None,
        }
    }

    pub(crate) fn toml(expected: impl Into<String>, found: &toml_edit::Value) -> Self {
        Self::new(expected, found_in(found))
    }
}

#[cfg(test)]
mod tests;
