//! Cached results of compression. They quote the text, so they are always encrypted with its
//! content key.

use loom_store::{Seal, ValueKind};
use loom_syntax::{Compressed, Compression, Language};

use super::{CacheSession, ContentKey, kind, variant};

const COMPRESSED: ValueKind = kind("compressed");

/// A compressed text, with everything that decides about the result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CompressedText<'a> {
    pub(crate) language: Option<Language>,
    pub(crate) text: &'a str,
    pub(crate) how: &'a Compression,
    /// Memory limit of a parse.
    pub(crate) memory: u64,
}

impl CacheSession {
    /// Returns the compressed text from the cache, or makes and caches it.
    pub(crate) fn compressed(
        &self,
        content_key: &ContentKey,
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
        // A caller with the contents has the text, and so the content key.
        let seal = Seal::of(text.as_bytes());
        let known = self.sealed(content_key, COMPRESSED, variant, &seal);
        known
            .and_then(|value| Compressed::from_bytes(&value))
            .unwrap_or_else(|| {
                let compressed = make();
                self.keep_sealed(
                    content_key,
                    COMPRESSED,
                    variant,
                    &compressed.to_bytes(),
                    &seal,
                );
                compressed
            })
    }
}
