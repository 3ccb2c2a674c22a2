//! The parts of a context layer, before they are stored and after.

use loom_base::ContentHash;
use loom_embed::Vectors;
use loom_engine::context::{Corpus, Past};

/// What contexts are made from.
pub(super) struct Gathered {
    /// The number of each file of the corpus among all files.
    pub(super) numbers: Vec<usize>,
    /// The version of each file of the corpus.
    pub(super) versions: Vec<ContentHash>,
    pub(super) corpus: Corpus,
    /// The meaning of each part.
    pub(super) vectors: Vectors,
    /// What each file is about.
    pub(super) summaries: Vec<String>,
    /// The meaning of that.
    pub(super) about: Vectors,
    pub(super) past: Past,
    /// The files that secrets stand in, among all files.
    pub(super) with_secrets: Vec<usize>,
    /// The limits that were met while imports were resolved.
    pub(super) warnings: Vec<String>,
}
