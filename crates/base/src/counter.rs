//! The interface between callers that need a token count and tokenizers that provide it.
//! `loom-models` decides which vocabulary a model uses.

use std::ops::Range;

/// Counter of the tokens of a text under one fixed vocabulary.
///
/// Equal text gives an equal count on every thread and every machine. If a tokenizer is not public,
/// the count is an upper estimate that the text hardly ever exceeds.
pub trait Counter: Send + Sync {
    /// Returns the number of tokens in `text`. Text that looks like a special token counts as
    /// ordinary text.
    fn count(&self, text: &str) -> usize;
}

impl<C: Counter + ?Sized> Counter for &C {
    fn count(&self, text: &str) -> usize {
        (**self).count(text)
    }
}

/// Counter for parts of one text, each counted as a separate text.
pub trait Measure: Send + Sync {
    /// Counts the tokens of `before` followed by the bytes `part` of the text. Returns `None` above
    /// `limit`, or if `part` does not start and end at character boundaries.
    fn within(&self, before: &str, part: Range<usize>, limit: usize) -> Option<usize>;
}
