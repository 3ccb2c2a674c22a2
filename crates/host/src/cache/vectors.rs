//! Cached embeddings that a service returned for the candidates in a text. They depend on the text,
//! so they are always encrypted with its content key.

use loom_base::codec::{Reader, Writer};
use loom_embed::Vectors;
use loom_store::ValueKind;

use super::{CacheEntries, kind, variant};

const VECTORS: ValueKind = kind("vectors");

impl CacheEntries<'_> {
    /// Returns the embeddings of the text by the embedder `id`, if the cache contains `count` of
    /// this length.
    pub(crate) fn vectors(self, id: &str, count: usize, dimensions: usize) -> Option<Vectors> {
        let value = self.get(VECTORS, variant(&[id.as_bytes()]))?;
        let mut from = Reader::new(&value);
        let mut vectors = Vectors::new(dimensions);
        for _ in 0..count {
            let bytes = from.bytes().filter(|bytes| bytes.len() == dimensions)?;
            let bytes: Vec<i8> = bytes.iter().map(|one| *one as i8).collect();
            vectors.push_bytes(&bytes);
        }
        from.is_at_end().then_some(vectors)
    }

    /// Caches embeddings, encrypted with the content key of the text.
    pub(crate) fn keep_vectors(self, id: &str, vectors: &Vectors) {
        let mut out = Writer::new();
        for at in 0..vectors.len() {
            let bytes: Vec<u8> = vectors.bytes_of(at).iter().map(|one| *one as u8).collect();
            out.bytes(&bytes);
        }
        self.keep(VECTORS, variant(&[id.as_bytes()]), &out.finish());
    }
}
