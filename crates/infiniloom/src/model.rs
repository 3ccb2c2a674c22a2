//! Models: their limits, prices and token counts, and budgets for them.

use std::path::PathBuf;
use std::str::FromStr;

use loom_host::{Chosen, file_kind, vocabulary_files as installed_vocabularies};
use loom_models::{Counted, ModelMatch, NameMatch};
use loom_wire::ModelInfo;

use crate::{Error, Result, results};

/// A model, or a vocabulary named in place of one. Resolved by
/// [`Infiniloom::model`](crate::Infiniloom::model), it counts tokens.
#[derive(Clone, Debug)]
pub struct Model {
    model: loom_models::Model,
    typed: String,
    fit: NameMatch,
}

impl Model {
    pub(crate) fn from_found(typed: &str, found: ModelMatch<'_>) -> Self {
        Self {
            model: found.model.clone(),
            typed: typed.to_owned(),
            fit: found.fit,
        }
    }

    pub(crate) fn from_registry(model: &loom_models::Model) -> Self {
        Self {
            model: model.clone(),
            typed: model.name.clone(),
            fit: NameMatch::Name,
        }
    }

    pub(crate) fn chosen(&self) -> Chosen {
        Chosen {
            model: self.model.clone(),
            typed: self.typed.clone(),
            fit: Some(self.fit),
            notes: Vec::new(),
        }
    }

    /// Returns the name of the model.
    pub fn name(&self) -> &str {
        &self.model.name
    }

    /// Returns the resolved name, as the caller wrote it.
    pub fn requested_name(&self) -> &str {
        &self.typed
    }

    /// Returns the entry of the registry.
    #[doc(hidden)]
    pub fn entry(&self) -> &loom_models::Model {
        &self.model
    }

    /// Returns whether the resolved name belongs to another, similar model.
    pub fn is_nearest(&self) -> bool {
        self.fit == NameMatch::Part
    }

    /// Returns the size of the context window, in tokens.
    pub fn window(&self) -> usize {
        self.model.limits.window
    }

    /// Returns the tokens that remain for a prompt after the longest response.
    pub fn effective_budget(&self) -> usize {
        self.model.limits.effective_budget()
    }

    /// Counts the tokens of a text.
    pub fn count(&self, text: &str) -> TokenCount {
        TokenCount(self.model.tokenizer.count(text))
    }

    /// Counts the tokens of each text.
    pub fn count_all<'t>(&self, texts: impl IntoIterator<Item = &'t str>) -> Vec<TokenCount> {
        texts.into_iter().map(|text| self.count(text)).collect()
    }

    /// Returns the vocabulary files of the user that count the model exactly.
    pub fn vocabulary_files(&self) -> Vec<PathBuf> {
        let kind = file_kind(self.model.tokenizer);
        kind.map(installed_vocabularies).unwrap_or_default()
    }

    /// Describes the model, without the resolved name.
    pub fn entry_info(&self) -> ModelInfo {
        results::models::info(&self.model)
    }

    /// Describes the model, with the resolved name.
    pub fn info(&self) -> ModelInfo {
        let found = ModelMatch {
            model: &self.model,
            fit: self.fit,
        };
        results::models::match_info(&self.typed, &found)
    }
}

impl Default for Model {
    /// Returns the model that counts unless the settings name another.
    fn default() -> Self {
        Self::from_registry(&loom_models::default_model())
    }
}

/// A number of tokens: exact, or an estimate with its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenCount(Counted);

impl TokenCount {
    /// Returns the count, or the likely count.
    pub fn likely(self) -> usize {
        self.0.likely()
    }

    /// Returns the lower end of the range.
    pub fn lower(self) -> usize {
        self.0.lower()
    }

    /// Returns the upper end of the range.
    pub fn upper(self) -> usize {
        self.0.upper()
    }

    /// Returns whether the count is exact.
    pub fn is_exact(self) -> bool {
        self.0.is_exact()
    }
}

/// An upper bound in tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Budget(usize);

impl Budget {
    /// Returns the tokens that remain for a prompt for `model` after the longest response.
    pub fn for_model(model: &Model) -> Self {
        Self(model.effective_budget())
    }

    /// Returns the number of tokens.
    pub fn tokens(self) -> usize {
        self.0
    }

    pub(crate) fn text(self) -> String {
        self.0.to_string()
    }
}

impl From<usize> for Budget {
    fn from(tokens: usize) -> Self {
        Self(tokens)
    }
}

impl FromStr for Budget {
    type Err = Error;

    /// Parses a number such as `8000`, `100k` or `1.5m`.
    fn from_str(text: &str) -> Result<Self> {
        let tokens = loom_settings::TokenCount::parse(text).map(loom_settings::TokenCount::tokens);
        let tokens = tokens.and_then(|tokens| usize::try_from(tokens).ok());
        tokens.map(Self).ok_or_else(|| {
            let message = format!("expected a number of tokens such as 100k, found {text:?}");
            Error::invalid("invalid_budget", message)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_read_as_settings_are() {
        assert_eq!("50k".parse::<Budget>().unwrap(), Budget::from(50_000));
        assert_eq!("1.5m".parse::<Budget>().unwrap().tokens(), 1_500_000);
        let error = "many".parse::<Budget>().unwrap_err();
        assert_eq!(error.code(), "invalid_budget");
    }
}
