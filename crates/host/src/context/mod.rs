//! Contexts: reads a source once, then answers any number of questions with the parts
//! that fit them inside a budget.

mod answer;
mod cached_study;
mod gather;
mod gathered;
mod history;
mod hits;
mod nearest;
mod no_match;
mod options;
mod remote;
mod stored;
mod study;
#[cfg(test)]
mod tests;
mod texts;

use std::collections::HashMap;
use std::sync::Arc;

use loom_base::{ContentHash, Embedder, RepoPath};
use loom_embed::Vectors;
use loom_engine::Format;
use loom_engine::context::{ContextWeights, Corpus, DisplayText, Fitted, Past, Piece, Selection};
use loom_secrets::Copies;
use loom_source::FoundFile;

pub use hits::ContextHit;
pub use no_match::{NO_MATCH_MAP_TOKENS, no_match_message};
pub use options::{ContextStrategy, context_request};
pub use stored::verify_search_index;
pub(crate) use study::FileAnalysis;

use crate::cache::CacheSession;

/// A source, read for contexts.
#[derive(Debug)]
pub struct ContextRepository {
    pub(crate) files: Vec<FoundFile>,
    /// The number of each file of the corpus among all files.
    pub(super) numbers: Vec<usize>,
    pub(super) corpus: Corpus,
    /// The meaning of each part.
    pub(super) vectors: Vectors,
    /// The version of each file of the corpus.
    pub(super) versions: Vec<ContentHash>,
    /// What each file is about.
    pub(super) summaries: Vec<String>,
    /// The meaning of that.
    pub(super) about: Vectors,
    pub(super) past: Past,
    pub(super) recall: CacheSession,
    /// The secrets that were known when it was read.
    pub(crate) secrets: Arc<Copies>,
}

/// What a context is asked for.
#[derive(Clone)]
pub struct ContextRequest {
    /// The question or issue.
    pub query: String,
    /// At most so many tokens.
    pub budget: usize,
    /// The form.
    pub format: Format,
    /// The folder that is asked about, with `/` at its end: the context has paths that start
    /// there. Empty for all of the source.
    pub below: String,
    /// What the signals weigh.
    pub weights: ContextWeights,
    /// Files that are open or being edited.
    pub hot: Vec<String>,
    /// Files that were chosen for an earlier question.
    pub previous: Vec<String>,
    /// Files, `FILE:FIRST-LAST` or names of definitions that must be shown.
    pub pins: Vec<String>,
    /// Who turns texts into vectors, in place of the table that ships with the program.
    pub embedder: Option<Arc<dyn Embedder>>,
    /// At most so many parts.
    pub top: Option<usize>,
    /// Only parts with at least this score.
    pub threshold: f64,
}

/// A context, and how everything was ranked.
#[derive(Debug)]
pub struct ContextAnswer {
    /// The order of files and parts.
    pub selection: Selection,
    /// What fits.
    pub fitted: Fitted,
    /// How many files could be chosen from.
    pub files: usize,
    /// Whether nothing matches the query: then no piece is shown.
    pub has_no_match: bool,
    /// What was pinned or hot and is not there.
    pub missing: Vec<String>,
    /// How many secrets stand in what is shown, or were taken out of it.
    pub secrets: usize,
    /// What was looked at and changed since the source was read: nothing of it is shown.
    pub changed: Vec<RepoPath>,
    /// The texts that pieces are of, by the file in the corpus.
    texts: HashMap<u32, Arc<DisplayText>>,
}

impl ContextAnswer {
    /// The text of a piece of it, of the state in which it was chosen.
    pub fn text(&self, piece: &Piece) -> &str {
        let shown = self.texts.get(&piece.file);
        shown.map_or("", |shown| shown.lines(piece.first..=piece.last))
    }
}
