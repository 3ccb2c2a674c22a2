//! What is wrong with a query, and where.

use std::ops::Range;

/// A query that cannot be asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct QueryError {
    message: String,
    at: Range<usize>,
    hint: Option<&'static str>,
    /// The pattern that the place is in, where it is not in the query.
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

    /// Its place is in this pattern.
    pub(crate) fn within(mut self, pattern: &str) -> Self {
        self.pattern = Some(pattern.to_owned());
        self
    }

    /// The bytes of the query that it is about; of the pattern, where there is one.
    pub fn at(&self) -> Range<usize> {
        self.at.clone()
    }

    /// The pattern that it is about.
    pub fn pattern(&self) -> Option<&str> {
        self.pattern.as_deref()
    }

    /// What to do about it.
    pub fn hint(&self) -> Option<&'static str> {
        self.hint
    }
}
