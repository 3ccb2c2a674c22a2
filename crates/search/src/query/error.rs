//! What is wrong with a query, and where.

use std::ops::Range;

/// A query that cannot be asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct QueryError {
    message: String,
    at: Range<usize>,
    hint: Option<&'static str>,
}

impl QueryError {
    pub(crate) fn new(at: Range<usize>, message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            at,
            hint: None,
        }
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<Option<&'static str>>) -> Self {
        self.hint = hint.into();
        self
    }

    /// The bytes of the query that it is about.
    pub fn at(&self) -> Range<usize> {
        self.at.clone()
    }

    /// What to do about it.
    pub fn hint(&self) -> Option<&'static str> {
        self.hint
    }
}
