//! A name that no entry of the registry matches, and what is made of it.

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
    /// The names that the caller may have meant, the nearest first.
    pub(crate) suggestions: Vec<String>,
    /// The same in another size.
    pub(crate) relative: Option<Box<Model>>,
}

/// The end of the message: the names, if any resembles the unknown one.
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

    /// Says what is wrong without the suggestions, for an edge that prints
    /// [`hint`](Self::hint) on a line by itself.
    pub fn message(&self) -> String {
        match self.name.char_indices().nth(QUOTED) {
            Some((end, _)) => format!("unknown model {:?}…", &self.name[..end]),
            None => format!("unknown model {:?}", self.name),
        }
    }

    /// A model of another size that counts alike.
    pub fn relative(&self) -> Option<&str> {
        self.relative.as_deref().map(|model| &*model.name)
    }

    /// What the user may have meant, or can do.
    pub fn hint(&self) -> String {
        match self.nearest() {
            Some(nearest) => format!("did you mean {nearest}?"),
            None => "`infiniloom models` lists the known ones; others can be described in \
                     [[models]] of your settings"
                .to_owned(),
        }
    }

    /// A model of that name with the most cautious facts: the smallest window that
    /// was usual, and an estimate with a wide band, unless another size is known.
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
