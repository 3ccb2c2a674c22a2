//! Reasons for selecting a piece: the signals of its best part, then those of its file.

use loom_wire::ReasonScope;

use super::select::Ranked;
use super::signals::Signal;

/// A smaller contribution is not a reason.
const LEAST: f32 = 0.0005;
/// Maximum number of reasons of a part, and of a part and its file. Each reason costs tokens in the
/// context, and the first ones explain almost all of the score.
const OWN: usize = 2;
const ALL: usize = 5;

/// A reason for a selection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reason {
    /// Name of the reason.
    pub name: &'static str,
    /// Explanation in words.
    pub words: &'static str,
    /// Its contribution to the score.
    pub value: f64,
    /// Subject of the reason.
    pub of: ReasonScope,
}

impl Reason {
    /// The caller requires the piece, independent of its score.
    pub const PINNED: Self = Self {
        name: "pinned",
        words: "is pinned",
        value: 0.0,
        of: ReasonScope::Piece,
    };

    /// Returns the components of a score, the largest first.
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

    /// Returns the reasons of a piece with this best part.
    pub(super) fn of_piece(part: Option<&Ranked>, file: Option<&Ranked>) -> Vec<Self> {
        let of = |one: Option<&Ranked>, scope| one.map_or(Vec::new(), |one| Self::of(one, scope));
        let mut reasons = of(part, ReasonScope::Piece);
        reasons.truncate(OWN);
        reasons.extend(of(file, ReasonScope::File));
        reasons.truncate(ALL);
        reasons
    }
}
