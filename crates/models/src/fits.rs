//! A proof that a text fits a budget: a function that receives it does not need to count again.

use loom_tokens::Tokenizer;
use thiserror::Error;

/// Text that was counted as a whole and does not exceed its budget. [`Fits::check`] is the only
/// constructor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fits {
    text: String,
    tokens: usize,
    budget: usize,
}

/// Error: a text exceeds its budget.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("{tokens} tokens, and the budget is {budget}")]
pub struct TooMany {
    /// Tokens of the text.
    pub tokens: usize,
    /// Maximum number of tokens.
    pub budget: usize,
}

impl Fits {
    /// Counts a text. If the count is an estimate, its upper end has to fit.
    ///
    /// # Errors
    /// Returns an error if the text exceeds the budget.
    pub fn check(text: String, tokenizer: Tokenizer, budget: usize) -> Result<Self, TooMany> {
        let tokens = tokenizer.count(&text).upper();
        match tokens <= budget {
            true => Ok(Self {
                text,
                tokens,
                budget,
            }),
            false => Err(TooMany { tokens, budget }),
        }
    }

    /// Returns the text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the tokens of the text.
    pub fn tokens(&self) -> usize {
        self.tokens
    }

    /// Returns the budget.
    pub fn budget(&self) -> usize {
        self.budget
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::default_model;

    proptest! {
        #[test]
        fn fits_exists_exactly_for_texts_within_the_budget(text in "[a-z \n]{0,200}", budget in 0..60_usize) {
            let tokenizer = default_model().tokenizer;
            let tokens = tokenizer.count(&text).upper();
            match Fits::check(text.clone(), tokenizer, budget) {
                Ok(fits) => {
                    prop_assert!(tokens <= budget && fits.tokens() == tokens);
                    prop_assert_eq!((fits.text(), fits.budget()), (text.as_str(), budget));
                }
                Err(error) => prop_assert_eq!(error, TooMany { tokens, budget }),
            }
        }
    }
}
