//! What a type must do to be the value of a setting. Each type is a file below;
//! which settings there are is in `declarations`.

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
use std::sync::Arc;

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

use crate::{Origin, Settings};

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

/// A value as somebody wrote it.
#[derive(Clone, Copy)]
pub(crate) enum Written<'a> {
    /// In a variable or after a flag.
    Text(&'a OsStr),
    /// In the user's file.
    Toml(&'a toml_edit::Value),
    /// In a repository's file.
    RepositoryToml(&'a toml_edit::Value),
}

/// Puts a value into its field, or after what is there.
pub(crate) type Store = Arc<dyn Fn(&mut Settings, &Origin) + Send + Sync>;

/// A value that was read, with its type hidden so that all settings can stand in
/// one table.
#[derive(Clone)]
pub(crate) struct Parsed {
    pub(crate) store: Store,
    pub(crate) leaves_repository: bool,
    pub(crate) exceeds_default: bool,
}

/// How the table reaches the typed field of a setting.
#[derive(Clone, Copy)]
pub(crate) struct Access {
    pub(crate) read: fn(Written<'_>) -> Result<Parsed, Unfit>,
    pub(crate) reset: fn(&mut Settings),
    pub(crate) show: fn(&Settings) -> String,
    pub(crate) to_toml: fn(&Settings) -> toml_edit::Value,
    pub(crate) schema: fn() -> serde_json::Value,
}

/// Reads a value of type `T` that `store` will put into its field.
pub(crate) fn read<T: Value>(
    written: Written<'_>,
    default: &T,
    store: fn(&mut Settings, T, &Origin),
) -> Result<Parsed, Unfit> {
    let value = match written {
        Written::Text(text) => T::from_os(text)?,
        Written::Toml(value) => T::from_toml(value)?,
        Written::RepositoryToml(value) => {
            let value = T::from_toml(value)?.in_repository();
            match value.too_costly() {
                Some(unfit) => return Err(unfit),
                None => value,
            }
        }
    };
    Ok(Parsed {
        leaves_repository: value.leaves_repository(),
        exceeds_default: value.exceeds(default),
        store: Arc::new(move |settings, origin| store(settings, value.clone(), origin)),
    })
}

/// A TOML value in words: the text itself where it is text.
pub(crate) fn found_in(value: &toml_edit::Value) -> String {
    match value {
        toml_edit::Value::String(text) => quoted(text.value()),
        toml_edit::Value::Array(_) => "an array".to_owned(),
        toml_edit::Value::InlineTable(_) => "a table".to_owned(),
        toml_edit::Value::Boolean(value) => value.value().to_string(),
        toml_edit::Value::Integer(value) => value.value().to_string(),
        toml_edit::Value::Float(value) => format!("the float {}", value.value()),
        toml_edit::Value::Datetime(value) => format!("the date {}", value.value()),
    }
}

/// Text from outside in quotes, safe for a terminal.
pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", plain(text).replace('"', "\\\""))
}

/// Text from outside without control characters, cut where it is longer than a
/// line of a message should be.
pub(crate) fn plain(text: &str) -> String {
    const LONGEST: usize = 200;
    let mut shown = String::new();
    for c in text.chars().take(LONGEST) {
        match c {
            '\'' | '"' | '\\' => shown.push(c),
            c => shown.extend(c.escape_debug()),
        }
    }
    if text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests;
