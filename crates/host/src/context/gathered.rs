//! The parts of a context layer, before they are stored and after.

use loom_base::ContentHash;
use loom_embed::Vectors;
use loom_engine::context::{Corpus, Past};

/// Data for contexts.
pub(super) struct Gathered {
    /// Number of each file of the corpus among all files.
    pub(super) numbers: Vec<usize>,
    /// Version of each file of the corpus.
    pub(super) versions: Vec<ContentHash>,
    pub(super) corpus: Corpus,
    /// Embedding of each candidate.
    pub(super) vectors: Vectors,
    /// Summary of each file.
    pub(super) summaries: Vec<String>,
    /// Embedding of each summary.
    pub(super) about: Vectors,
    pub(super) past: Past,
    /// Numbers of the files with secrets, among all files.
    pub(super) with_secrets: Vec<usize>,
    /// Warnings about limits that were exceeded during the resolution of imports.
    pub(super) warnings: Vec<String>,
}
