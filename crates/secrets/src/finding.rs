//! A finding: the position, kind and confidence of a suspected secret, with reasons. Never the
//! secret itself.

use std::fmt;
use std::ops::Range;

/// A suspected secret in a text.
#[derive(Clone, PartialEq, Eq)]
pub struct Finding {
    /// Byte range of the secret in the text.
    pub span: Range<usize>,
    /// Kind of secret: `github-token`, `password`, `private-key`.
    pub kind: &'static str,
    /// Confidence that it is a secret.
    pub confidence: Confidence,
    /// Reasons in words, the strongest first.
    pub reasons: Vec<&'static str>,
}

impl fmt::Debug for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Range { start, end } = self.span;
        write!(f, "{} {start}..{end} {}", self.kind, self.confidence)?;
        write!(f, " ({})", self.reasons.join("; "))
    }
}

/// Confidence that a finding is a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Confidence {
    /// It has the form or the name of a secret, but may be an example or a test value.
    Low,
    /// It is most likely a secret.
    Medium,
    /// It has the form of one provider's secrets, or is a private key.
    High,
}

impl Confidence {
    /// All levels, the lowest first.
    pub const ALL: [Self; 3] = [Self::Low, Self::Medium, Self::High];

    /// Returns the name in settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }

    /// Converts points from 0 to 100; returns `None` if they are too low to report.
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

/// Vote of one engine on one span.
#[derive(Clone, Debug)]
pub(crate) struct Vote {
    pub(crate) span: Range<usize>,
    pub(crate) kind: &'static str,
    /// From 0 to 100.
    pub(crate) points: i32,
    pub(crate) reason: &'static str,
}
