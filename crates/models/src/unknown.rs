//! An unknown model name, its suggestions and the fallback model.

use std::fmt;

use loom_tokens::{Estimator, Tokenizer};

use crate::{Limits, Modality, Model, Prices};

/// A message quotes this many letters of a name; every model's name is shorter.
const QUOTED: usize = 100;

/// A name that no entry of the registry matches. The message suggests the names that the
/// caller may have meant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{}", self.message(), Suggested(&self.suggestions))]
pub struct UnknownModel {
    pub(crate) name: String,
    /// Names that the caller may have meant, the nearest first.
    pub(crate) suggestions: Vec<String>,
    /// Another size of the same model.
    pub(crate) relative: Option<Box<Model>>,
}

/// End of the message: the names that resemble the unknown one, if there are any.
struct Suggested<'a>(&'a [String]);

impl fmt::Display for Suggested<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [] => Ok(()),
            [one] => write!(f, "; did you mean {one}?"),
            [start @ .., last] => write!(f, "; did you mean {} or {last}?", start.join(", ")),
        }
    }
}

impl UnknownModel {
    /// Returns the name that the user most likely meant.
    pub fn nearest(&self) -> Option<&str> {
        self.suggestions.first().map(String::as_str)
    }

    /// Returns up to three names that the user may have meant, the nearest first.
    pub fn suggestions(&self) -> &[String] {
        &self.suggestions
    }

    /// Returns the message without suggestions, for callers that print [`hint`](Self::hint) on a
    /// separate line.
    pub fn message(&self) -> String {
        match self.name.char_indices().nth(QUOTED) {
            Some((end, _)) => format!("unknown model {:?}…", &self.name[..end]),
            None => format!("unknown model {:?}", self.name),
        }
    }

    /// Returns the name of the same model in another size, which uses the same tokenizer.
    pub fn relative(&self) -> Option<&str> {
        self.relative.as_deref().map(|model| &*model.name)
    }

    /// Returns a suggestion, or the next step for the user.
    pub fn hint(&self) -> String {
        match self.nearest() {
            Some(nearest) => format!("did you mean {nearest}?"),
            None => "`infiniloom models` lists the known ones; others can be described in \
                     [[models]] of your settings"
                .to_owned(),
        }
    }

    /// Returns a model of that name with the most cautious facts: the smallest common window, and
    /// an estimate with a wide range. If another size is known, its facts are used.
    pub fn fallback(&self) -> Model {
        let relative = self.relative.as_deref();
        Model {
            name: self.name.clone(),
            vendor: relative.map_or_else(String::new, |model| model.vendor.clone()),
            tokenizer: relative.map_or(Tokenizer::Estimated(Estimator::Other), |model| {
                model.tokenizer
            }),
            limits: Limits::UNKNOWN,
            prices: Prices::default(),
            cache: None,
            modalities: vec![Modality::Text],
            deprecated: None,
            sources: Vec::new(),
        }
    }
}
