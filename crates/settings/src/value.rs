//! What a type must do to be the value of a setting. Each type is a file below;
//! which settings there are is in `setting`.

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

/// The kind of a value, as far as a command-line parser or an editor cares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shape {
    /// True or false; its flag takes no value.
    Switch,
    /// How many times a flag is given; it takes no value.
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
    /// One of a few words.
    Choice(&'static [Choice]),
    /// Several of a few words, with commas between them.
    Words(&'static [Choice]),
    /// A list of globs: its flag may be repeated and takes commas.
    Globs,
}

impl Shape {
    /// Whether the flag is followed by a value.
    pub fn takes_value(self) -> bool {
        !matches!(self, Self::Switch | Self::Counter)
    }

    /// Whether giving the flag again adds to what was given before.
    pub fn is_repeatable(self) -> bool {
        matches!(self, Self::Counter | Self::Globs)
    }

    /// The words to choose from; empty where any value may be right.
    pub fn choices(self) -> &'static [Choice] {
        match self {
            Self::Choice(choices) | Self::Words(choices) => choices,
            _ => &[],
        }
    }

    /// The kind in words, for the reference.
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

/// A type whose values can be written in a file, a variable and a flag.
pub(crate) trait Value: Clone + Send + Sync + 'static {
    const SHAPE: Shape;

    /// Reads the text of a variable or a flag.
    fn from_text(text: &str) -> Result<Self, Unfit>;

    /// The same where the text need not be UTF-8.
    fn from_os(text: &OsStr) -> Result<Self, Unfit> {
        match text.to_str() {
            Some(text) => Self::from_text(text),
            None => Err(Unfit::new("UTF-8 text", quoted(&text.to_string_lossy()))),
        }
    }

    /// Reads a value of a file.
    fn from_toml(value: &toml_edit::Value) -> Result<Self, Unfit>;

    /// The text that [`Value::from_text`] reads as this value.
    fn show(&self) -> String;

    /// The value that [`Value::from_toml`] reads as this one.
    fn to_toml(&self) -> toml_edit::Value;

    /// What a JSON schema says of the type.
    fn schema() -> serde_json::Value;

    /// The value as it is meant in a repository's file.
    fn in_repository(self) -> Self {
        self
    }

    /// Whether the value is more than `limit`, for types that have an order.
    fn exceeds(&self, _limit: &Self) -> bool {
        false
    }

    /// Says why a repository's file may not have the value: acting on it would cost more
    /// than the file itself, for every file of the repository.
    fn too_costly(&self) -> Option<Unfit> {
        None
    }

    /// Whether the value is a path that does not stay inside the repository.
    fn leaves_repository(&self) -> bool {
        false
    }
}

/// A value that a type does not take.
#[derive(Debug, thiserror::Error)]
#[error("expected {expected}, found {found}")]
pub(crate) struct Unfit {
    pub(crate) expected: String,
    pub(crate) found: String,
    pub(crate) nearest: Option<String>,
}

impl Unfit {
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
