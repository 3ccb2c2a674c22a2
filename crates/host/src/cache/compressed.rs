//! What a level left of a text. It quotes the text, so it is only ever kept sealed.

use loom_store::{Seal, ValueKind};
use loom_syntax::{Compressed, Compression, Language};

use super::{CacheSession, Met, kind, variant};

const COMPRESSED: ValueKind = kind("compressed");

/// A text that is compressed, and everything that the result depends on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CompressedText<'a> {
    pub(crate) language: Option<Language>,
    pub(crate) text: &'a str,
    pub(crate) how: &'a Compression,
    /// The memory of a parse.
    pub(crate) memory: u64,
}

impl CacheSession {
    /// What is left of a text, as it was made before, or as `make` makes it.
    pub(crate) fn compressed(
        &self,
        met: &Met,
        source: CompressedText<'_>,
        make: impl FnOnce() -> Compressed,
    ) -> Compressed {
        let CompressedText {
            language,
            text,
            how,
            memory,
        } = source;
        let language = language.map_or("", Language::id);
        let variant = variant(&[language.as_bytes(), format!("{how:?} {memory}").as_bytes()]);
        // Whoever has the contents has the text.
        let seal = Seal::of(text.as_bytes());
        let known = self.sealed(met, COMPRESSED, variant, &seal);
        known
            .and_then(|value| Compressed::from_bytes(&value))
            .unwrap_or_else(|| {
                let compressed = make();
                self.keep_sealed(met, COMPRESSED, variant, &compressed.to_bytes(), &seal);
                compressed
            })
    }
}
