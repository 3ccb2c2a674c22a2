//! The line numbers of an answer: at every line, at some, or at none.

use serde_json::{Value, json};

use crate::answer::Quoted;

/// Choice of the lines that get a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Numbers {
    #[default]
    Every,
    /// Every tenth line, and the first lines of symbols.
    Some,
    None,
}

/// Distance of lines with a number.
const STEP: usize = 10;

impl Numbers {
    pub(super) const NAMES: &'static [&'static str] = &["every", "some", "none"];

    pub(super) fn from_name(name: &str) -> Self {
        match name {
            "some" => Self::Some,
            "none" => Self::None,
            _ => Self::Every,
        }
    }

    /// Replaces the number of a line by two blanks, with which no line of ours begins, unless it
    /// is shown.
    pub(super) fn apply(self, mut quoted: Quoted, number: usize, is_symbol: bool) -> Quoted {
        let is_shown = match self {
            Self::Every => true,
            Self::Some => is_symbol || number.is_multiple_of(STEP),
            Self::None => false,
        };
        if !is_shown && let Some((_, text)) = quoted.text.split_once("| ") {
            quoted.text = format!("  {text}");
        }
        quoted
    }
}

/// Returns the JSON schema of the choice.
pub(super) fn schema() -> Value {
    json!({"type": "string", "enum": Numbers::NAMES})
}
