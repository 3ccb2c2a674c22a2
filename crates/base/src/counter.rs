//! The seam between whoever needs a token count and whoever can give one.
//! Which vocabulary a model uses is decided in `loom-models`, not here.

use std::ops::Range;

/// Counts the tokens of a text under one fixed vocabulary.
///
/// Equal text gives an equal count on every thread and every machine. Where a
/// tokenizer is not public, the count is one that the text hardly exceeds.
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

/// Counts parts of one text, each as if it stood alone.
pub trait Measure: Send + Sync {
    /// The tokens of `before` followed by the bytes `part` of the text; nothing where
    /// they are more than `limit`, or the part does not lie between characters.
    fn within(&self, before: &str, part: Range<usize>, limit: usize) -> Option<usize>;
}
