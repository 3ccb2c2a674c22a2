//! The texts that can match a query: those of a segment, or parts of one text.

use crate::plan::Plan;
use crate::query::Query;
use crate::segment::{Damaged, Segment};
use crate::sieve::{Sieve, TextPart};

/// Says which contents of a segment can match a query.
#[derive(Clone, Debug)]
pub struct Candidates(Plan);

impl Candidates {
    /// For a query.
    pub fn new(query: &Query) -> Self {
        Self(Plan::of(&query.expr))
    }

    /// Returns true if the index rules nothing out.
    pub fn is_all(&self) -> bool {
        self.0 == Plan::All
    }

    /// The contents that can match, as flags.
    ///
    /// # Errors
    /// When the segment is damaged.
    pub fn of<B: AsRef<[u8]>>(&self, segment: &Segment<B>) -> Result<Vec<bool>, Damaged> {
        segment.candidates(&self.0)
    }

    /// Returns true if a text can match.
    pub fn pass(&self, sieve: &Sieve) -> bool {
        self.0.is_met(&|gram| sieve.has(gram))
    }

    /// The parts of a text in which one line can match all of the query.
    pub fn parts(&self, sieve: &Sieve) -> Vec<TextPart> {
        sieve.parts(|has| self.0.is_met(has))
    }
}
