//! Why a piece was chosen: what its best part has, then what its file has.

use loom_wire::ReasonScope;

use super::select::Ranked;
use super::signals::Signal;

/// Less than this is no reason.
const LEAST: f32 = 0.0005;
/// Reasons that are told of a part, and of a part and its file.
const OWN: usize = 2;
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
    /// What it speaks for.
    pub of: ReasonScope,
}

impl Reason {
    /// The caller wants it, whatever its score.
    pub const PINNED: Self = Self {
        name: "pinned",
        words: "is pinned",
        value: 0.0,
        of: ReasonScope::Piece,
    };

    /// What the score of something is made of, the weightiest first.
    pub fn of(ranked: &Ranked, scope: ReasonScope) -> Vec<Self> {
        let values = Signal::ALL.into_iter().zip(ranked.signals);
        let mut found: Vec<Self> = values
            .filter(|(_, value)| *value > LEAST)
            .map(|(signal, value)| Self {
                name: signal.name(),
                words: signal.words(),
                value: f64::from(value),
                of: scope,
            })
            .collect();
        found.sort_by(|a, b| b.value.total_cmp(&a.value));
        found
    }

    /// The reasons of a piece with this best part.
    pub(super) fn of_piece(part: Option<&Ranked>, file: Option<&Ranked>) -> Vec<Self> {
        let of = |one: Option<&Ranked>, scope| one.map_or(Vec::new(), |one| Self::of(one, scope));
        let mut reasons = of(part, ReasonScope::Piece);
        reasons.truncate(OWN);
        reasons.extend(of(file, ReasonScope::File));
        reasons.truncate(ALL);
        reasons
    }
}
