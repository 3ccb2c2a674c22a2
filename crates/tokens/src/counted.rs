//! The result of a count: exact, or an estimate with its range. `estimate` computes estimates.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign};

/// Number of tokens, either exact or estimated.
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
    /// Exact count by the model's tokenizer.
    Exact(usize),
    /// Estimate, because the model's tokenizer is not public.
    Estimate(Estimate),
}

/// Likely number of tokens, with a range that contains the real number for about nine of ten texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Estimate {
    /// In thousandths, so that sums of many parts do not drift.
    low: u64,
    likely: u64,
    high: u64,
}

/// Tokens by which a short text may deviate, in addition to the range of its class.
const SLACK: u64 = 1;

impl Estimate {
    /// Multiplies `amount` by the three factors, which are thousandths.
    pub(crate) fn scaled(amount: usize, [low, likely, high]: [u64; 3]) -> Self {
        let amount = amount as u64;
        Self {
            low: amount * low,
            likely: amount * likely,
            high: amount * high,
        }
    }

    /// Multiplies the likely value by `factor`, with a range of `edges` around the result; all of
    /// them are parts of `unit`.
    pub(crate) fn corrected(self, factor: u64, unit: u64, edges: [u64; 2]) -> Self {
        let likely = self.likely * factor / unit;
        let [low, high] = edges.map(|edge| likely * edge / unit);
        Self { low, likely, high }
    }

    /// Returns the lower end of the range: few texts have fewer tokens.
    pub fn low(&self) -> usize {
        (self.low / 1000).saturating_sub(SLACK) as usize
    }

    /// Returns the likely number, for display.
    pub fn likely(&self) -> usize {
        ((self.likely + 500) / 1000) as usize
    }

    /// Returns the upper end of the range, for budgets: few texts have more tokens.
    pub fn high(&self) -> usize {
        if self.high == 0 {
            return 0;
        }
        (self.high.div_ceil(1000) + SLACK) as usize
    }
}

impl Counted {
    /// Returns the number for display.
    pub fn likely(&self) -> usize {
        match self {
            Self::Exact(tokens) => *tokens,
            Self::Estimate(estimate) => estimate.likely(),
        }
    }

    /// Returns the number for budgets: the count, or the upper end of the range.
    pub fn upper(&self) -> usize {
        match self {
            Self::Exact(tokens) => *tokens,
            Self::Estimate(estimate) => estimate.high(),
        }
    }

    /// Returns the count, or the lower end of the range.
    pub fn lower(&self) -> usize {
        match self {
            Self::Exact(tokens) => *tokens,
            Self::Estimate(estimate) => estimate.low(),
        }
    }

    /// Returns whether the count is exact.
    pub fn is_exact(&self) -> bool {
        matches!(self, Self::Exact(_))
    }
}

impl fmt::Display for Counted {
    /// Writes the likely number, with a `~` before an estimate.
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

    /// Adds counts; the sum is an estimate if any part is one.
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
    fn empty_text_has_no_tokens() {
        let nothing = Counted::Estimate(Estimate::default());
        assert_eq!(
            (nothing.lower(), nothing.likely(), nothing.upper()),
            (0, 0, 0)
        );
    }
}
