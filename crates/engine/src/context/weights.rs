//! The one formula that joins the signals, and what each of them weighs.
//!
//! ```text
//! file  = standing · Σ weight · level(signal)
//! own   = standing · Σ weight · level(signal) + base
//! part  = exp(behind · (1 − named · cue)) · own / (Σ own · bytes of the file)^spread
//! ```
//!
//! `level` brings a signal to about 0 to 1: words are divided by the best of all, cues
//! saturate. `standing` is less than 1 for tests, documents and data. A part is worth how
//! likely its file is meant, times how well it fits, divided by how much else the file
//! has: in a file of thousands of lines each is less likely the one. `behind` is how far
//! the file is behind the best; `cue` is how surely the question names, quotes or has in a
//! stack trace just this part, to which half of it is forgiven. The head of a type and the
//! top of a file are worth at least a share of what stands in them. The weights were
//! chosen by hand on half of the development repositories; the guide has the figures.

use super::signals::{SIGNALS, Signal};

/// What the signals weigh, and which of them count.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// For files.
    pub file: [f64; SIGNALS],
    /// For parts.
    pub part: [f64; SIGNALS],
    /// What every part of a file has, whatever it holds.
    pub base: f64,
    /// How steeply parts of files behind the best fall off.
    pub steepness: f64,
    /// How much the size of a file divides what its parts are worth.
    pub spread: f64,
    /// What long documentation is worth against the code that it is about.
    pub doc: f64,
    /// How much of what its file is behind the best is forgiven to a part that the question
    /// names, quotes or has in a stack trace.
    pub named: f64,
    /// What the head of a type is worth against what is chosen in it.
    pub head: f64,
    /// What the top of a file, where it imports, is worth against what is chosen in it.
    pub top: f64,
    /// How much of a budget tells about what is not shown.
    pub rest: f64,
    /// What a test, example or the like keeps of its score.
    pub aside: f64,
    /// What documents and settings keep.
    pub support: f64,
    /// What data keeps.
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
    /// Only these signals; those that do not count by default get a weight.
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

/// Brings a cue to 0 to 1: half at 0.5, and ever less for more.
pub(super) fn level(signal: Signal, value: f64) -> f64 {
    match signal {
        Signal::Words | Signal::Parts | Signal::Name | Signal::Semantic | Signal::Summary => value,
        _ if value <= 0.0 => 0.0,
        _ => 1.5 * value / (value + 0.5),
    }
}
