//! A name that no entry of the registry matches, and what is made of it.

use loom_tokens::{Estimator, Tokenizer};

use crate::{Limits, Modality, Model, Prices};

/// A name that no entry of the registry matches.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown model {name:?}")]
pub struct UnknownModel {
    pub(crate) name: String,
    pub(crate) nearest: Option<String>,
}

impl UnknownModel {
    /// What the user may have meant.
    pub fn nearest(&self) -> Option<&str> {
        self.nearest.as_deref()
    }

    /// What the user may have meant, or can do.
    pub fn hint(&self) -> String {
        match &self.nearest {
            Some(nearest) => format!("did you mean {nearest}?"),
            None => "`infiniloom models` lists the known ones; others can be described in \
                     [[models]] of your settings"
                .to_owned(),
        }
    }

    /// A model of that name with the most cautious facts: the smallest window that
    /// was usual, and an estimate with a wide band.
    pub fn fallback(&self) -> Model {
        Model {
            name: self.name.clone(),
            vendor: String::new(),
            tokenizer: Tokenizer::Estimated(Estimator::Other),
            limits: Limits::UNKNOWN,
            prices: Prices::default(),
            cache: None,
            modalities: vec![Modality::Text],
            deprecated: None,
            sources: Vec::new(),
        }
    }
}
