//! Errors in queries, with their positions.

use std::ops::Range;

/// An invalid query.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct QueryError {
    message: String,
    at: Range<usize>,
    hint: Option<&'static str>,
    /// The pattern that contains the error, if it is not part of the query.
    pattern: Option<String>,
}

impl QueryError {
    pub(crate) fn new(at: Range<usize>, message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            at,
            hint: None,
            pattern: None,
        }
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<Option<&'static str>>) -> Self {
        self.hint = hint.into();
        self
    }

    /// Marks the position as one within this pattern.
    pub(crate) fn within(mut self, pattern: &str) -> Self {
        self.pattern = Some(pattern.to_owned());
        self
    }

    /// Returns the byte range of the error in the query, or in the pattern if there is one.
    pub fn at(&self) -> Range<usize> {
        self.at.clone()
    }

    /// Returns the pattern that contains the error.
    pub fn pattern(&self) -> Option<&str> {
        self.pattern.as_deref()
    }

    /// Returns advice for the user.
    pub fn hint(&self) -> Option<&'static str> {
        self.hint
    }
}
