//! Correction of an estimator by exact counts from the model's provider, for the texts of one
//! repository. The callers request the counts and store the result.

use crate::counted::Estimate;

/// Correction of an estimate: its factor, and the maximum error of the result.
///
/// ```
/// use loom_tokens::{Calibration, Estimator, Tokenizer};
///
/// let calibration = Calibration::new(1.25, 0.04).unwrap();
/// let plain = Tokenizer::Estimated(Estimator::Claude3);
/// let calibrated = plain.calibrated(calibration);
/// assert_eq!(calibrated.label(), "claude-3 estimate, calibrated");
/// let text = "The words of a sentence.\n".repeat(400);
/// let ratio = calibrated.count(&text).likely() as f64 / plain.count(&text).likely() as f64;
/// assert!((1.249..1.251).contains(&ratio));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Calibration {
    /// Both in ten-thousandths, so that tokenizers can be compared for equality.
    factor: u32,
    band: u32,
}

/// The value of 1 in that unit.
const UNIT: u64 = 10_000;

/// Valid factors. A factor outside of this range shows that something else was counted.
const FACTORS: std::ops::RangeInclusive<f64> = 0.2..=5.0;

impl Calibration {
    /// Creates a calibration: estimates are multiplied by `factor`, and the result is correct
    /// within `band`, a share of it. Returns `None` for values outside of the valid ranges.
    pub fn new(factor: f64, band: f64) -> Option<Self> {
        let sound = FACTORS.contains(&factor) && (0.0..1.0).contains(&band);
        sound.then(|| Self {
            factor: (factor * UNIT as f64).round() as u32,
            band: (band * UNIT as f64).ceil() as u32,
        })
    }

    /// Returns the factor of estimates.
    pub fn factor(self) -> f64 {
        f64::from(self.factor) / UNIT as f64
    }

    /// Returns the maximum error of the result, as a share of it.
    pub fn band(self) -> f64 {
        f64::from(self.band) / UNIT as f64
    }

    pub(crate) fn apply(self, estimate: Estimate) -> Estimate {
        let (factor, band) = (u64::from(self.factor), u64::from(self.band));
        estimate.corrected(factor, UNIT, [UNIT - band.min(UNIT), UNIT + band])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Estimator, Tally, Tokenizer};

    #[test]
    fn values_out_of_range_are_rejected() {
        for (factor, band) in [(0.0, 0.03), (9.0, 0.03), (f64::NAN, 0.03), (1.0, 1.0)] {
            assert_eq!(Calibration::new(factor, band), None, "{factor} {band}");
        }
    }

    #[test]
    fn range_surrounds_the_likely_value() {
        let calibration = Calibration::new(0.9, 0.05).unwrap();
        let estimate = Estimate::scaled(1_000, [900, 1_000, 1_300]);
        let corrected = calibration.apply(estimate);
        let figures = (corrected.low(), corrected.likely(), corrected.high());
        assert_eq!(figures, (854, 900, 946));
    }

    #[test]
    fn calibrated_parts_add_up() {
        let calibration = Calibration::new(1.1, 0.03).unwrap();
        let tokenizer = Tokenizer::Estimated(Estimator::Claude3).calibrated(calibration);
        let line = "The words of a sentence here.\n";
        let mut tally = Tally::new(tokenizer);
        (0..100).for_each(|_| tally.push(line));
        let whole = tokenizer.count(&line.repeat(100));
        assert!(tally.tokens().abs_diff(whole.likely()) <= 1);
        assert!(tally.upper().abs_diff(whole.upper()) <= 1);
    }
}
