//! One way to count for every model: by a vocabulary, or by an estimate.

use std::borrow::Cow;

use loom_base::Counter;

use crate::counted::Counted;
use crate::{Calibration, Estimator, Vocabulary};

/// How a model counts, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tokenizer {
    /// Its vocabulary is known.
    Exact(Vocabulary),
    /// It is estimated.
    Estimated(Estimator),
    /// It is estimated, and the estimate corrected by counts of the model itself.
    Calibrated(Estimator, Calibration),
}

impl Tokenizer {
    /// The tokenizer of that name: a vocabulary, or an estimator.
    pub fn from_name(name: &str) -> Option<Self> {
        let vocabulary = Vocabulary::from_name(name).map(Self::Exact);
        vocabulary.or_else(|| Estimator::from_name(name).map(Self::Estimated))
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact(vocabulary) => vocabulary.name(),
            Self::Estimated(estimator) | Self::Calibrated(estimator, _) => estimator.name(),
        }
    }

    /// How it estimates, where it does.
    pub fn estimator(self) -> Option<Estimator> {
        match self {
            Self::Exact(_) => None,
            Self::Estimated(estimator) | Self::Calibrated(estimator, _) => Some(estimator),
        }
    }

    /// The same, corrected; an exact one stays as it is.
    #[must_use]
    pub fn calibrated(self, calibration: Calibration) -> Self {
        let estimator = self.estimator();
        estimator.map_or(self, |estimator| Self::Calibrated(estimator, calibration))
    }

    /// Its name, and that it is an estimate or from a file if it is.
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

    /// Whether it counts as the model does.
    pub fn is_exact(self) -> bool {
        matches!(self, Self::Exact(_))
    }

    /// The tokens of `text`.
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
    /// The figure to fit by: the count, or the upper end of the band.
    fn count(&self, text: &str) -> usize {
        (*self).count(text).upper()
    }
}
