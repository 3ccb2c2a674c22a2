//! The seam between whoever needs a token count and whoever can give one.
//! Which vocabulary a model uses is decided in `loom-models`, not here.

/// Counts the tokens of a text under one fixed vocabulary.
///
/// Implementations are exact: equal text gives an equal count on every thread
/// and every machine.
pub trait Counter: Send + Sync {
    /// The number of tokens in `text`, where text that looks like a special
    /// token is ordinary text.
    fn count(&self, text: &str) -> usize;
}

impl<C: Counter + ?Sized> Counter for &C {
    fn count(&self, text: &str) -> usize {
        (**self).count(text)
    }
}
