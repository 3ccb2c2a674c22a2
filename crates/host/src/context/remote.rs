//! How close parts are in meaning, as a service tells it: only for the files that fit best
//! by everything else, since each text that is sent costs. What it said about a text is
//! remembered.

use std::ops::Range;

use loom_base::{EmbedError, Embedder};
use loom_embed::Vectors;
use loom_engine::context::{Asked, Corpus, Selection};

use super::texts::Texts;

/// Files whose parts are compared.
const FILES: usize = 40;
/// Parts that are compared, at most.
const PARTS: usize = 1200;

/// The closeness of every part; 0 of those that were not compared.
pub(super) fn closeness(
    embedder: &dyn Embedder,
    asked: &Asked,
    (corpus, first): (&Corpus, &Selection),
    texts: &Texts<'_>,
) -> Result<Vec<f32>, EmbedError> {
    let mut found = vec![0.0; corpus.parts.len()];
    let wanted = wanted(corpus, first);
    let meant = embedder
        .embed(&[asked.meant.as_str()])?
        .pop()
        .unwrap_or_default();
    for (file, range) in wanted {
        let vectors = match texts.remembered_vectors(file, embedder, range.len()) {
            Some(known) => known,
            None => {
                let Some(shown) = texts.get(file) else {
                    continue;
                };
                let parts = &corpus.parts[range.clone()];
                let parts: Vec<&str> = parts
                    .iter()
                    .map(|part| shown.lines(part.first..=part.last))
                    .collect();
                let mut vectors = Vectors::new(embedder.dimensions());
                for vector in embedder.embed(&parts)? {
                    vectors.push(&vector);
                }
                texts.remember_vectors(file, embedder, &vectors);
                vectors
            }
        };
        let close = vectors.closeness(&meant, 0..vectors.len());
        found[range].copy_from_slice(&close);
    }
    Ok(found)
}

/// The files that are compared, with their parts.
fn wanted(corpus: &Corpus, first: &Selection) -> Vec<(u32, Range<usize>)> {
    let mut parts = 0;
    let mut wanted = Vec::new();
    for one in first.files.iter().take(FILES) {
        let range = &corpus.files[one.number as usize].parts;
        let range = range.start as usize..range.end as usize;
        parts += range.len();
        if parts > PARTS {
            break;
        }
        wanted.push((one.number, range));
    }
    wanted
}
