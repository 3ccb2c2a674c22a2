//! Calibrating an estimator by a provider's own counts of a repository's text. The
//! arithmetic of corrected counts is in `loom-tokens`; the caller reads the files.

mod sample;
mod store;

use std::borrow::Cow;

use loom_models::Calibration;

pub use store::{CalibrationError, Calibrations};

/// The least that the band is, whatever the samples say.
const LEAST_BAND: f64 = 0.03;
/// The band where there is one sample, and so no spread.
const LONE_BAND: f64 = 0.05;

/// Texts of a repository that a provider is to count.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// One text or two, that have nothing in common.
    pub texts: Vec<String>,
    /// How many files they are from.
    pub files: usize,
}

impl Samples {
    /// With less text, what a provider adds to every prompt would show in the factor:
    /// about 7 tokens, beside 1,000 of the text.
    pub const LEAST: usize = 4_000;

    /// The bytes of all texts.
    pub fn bytes(&self) -> usize {
        self.texts.iter().map(String::len).sum()
    }

    /// Samples of the files of these sizes, which the caller orders by language, so that
    /// languages have the shares that they have in the repository; the same ones for the
    /// same files. `read` gives the text of a file, or `None` where it is gone meanwhile:
    /// such a file is no part of the sample.
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

/// Appends `lines`, so that the text that follows starts on a line of its own.
pub fn push_lines(text: &mut String, lines: &str) {
    text.push_str(lines);
    if !lines.is_empty() && !lines.ends_with('\n') {
        text.push('\n');
    }
}

/// What estimates and counts of the same texts say.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The tokens that were estimated for all texts.
    pub estimated: usize,
    /// The tokens that the provider counted.
    pub counted: usize,
    /// The factor between them.
    pub factor: f64,
    /// How far the factors of the texts lie apart, as a share of it; `None` of one text.
    pub spread: Option<f64>,
}

impl Measured {
    /// Of each text what was estimated, and what was counted.
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

    /// How far a corrected estimate can be off, as a share of it.
    pub fn band(&self) -> f64 {
        self.spread
            .map_or(LONE_BAND, |spread| spread.max(LEAST_BAND))
    }

    /// The correction; `None` where the counts make no sense.
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
    fn the_band_is_what_the_samples_differ_by() {
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
