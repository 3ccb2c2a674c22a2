//! What a scan reports: where something stands, what it is taken for, how sure
//! that is and why. Never the secret itself.

use std::fmt;
use std::ops::Range;

/// Something in a text that is taken for a secret.
#[derive(Clone, PartialEq, Eq)]
pub struct Finding {
    /// The bytes of the text that are the secret.
    pub span: Range<usize>,
    /// What it is taken for: `github-token`, `password`, `private-key`.
    pub kind: &'static str,
    /// How sure that is.
    pub confidence: Confidence,
    /// Why, in words, the strongest reason first.
    pub reasons: Vec<&'static str>,
}

impl fmt::Debug for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Range { start, end } = self.span;
        write!(f, "{} {start}..{end} {}", self.kind, self.confidence)?;
        write!(f, " ({})", self.reasons.join("; "))
    }
}

/// How sure it is that something is a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Confidence {
    /// It has the form or the name of one; it may be an example or a test value.
    Low,
    /// It is most likely one.
    Medium,
    /// It has the form of one provider's secrets, or is a private key.
    High,
}

impl Confidence {
    /// All of them, the lowest first.
    pub const ALL: [Self; 3] = [Self::Low, Self::Medium, Self::High];

    /// As users write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }

    /// From 0 to 100 points; `None` below what is worth a word.
    pub(crate) fn of(points: i32) -> Option<Self> {
        match points {
            80.. => Some(Self::High),
            50.. => Some(Self::Medium),
            20.. => Some(Self::Low),
            _ => None,
        }
    }
}

impl fmt::Display for Confidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What one engine says about one place.
#[derive(Clone, Debug)]
pub(crate) struct Vote {
    pub(crate) span: Range<usize>,
    pub(crate) kind: &'static str,
    /// From 0 to 100.
    pub(crate) points: i32,
    pub(crate) reason: &'static str,
}
