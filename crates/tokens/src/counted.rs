//! What a count is: exact, or an estimate with its band. How an estimate is made
//! is the business of `estimate`.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign};

/// A number of tokens, and how far it can be trusted.
///
/// ```
/// use loom_tokens::{Estimator, Tokenizer, Vocabulary};
///
/// let exact = Tokenizer::from(Vocabulary::O200kBase).count("hello world");
/// assert_eq!(exact.to_string(), "2");
/// let estimate = Tokenizer::from(Estimator::Claude3).count("hello world");
/// assert_eq!(estimate.to_string(), "~2");
/// assert!(estimate.upper() > estimate.likely());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// As the model counts.
    Exact(usize),
    /// The model's tokenizer is not public.
    Estimate(Estimate),
}

/// A number of tokens that is likely, and two that it lies between in about nine
/// of ten texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Estimate {
    /// In thousandths, so that sums of many parts do not drift.
    low: u64,
    likely: u64,
    high: u64,
}

/// What a short text may differ by, whatever its class.
const SLACK: u64 = 1;

impl Estimate {
    /// `amount` times the three factors, which are thousandths.
    pub(crate) fn scaled(amount: usize, [low, likely, high]: [u64; 3]) -> Self {
        let amount = amount as u64;
        Self {
            low: amount * low,
            likely: amount * likely,
            high: amount * high,
        }
    }

    /// What is likely times `factor`, with a band of `edges` around it; all of them
    /// are parts of `unit`.
    pub(crate) fn corrected(self, factor: u64, unit: u64, edges: [u64; 2]) -> Self {
        let likely = self.likely * factor / unit;
        let [low, high] = edges.map(|edge| likely * edge / unit);
        Self { low, likely, high }
    }

    /// Few texts have fewer.
    pub fn low(&self) -> usize {
        (self.low / 1000).saturating_sub(SLACK) as usize
    }

    /// The figure to show.
    pub fn likely(&self) -> usize {
        ((self.likely + 500) / 1000) as usize
    }

    /// Few texts have more; what has to fit is measured by it.
    pub fn high(&self) -> usize {
        if self.high == 0 {
            return 0;
        }
        (self.high.div_ceil(1000) + SLACK) as usize
    }
}

impl Counted {
    /// The figure to show.
    pub fn likely(&self) -> usize {
        match self {
            Self::Exact(tokens) => *tokens,
            Self::Estimate(estimate) => estimate.likely(),
        }
    }

    /// The figure to fit by: the count, or the upper end of the band.
    pub fn upper(&self) -> usize {
        match self {
            Self::Exact(tokens) => *tokens,
            Self::Estimate(estimate) => estimate.high(),
        }
    }

    /// The count, or the lower end of the band.
    pub fn lower(&self) -> usize {
        match self {
            Self::Exact(tokens) => *tokens,
            Self::Estimate(estimate) => estimate.low(),
        }
    }

    /// Whether the model itself would count the same.
    pub fn is_exact(&self) -> bool {
        matches!(self, Self::Exact(_))
    }
}

impl fmt::Display for Counted {
    /// The likely figure, with a `~` before it if it is an estimate.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.is_exact() {
            f.write_str("~")?;
        }
        fmt::Display::fmt(&self.likely(), f)
    }
}

impl Add for Estimate {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            low: self.low + other.low,
            likely: self.likely + other.likely,
            high: self.high + other.high,
        }
    }
}

impl AddAssign for Estimate {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Add for Counted {
    type Output = Self;

    /// The sum; an estimate if any part is one.
    fn add(self, other: Self) -> Self {
        match (self, other) {
            (Self::Exact(a), Self::Exact(b)) => Self::Exact(a + b),
            (a, b) => Self::Estimate(a.as_estimate() + b.as_estimate()),
        }
    }
}

impl Counted {
    pub(crate) fn as_estimate(self) -> Estimate {
        match self {
            Self::Exact(tokens) => Estimate::scaled(tokens, [1000; 3]),
            Self::Estimate(estimate) => estimate,
        }
    }
}

impl Sum for Counted {
    fn sum<I: Iterator<Item = Self>>(counts: I) -> Self {
        counts.fold(Self::Exact(0), Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_do_not_drift() {
        let third = Counted::Estimate(Estimate::scaled(1, [300, 333, 400]));
        let sum: Counted = std::iter::repeat_n(third, 3000).sum();
        assert_eq!((sum.lower(), sum.likely(), sum.upper()), (899, 999, 1201));
        assert_eq!(sum.to_string(), "~999");
    }

    #[test]
    fn exact_counts_stay_exact_among_themselves() {
        assert_eq!(Counted::Exact(2) + Counted::Exact(3), Counted::Exact(5));
        let estimate = Counted::Estimate(Estimate::scaled(1, [1000; 3]));
        let sum = Counted::Exact(2) + estimate;
        assert!(!sum.is_exact());
        assert_eq!((sum.lower(), sum.likely(), sum.upper()), (2, 3, 4));
    }

    #[test]
    fn nothing_has_no_tokens() {
        let nothing = Counted::Estimate(Estimate::default());
        assert_eq!(
            (nothing.lower(), nothing.likely(), nothing.upper()),
            (0, 0, 0)
        );
    }
}
