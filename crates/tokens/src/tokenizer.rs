//! The tokenizer of any model: a vocabulary or an estimator.

use std::borrow::Cow;

use loom_base::Counter;

use crate::counted::Counted;
use crate::{Calibration, Estimator, Vocabulary};

/// Method that counts the tokens of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tokenizer {
    /// Exact counts with a known vocabulary.
    Exact(Vocabulary),
    /// Estimates.
    Estimated(Estimator),
    /// Estimates that are corrected by counts of the model's provider.
    Calibrated(Estimator, Calibration),
}

impl Tokenizer {
    /// Returns the tokenizer with that name: a vocabulary, or an estimator.
    pub fn from_name(name: &str) -> Option<Self> {
        let vocabulary = Vocabulary::from_name(name).map(Self::Exact);
        vocabulary.or_else(|| Estimator::from_name(name).map(Self::Estimated))
    }

    /// Returns the name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact(vocabulary) => vocabulary.name(),
            Self::Estimated(estimator) | Self::Calibrated(estimator, _) => estimator.name(),
        }
    }

    /// Returns the estimator, if it estimates.
    pub fn estimator(self) -> Option<Estimator> {
        match self {
            Self::Exact(_) => None,
            Self::Estimated(estimator) | Self::Calibrated(estimator, _) => Some(estimator),
        }
    }

    /// Adds a calibration; an exact tokenizer does not change.
    #[must_use]
    pub fn calibrated(self, calibration: Calibration) -> Self {
        let estimator = self.estimator();
        estimator.map_or(self, |estimator| Self::Calibrated(estimator, calibration))
    }

    /// Returns the name for display, which marks an estimate or a vocabulary from a file.
    pub fn label(self) -> Cow<'static, str> {
        match self {
            Self::Exact(Vocabulary::Loaded(loaded)) => Cow::Borrowed(loaded.kind().label()),
            Self::Exact(vocabulary) => Cow::Borrowed(vocabulary.name()),
            Self::Estimated(estimator) => Cow::Owned(format!("{} estimate", estimator.name())),
            Self::Calibrated(estimator, _) => {
                Cow::Owned(format!("{} estimate, calibrated", estimator.name()))
            }
        }
    }

    /// Returns whether its counts are exact.
    pub fn is_exact(self) -> bool {
        matches!(self, Self::Exact(_))
    }

    /// Counts the tokens of `text`.
    pub fn count(self, text: &str) -> Counted {
        match self {
            Self::Exact(vocabulary) => Counted::Exact(vocabulary.count(text)),
            Self::Estimated(estimator) => Counted::Estimate(estimator.estimate(text)),
            Self::Calibrated(estimator, calibration) => {
                Counted::Estimate(calibration.apply(estimator.estimate(text)))
            }
        }
    }
}

impl From<Vocabulary> for Tokenizer {
    fn from(vocabulary: Vocabulary) -> Self {
        Self::Exact(vocabulary)
    }
}

impl From<Estimator> for Tokenizer {
    fn from(estimator: Estimator) -> Self {
        Self::Estimated(estimator)
    }
}

impl Counter for Tokenizer {
    /// Returns the number for budgets: the count, or the upper end of the range.
    fn count(&self, text: &str) -> usize {
        (*self).count(text).upper()
    }
}
