//! Why a piece was chosen: what its best part has, then what its file has.

use super::select::Ranked;
use super::signals::Signal;

/// Less than this is no reason.
const LEAST: f32 = 0.0005;
/// Reasons that are told of a part, and of a file.
const OWN: usize = 3;
const ALL: usize = 5;

/// A reason, in words and numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reason {
    /// Its name.
    pub name: &'static str,
    /// In words.
    pub words: &'static str,
    /// How much of the score it is.
    pub value: f64,
    /// Whether it speaks for the file as a whole.
    pub is_of_file: bool,
}

impl Reason {
    /// The caller wants it, whatever its score.
    pub const PINNED: Self = Self {
        name: "pinned",
        words: "is pinned",
        value: 0.0,
        is_of_file: false,
    };

    /// What the score of something is made of, the weightiest first.
    pub fn of(ranked: &Ranked, is_of_file: bool) -> Vec<Self> {
        let values = Signal::ALL.into_iter().zip(ranked.signals);
        let mut found: Vec<Self> = values
            .filter(|(_, value)| *value > LEAST)
            .map(|(signal, value)| Self {
                name: signal.name(),
                words: signal.words(),
                value: f64::from(value),
                is_of_file,
            })
            .collect();
        found.sort_by(|a, b| b.value.total_cmp(&a.value));
        found
    }

    /// The reasons of a piece with this best part.
    pub(super) fn of_piece(part: Option<&Ranked>, file: Option<&Ranked>) -> Vec<Self> {
        let of = |one: Option<&Ranked>, is_of_file| {
            one.map_or(Vec::new(), |one| Self::of(one, is_of_file))
        };
        let mut reasons = of(part, false);
        reasons.truncate(OWN);
        reasons.extend(of(file, true));
        reasons.truncate(ALL);
        reasons
    }
}
