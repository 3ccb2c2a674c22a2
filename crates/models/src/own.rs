//! Models that users describe, or of which they know better.

use loom_tokens::Tokenizer;

use crate::{Fit, Limits, Model, Price, Prices, Rates, Registry, Tier, UnknownModel};

/// What a user says about a model. What is not said is taken from the known model
/// of that name, or from the one that it is `like`, or from the defaults of an
/// unknown model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnModel {
    /// Its name.
    pub name: String,
    /// A known model that it resembles.
    pub like: Option<String>,
    /// Its context window.
    pub window: Option<usize>,
    /// Its input limit, if less than the window.
    pub input: Option<usize>,
    /// Its longest answer.
    pub output: Option<usize>,
    /// The name of its tokenizer.
    pub tokenizer: Option<String>,
    /// Dollars for a million tokens of prompt.
    pub input_price: Option<String>,
    /// Dollars for a million tokens of answer.
    pub output_price: Option<String>,
}

/// What is wrong with such a description.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OwnModelError {
    /// It has no name.
    #[error("a model of your own has no name")]
    NoName,
    /// It resembles a model that is not known.
    #[error("model {name:?} cannot be like {like:?}")]
    Like {
        /// Its name.
        name: String,
        /// What it should be like.
        like: String,
        /// Why not.
        source: Box<UnknownModel>,
    },
    /// Its tokenizer is not known.
    #[error("model {name:?} has the unknown tokenizer {tokenizer:?}")]
    Tokenizer {
        /// Its name.
        name: String,
        /// What was named.
        tokenizer: String,
    },
    /// A price is no amount.
    #[error("model {name:?} has the price {price:?}; expected dollars for a million tokens")]
    Price {
        /// Its name.
        name: String,
        /// What was written.
        price: String,
    },
    /// A limit makes no sense.
    #[error("model {name:?} has a window of no tokens")]
    NoWindow {
        /// Its name.
        name: String,
    },
    /// A limit is more than the window.
    #[error("model {name:?} has {limit} = {found}; expected at most its window, {window}")]
    Limit {
        /// Its name.
        name: String,
        /// Which limit.
        limit: &'static str,
        /// What was written.
        found: usize,
        /// Its window.
        window: usize,
    },
}

impl Registry {
    /// These models and those that the user describes. A description of a known
    /// name replaces it.
    ///
    /// # Errors
    /// When a description makes no sense.
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
    /// The model that it describes, beside those of `known`.
    pub(crate) fn settle(&self, known: &Registry) -> Result<Model, OwnModelError> {
        if self.name.trim().is_empty() {
            return Err(OwnModelError::NoName);
        }
        let mut model = self.base(known)?;
        self.name.trim().clone_into(&mut model.name);
        // What the sources say is not what the user says.
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

    /// Those that are said, and of the others as much as the window holds.
    fn limits(&self, known: Limits) -> Result<Limits, OwnModelError> {
        let window = self.window.unwrap_or(known.window);
        let name = || self.name.trim().to_owned();
        if window == 0 {
            return Err(OwnModelError::NoWindow { name: name() });
        }
        for (limit, said) in [("output", self.output), ("input", self.input)] {
            if let Some(found) = said.filter(|&found| found > window) {
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

/// The model of that name; one whose name it only begins with will not do.
fn whole<'a>(known: &'a Registry, name: &str) -> Result<&'a Model, UnknownModel> {
    let found = known.find(name)?;
    match found.fit {
        Fit::Part => Err(UnknownModel {
            name: name.to_owned(),
            suggestions: vec![found.model.name.clone()],
            relative: None,
        }),
        _ => Ok(found.model),
    }
}
