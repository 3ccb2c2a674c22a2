//! Calibrates an estimator by a provider's counts of a repository's text. The arithmetic of
//! corrected counts is in `loom-tokens`; the caller reads the files.

mod sample;
mod store;

use std::borrow::Cow;

use loom_models::Calibration;

pub use store::{CalibrationError, Calibrations};

/// Lower limit of the range, even if the samples suggest less.
const LEAST_BAND: f64 = 0.03;
/// Range for a single sample, which has no spread.
const LONE_BAND: f64 = 0.05;

/// Texts of a repository for a provider to count.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// One text, or two texts without common parts.
    pub texts: Vec<String>,
    /// Number of files they come from.
    pub files: usize,
}

impl Samples {
    /// Minimum bytes: with less text, the tokens that a provider adds to every prompt (about 7,
    /// next to 1,000 of the text) would distort the factor.
    pub const LEAST: usize = 4_000;

    /// Returns the bytes of all texts.
    pub fn bytes(&self) -> usize {
        self.texts.iter().map(String::len).sum()
    }

    /// Takes samples from files of these sizes; the same files give the same samples. The caller
    /// sorts the files by language, so that each language has the same share as in the repository.
    /// `read` returns the text of a file, or `None` if it no longer exists; the sample then omits
    /// that file.
    pub fn of<'t>(sizes: &[usize], mut read: impl FnMut(usize) -> Option<Cow<'t, str>>) -> Self {
        let (count, mut stretches) = sample::plan(sizes);
        stretches.sort_by_key(|part| (part.file, part.start));
        let mut samples = Self {
            texts: vec![String::new(); count],
            files: 0,
        };
        for parts in stretches.chunk_by(|one, other| one.file == other.file) {
            let Some(text) = read(parts[0].file) else {
                continue;
            };
            samples.files += 1;
            for part in parts {
                push_lines(&mut samples.texts[part.sample], sample::cut(&text, part));
            }
        }
        samples
    }
}

/// Appends `lines`, so that the next text starts on its own line.
pub fn push_lines(text: &mut String, lines: &str) {
    text.push_str(lines);
    if !lines.is_empty() && !lines.ends_with('\n') {
        text.push('\n');
    }
}

/// Comparison of estimates and counts of the same texts.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// Estimated tokens of all texts.
    pub estimated: usize,
    /// Tokens that the provider counted.
    pub counted: usize,
    /// Ratio of counted to estimated tokens.
    pub factor: f64,
    /// Difference between the factors of the texts, as a share of the factor; `None` for one text.
    pub spread: Option<f64>,
}

impl Measured {
    /// Compares pairs of estimate and count, one pair per text.
    pub fn of(texts: &[(usize, usize)]) -> Self {
        let estimated = texts.iter().map(|(estimated, _)| estimated).sum();
        let counted = texts.iter().map(|(_, counted)| counted).sum();
        let factor = ratio(estimated, counted);
        let spread = match texts {
            [one, other] => Some((ratio(one.0, one.1) - ratio(other.0, other.1)).abs() / factor),
            _ => None,
        };
        Self {
            estimated,
            counted,
            factor,
            spread,
        }
    }

    /// Returns the possible error of a corrected estimate, as a share of it.
    pub fn band(&self) -> f64 {
        self.spread
            .map_or(LONE_BAND, |spread| spread.max(LEAST_BAND))
    }

    /// Returns the correction; `None` if the counts are implausible.
    pub fn calibration(&self) -> Option<Calibration> {
        Calibration::new(self.factor, self.band())
    }
}

fn ratio(estimated: usize, counted: usize) -> f64 {
    counted as f64 / estimated.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn range_is_the_difference_of_the_samples() {
        let close = Measured::of(&[(1_000, 1_101), (1_000, 1_099)]);
        assert_eq!((close.factor, close.band()), (1.1, LEAST_BAND));
        let apart = Measured::of(&[(1_000, 1_000), (1_000, 1_200)]);
        assert!((apart.band() - 0.2 / 1.1).abs() < 1e-9);
        let lone = Measured::of(&[(1_000, 1_100)]);
        assert_eq!((lone.spread, lone.band()), (None, LONE_BAND));
    }

    #[test]
    fn counts_that_make_no_sense() {
        assert!(Measured::of(&[(1_000, 0)]).calibration().is_none());
        assert!(Measured::of(&[(0, 0)]).calibration().is_none());
        assert!(Measured::of(&[(1_000, 70_000)]).calibration().is_none());
    }
}
