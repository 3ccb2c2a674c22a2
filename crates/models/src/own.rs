//! Models that users describe, and facts of known models that users correct.

use loom_tokens::Tokenizer;

use crate::{Limits, Model, NameMatch, Price, Prices, Rates, Registry, Tier, UnknownModel};

/// User's description of a model. Missing facts come from the known model with that name, or from
/// the model that it is `like`, or from the defaults of an unknown model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnModel {
    /// Name of the model.
    pub name: String,
    /// Name of a known, similar model.
    pub like: Option<String>,
    /// Size of the context window.
    pub window: Option<usize>,
    /// Input limit, if less than the window.
    pub input: Option<usize>,
    /// Maximum size of an answer.
    pub output: Option<usize>,
    /// Name of the tokenizer.
    pub tokenizer: Option<String>,
    /// Price of a million input tokens, in dollars.
    pub input_price: Option<String>,
    /// Price of a million output tokens, in dollars.
    pub output_price: Option<String>,
}

/// Error in a description of a model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OwnModelError {
    /// The description has no name.
    #[error("a model in [[models]] has no name")]
    NoName,
    /// The similar model is unknown.
    #[error("model {name:?} cannot be like {like:?}")]
    Like {
        /// Name of the model.
        name: String,
        /// Name of the similar model.
        like: String,
        /// Result of the lookup.
        source: Box<UnknownModel>,
    },
    /// The tokenizer is unknown.
    #[error("model {name:?} has the unknown tokenizer {tokenizer:?}")]
    Tokenizer {
        /// Name of the model.
        name: String,
        /// Name of the tokenizer.
        tokenizer: String,
    },
    /// A price is not an amount.
    #[error("model {name:?} has the price {price:?}; expected dollars for a million tokens")]
    Price {
        /// Name of the model.
        name: String,
        /// Text of the price.
        price: String,
    },
    /// The context window is 0.
    #[error("model {name:?} has a window of no tokens")]
    NoWindow {
        /// Name of the model.
        name: String,
    },
    /// A limit exceeds the window.
    #[error("model {name:?} has {limit} = {found}; expected at most its window, {window}")]
    Limit {
        /// Name of the model.
        name: String,
        /// Name of the limit.
        limit: &'static str,
        /// Value of the limit.
        found: usize,
        /// Size of the window.
        window: usize,
    },
}

impl Registry {
    /// Creates a registry of these models and those that the user describes. A description of a
    /// known name replaces that model.
    ///
    /// # Errors
    /// Returns an error if a description is invalid.
    pub fn with(&self, own: &[OwnModel]) -> Result<Self, OwnModelError> {
        let mut registry = self.clone();
        for description in own {
            let model = description.settle(&registry)?;
            registry.add(model);
        }
        Ok(registry)
    }
}

impl OwnModel {
    /// Builds the described model. Missing facts come from `known`.
    pub(crate) fn settle(&self, known: &Registry) -> Result<Model, OwnModelError> {
        if self.name.trim().is_empty() {
            return Err(OwnModelError::NoName);
        }
        let mut model = self.base(known)?;
        self.name.trim().clone_into(&mut model.name);
        // The sources do not document the user's values.
        model.sources.clear();
        model.limits = self.limits(model.limits)?;
        if let Some(tokenizer) = &self.tokenizer {
            model.tokenizer = self.tokenizer(tokenizer)?;
        }
        if self.input_price.is_some() || self.output_price.is_some() {
            model.prices = self.prices()?;
        }
        Ok(model)
    }

    /// Returns the limits from the description; the others come from `known`, limited by the
    /// window.
    fn limits(&self, known: Limits) -> Result<Limits, OwnModelError> {
        let window = self.window.unwrap_or(known.window);
        let name = || self.name.trim().to_owned();
        if window == 0 {
            return Err(OwnModelError::NoWindow { name: name() });
        }
        for (limit, given) in [("output", self.output), ("input", self.input)] {
            if let Some(found) = given.filter(|&found| found > window) {
                let name = name();
                return Err(OwnModelError::Limit {
                    name,
                    limit,
                    found,
                    window,
                });
            }
        }
        Ok(Limits {
            window,
            input: self.input.or(known.input.filter(|&input| input < window)),
            output: self.output.unwrap_or(known.output.min(window)),
        })
    }

    fn base(&self, known: &Registry) -> Result<Model, OwnModelError> {
        let Some(like) = &self.like else {
            let found = whole(known, &self.name);
            return Ok(found.map_or_else(|unknown| unknown.fallback(), Clone::clone));
        };
        let found = whole(known, like).cloned();
        found.map_err(|source| OwnModelError::Like {
            name: self.name.clone(),
            like: like.clone(),
            source: Box::new(source),
        })
    }

    fn tokenizer(&self, tokenizer: &str) -> Result<Tokenizer, OwnModelError> {
        Tokenizer::from_name(tokenizer).ok_or_else(|| OwnModelError::Tokenizer {
            name: self.name.clone(),
            tokenizer: tokenizer.to_owned(),
        })
    }

    fn prices(&self) -> Result<Prices, OwnModelError> {
        let rates = Rates {
            input: self.price(self.input_price.as_deref())?,
            output: self.price(self.output_price.as_deref())?,
            ..Rates::default()
        };
        Ok(Prices::new(vec![Tier { above: 0, rates }]))
    }

    fn price(&self, text: Option<&str>) -> Result<Option<Price>, OwnModelError> {
        let Some(text) = text else { return Ok(None) };
        let price = Price::parse(text).ok_or_else(|| OwnModelError::Price {
            name: self.name.clone(),
            price: text.to_owned(),
        })?;
        Ok(Some(price))
    }
}

/// Finds the model with that name. A model whose name is only a prefix of it is rejected.
fn whole<'a>(known: &'a Registry, name: &str) -> Result<&'a Model, UnknownModel> {
    let found = known.find(name)?;
    match found.fit {
        NameMatch::Part => Err(UnknownModel {
            name: name.to_owned(),
            suggestions: vec![found.model.name.clone()],
            relative: None,
        }),
        _ => Ok(found.model),
    }
}
