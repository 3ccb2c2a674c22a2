//! Computes similarities with an embedding service. Each text that is sent costs, so it only
//! compares the files that rank best by all other signals, and caches the embeddings.

use std::ops::Range;

use loom_base::{EmbedError, Embedder};
use loom_embed::Vectors;
use loom_engine::context::{Corpus, Selection};
use loom_secrets::{Numbers, Replaced, redact};

use super::texts::Texts;
use crate::options::SecretsOptions;
use crate::{RepoPath, Run};

/// Maximum number of files whose candidates are compared.
const FILES: usize = 40;
/// Maximum number of candidates that are compared.
const PARTS: usize = 1200;

/// Redacts a question before it is sent: its own secrets and copies of those of files.
pub(super) fn sendable(options: &SecretsOptions, run: &Run, question: &str) -> String {
    if !options.mode.looks() {
        return question.to_owned();
    }
    let path = RepoPath::new("(question)").unwrap_or_else(|_| RepoPath::root());
    let findings = options.scan(&path, question);
    let findings = options.with_copies(&path, question, findings, &run.secrets.copies());
    let plan = Replaced::plan(question, &findings, &mut Numbers::default());
    redact(question, &plan)
}

/// Returns the similarity of every candidate to `meant`; 0 for those that were not compared.
pub(super) fn closeness(
    embedder: &dyn Embedder,
    meant: &str,
    corpus: &Corpus,
    first: &Selection,
    texts: &Texts<'_>,
) -> Result<Vec<f32>, EmbedError> {
    let mut found = vec![0.0; corpus.parts.len()];
    let wanted = wanted(corpus, first);
    let meant = embedded(embedder, &[meant])?.pop().unwrap_or_default();
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
                for vector in embedded(embedder, &parts)? {
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

/// Returns the embedding of each text. An embedder that returns another number has confused them.
fn embedded(embedder: &dyn Embedder, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
    let vectors = embedder.embed(texts)?;
    let failed = |reason: String| EmbedError {
        from: embedder.id().to_owned(),
        reason,
    };
    let (count, expected) = (vectors.len(), texts.len());
    if count != expected {
        return Err(failed(format!("{count} vectors for {expected} texts")));
    }
    let size = embedder.dimensions();
    match vectors.iter().find(|vector| vector.len() != size) {
        None => Ok(vectors),
        Some(odd) => {
            let found = odd.len();
            Err(failed(format!(
                "a vector of {found} numbers, where {size} are expected"
            )))
        }
    }
}

/// Returns the files to compare, with their candidates.
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
