//! Cached chunks of a text. They quote the text, so they are always encrypted with its content key.

use loom_base::RepoPath;
use loom_base::codec::{Reader, Writer};
use loom_chunk::{ChunkOptions, TextChunk};
use loom_models::{Tokenizer, Vocabulary};
use loom_store::ValueKind;
use loom_syntax::Language;

use super::{CacheEntries, kind, variant};

const CUT: ValueKind = kind("chunks");

/// Returns the variant of a text's chunks; `None` if they depend on a vocabulary file.
pub(crate) fn cut_variant(
    path: &RepoPath,
    language: Option<Language>,
    options: &ChunkOptions,
    tokenizer: Tokenizer,
) -> Option<i64> {
    if matches!(tokenizer, Tokenizer::Exact(Vocabulary::Loaded(_))) {
        return None;
    }
    let how = format!("{options:?} {tokenizer:?}");
    let language = language.map_or("", Language::id);
    Some(variant(&[
        // The ids of chunks depend on the path.
        path.as_bytes(),
        language.as_bytes(),
        how.as_bytes(),
    ]))
}

impl CacheEntries<'_> {
    /// Returns the cached chunks of the text.
    pub(crate) fn cut(self, variant: i64) -> Option<Vec<TextChunk>> {
        let value = self.get(CUT, variant)?;
        let mut from = Reader::new(&value);
        let chunks = from.many(TextChunk::read)?;
        from.is_at_end().then_some(chunks)
    }

    /// Caches the chunks of the text, encrypted with its content key.
    pub(crate) fn keep_cut(self, variant: i64, chunks: &[TextChunk]) {
        let mut out = Writer::new();
        out.size(chunks.len());
        for chunk in chunks {
            chunk.write(&mut out);
        }
        self.keep(CUT, variant, &out.finish());
    }
}
