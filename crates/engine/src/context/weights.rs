//! The formula that combines the signals, and their weights.
//!
//! ```text
//! file  = standing · Σ weight · level(signal)
//! own   = standing · Σ weight · level(signal) + base
//! part  = exp(behind · (1 − named · cue)) · own / (Σ own · bytes of the file)^spread
//! ```
//!
//! `level` maps a signal to about 0 to 1: word scores are divided by the best, cues saturate.
//! `standing` is less than 1 for tests, documents and data. The score of a part is the probability
//! of its file, times its own score, divided by the rest of the file: in a file of thousands of
//! lines each part is less likely. `behind` is the distance of the file from the best; `cue` is the
//! certainty that the query names, quotes or has in a stack trace this part, which reduces that
//! distance by up to `named`. The header of a type and the top of a file get at least a share of
//! the score of the parts that they belong to. The weights were tuned by hand on half of the
//! development repositories; the guide has the figures.

use super::signals::{SIGNALS, Signal};

/// Weights of the signals, and their selection.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// Weights for files.
    pub file: [f64; SIGNALS],
    /// Weights for parts.
    pub part: [f64; SIGNALS],
    /// Base score of every part of a file.
    pub base: f64,
    /// Steepness with which parts of lower-ranked files fall off.
    pub steepness: f64,
    /// Influence of the size of a file on the scores of its parts.
    pub spread: f64,
    /// Weight of long documentation, relative to its code.
    pub doc: f64,
    /// Share of the distance of its file from the best that is forgiven to a part that the query
    /// names, quotes or has in a stack trace.
    pub named: f64,
    /// Share of the header of a type in the score of its selected parts.
    pub head: f64,
    /// Share of the imports at the top of a file in the score of its selected parts.
    pub top: f64,
    /// Share of the budget for summaries of files that are not shown.
    pub rest: f64,
    /// Factor for tests, examples and the like.
    pub aside: f64,
    /// Factor for documents and settings.
    pub support: f64,
    /// Factor for data.
    pub ballast: f64,
}

impl Default for Weights {
    fn default() -> Self {
        let mut file = [0.0; SIGNALS];
        let mut part = [0.0; SIGNALS];
        for (signal, of_file, of_part) in [
            (Signal::Words, 1.0, 1.0),
            (Signal::Parts, 1.4, 0.0),
            (Signal::Name, 1.0, 0.0),
            (Signal::Semantic, 1.0, 0.0),
            (Signal::Summary, 0.4, 0.0),
            (Signal::Path, 1.8, 1.0),
            (Signal::Frame, 1.0, 1.0),
            (Signal::Definition, 0.3, 0.8),
            (Signal::Phrase, 0.4, 0.8),
            (Signal::Call, 0.6, 0.5),
            (Signal::History, 0.5, 0.0),
            (Signal::Together, 0.1, 0.0),
            (Signal::Tested, 0.1, 0.1),
            (Signal::Previous, 0.4, 0.0),
            (Signal::Hot, 1.5, 0.0),
        ] {
            file[signal as usize] = of_file;
            part[signal as usize] = of_part;
        }
        Self {
            file,
            part,
            base: 0.4,
            steepness: 1.0,
            spread: 0.25,
            doc: 1.0,
            named: 0.5,
            head: 0.6,
            top: 0.3,
            rest: 0.03,
            aside: 0.3,
            support: 0.5,
            ballast: 0.3,
        }
    }
}

impl Weights {
    /// Enables only these signals; a signal without a default weight gets one.
    pub fn chosen(signals: &[Signal]) -> Self {
        let mut weights = Self::default();
        for signal in Signal::ALL {
            let is_chosen = signals.contains(&signal) || signal.is_given();
            let file = &mut weights.file[signal as usize];
            match is_chosen {
                false => (*file, weights.part[signal as usize]) = (0.0, 0.0),
                true if *file == 0.0 => *file = 0.3,
                true => {}
            }
        }
        weights
    }
}

/// Steepness if no signal distinguishes the parts of a file.
const BY_FILES: f64 = 8.0;

impl Weights {
    /// Returns the weights for parts. If no signal distinguishes parts, the order of files decides,
    /// without a bonus for small files.
    pub(super) fn for_parts(&self) -> Self {
        let distinguishes_parts = self.part.iter().any(|weight| *weight > 0.0);
        match distinguishes_parts {
            true => self.clone(),
            false => Self {
                steepness: BY_FILES,
                spread: 0.0,
                ..self.clone()
            },
        }
    }
}

/// Maps a cue to 0 to 1: 0.5 becomes half, with diminishing returns above.
pub(super) fn level(signal: Signal, value: f64) -> f64 {
    match signal {
        Signal::Words | Signal::Parts | Signal::Name | Signal::Semantic | Signal::Summary => value,
        _ if value <= 0.0 => 0.0,
        _ => 1.5 * value / (value + 0.5),
    }
}
