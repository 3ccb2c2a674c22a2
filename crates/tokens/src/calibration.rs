//! What counts of the model itself said about an estimator, for the texts of one
//! repository. Who asked the model, and where the answer is kept, is not known here.

use crate::counted::Estimate;

/// How an estimate is corrected: what it is multiplied by, and how far the result
/// can be off.
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
    /// Both in ten-thousandths, so that tokenizers can be compared.
    factor: u32,
    band: u32,
}

/// What one is.
const UNIT: u64 = 10_000;

/// A factor beyond these is no correction: something else was counted.
const FACTORS: std::ops::RangeInclusive<f64> = 0.2..=5.0;

impl Calibration {
    /// Estimates are multiplied by `factor`, and the result is right within `band`,
    /// a share of it. `None` where that makes no sense.
    pub fn new(factor: f64, band: f64) -> Option<Self> {
        let sound = FACTORS.contains(&factor) && (0.0..1.0).contains(&band);
        sound.then(|| Self {
            factor: (factor * UNIT as f64).round() as u32,
            band: (band * UNIT as f64).ceil() as u32,
        })
    }

    /// What estimates are multiplied by.
    pub fn factor(self) -> f64 {
        f64::from(self.factor) / UNIT as f64
    }

    /// How far the result can be off, as a share of it.
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
    fn nonsense_is_no_calibration() {
        for (factor, band) in [(0.0, 0.03), (9.0, 0.03), (f64::NAN, 0.03), (1.0, 1.0)] {
            assert_eq!(Calibration::new(factor, band), None, "{factor} {band}");
        }
    }

    #[test]
    fn the_band_lies_around_the_likely_figure() {
        let calibration = Calibration::new(0.9, 0.05).unwrap();
        let estimate = Estimate::scaled(1_000, [900, 1_000, 1_300]);
        let corrected = calibration.apply(estimate);
        let figures = (corrected.low(), corrected.likely(), corrected.high());
        assert_eq!(figures, (854, 900, 946));
    }

    #[test]
    fn parts_add_up() {
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
