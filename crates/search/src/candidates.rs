//! Candidates: the texts of a segment, or the parts of one text, that can match a query.

use crate::plan::Plan;
use crate::query::Query;
use crate::segment::{Damaged, Segment};
use crate::sieve::{Sieve, TextPart};

/// Selects the contents of a segment that can match a query.
#[derive(Clone, Debug)]
pub struct Candidates(Plan);

impl Candidates {
    /// Plans the candidates of a query.
    pub fn new(query: &Query) -> Self {
        Self(Plan::of(&query.expr))
    }

    /// Returns true if the index excludes nothing.
    pub fn is_all(&self) -> bool {
        self.0 == Plan::All
    }

    /// Returns a flag per content: true if it can match.
    ///
    /// # Errors
    /// If the segment is damaged.
    pub fn of<B: AsRef<[u8]>>(&self, segment: &Segment<B>) -> Result<Vec<bool>, Damaged> {
        segment.candidates(&self.0)
    }

    /// Returns true if a text can match.
    pub fn pass(&self, sieve: &Sieve) -> bool {
        self.0.is_met(&|gram| sieve.has(gram))
    }

    /// Returns the parts of a text that contain a line which can match the whole query.
    pub fn parts(&self, sieve: &Sieve) -> Vec<TextPart> {
        sieve.parts(|has| self.0.is_met(has))
    }
}
