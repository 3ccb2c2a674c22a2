//! That a text fits a budget, as a value: who has one need not count again.

use loom_tokens::Tokenizer;
use thiserror::Error;

/// A text that was counted as a whole and takes at most its budget. There is no other way
/// to make one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fits {
    text: String,
    tokens: usize,
    budget: usize,
}

/// A text that takes more than its budget.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("{tokens} tokens, and the budget is {budget}")]
pub struct TooMany {
    /// What it takes.
    pub tokens: usize,
    /// What it may take.
    pub budget: usize,
}

impl Fits {
    /// Counts a text: where a count is an estimate, its upper end has to fit.
    ///
    /// # Errors
    /// When it takes more than the budget.
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

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What it takes.
    pub fn tokens(&self) -> usize {
        self.tokens
    }

    /// What it may take.
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
        fn only_what_fits_is_one(text in "[a-z \n]{0,200}", budget in 0..60_usize) {
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
