//! The error of a call, as the model reads it.

/// What is wrong with a call, and what to do about it, for the model.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{0}")]
pub(crate) struct Wrong(pub(crate) String);

impl Wrong {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}
