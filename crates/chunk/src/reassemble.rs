//! Rebuilds a text from its chunks.

/// Returns the text that chunks were cut from: their texts in order, each without the bytes that
/// repeat the one before it.
///
/// ```
/// use loom_chunk::reassemble;
///
/// assert_eq!(reassemble([("one two", 0), ("two three", 3)]), "one two three");
/// ```
pub fn reassemble<'a>(chunks: impl IntoIterator<Item = (&'a str, usize)>) -> String {
    let own = chunks
        .into_iter()
        .map(|(text, overlap)| text.get(overlap..).unwrap_or_default());
    own.collect()
}
