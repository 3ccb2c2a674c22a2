//! A name that no entry of the registry matches, and what is made of it.

use loom_tokens::{Estimator, Tokenizer};

use crate::{Limits, Modality, Model, Prices};

/// A name that no entry of the registry matches.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown model {name:?}")]
pub struct UnknownModel {
    pub(crate) name: String,
    pub(crate) nearest: Option<String>,
    /// The same in another size.
    pub(crate) relative: Option<Box<Model>>,
}

impl UnknownModel {
    /// What the user may have meant.
    pub fn nearest(&self) -> Option<&str> {
        self.nearest.as_deref()
    }

    /// A model of another size that counts alike.
    pub fn relative(&self) -> Option<&str> {
        self.relative.as_deref().map(|model| &*model.name)
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
