//! Contexts: reads a source once, then answers any number of questions with the relevant pieces
//! within a budget.

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

pub use gather::ContextBuilder;
pub use hits::ContextHit;
pub use no_match::{NO_MATCH_MAP_TOKENS, no_match_map, no_match_message, no_match_text};
pub use options::{ContextStrategy, context_request};
pub use stored::verify_search_index;
pub(crate) use study::FileAnalysis;

use crate::cache::CacheSession;

/// A source, prepared for contexts.
#[derive(Debug)]
pub struct ContextRepository {
    pub(crate) files: Vec<FoundFile>,
    /// Number of each file of the corpus among all files.
    pub(super) numbers: Vec<usize>,
    pub(super) corpus: Corpus,
    /// Embedding of each candidate.
    pub(super) vectors: Vectors,
    /// Version of each file of the corpus.
    pub(super) versions: Vec<ContentHash>,
    /// Summary of each file.
    pub(super) summaries: Vec<String>,
    /// Embedding of each summary.
    pub(super) about: Vectors,
    pub(super) past: Past,
    pub(super) recall: CacheSession,
    /// Secrets that were known when the source was read.
    pub(crate) secrets: Arc<Copies>,
}

/// Options of a context.
#[derive(Clone)]
pub struct ContextRequest {
    /// The question or issue.
    pub query: String,
    /// Maximum number of tokens.
    pub budget: usize,
    /// Output format.
    pub format: Format,
    /// Directory of the query, with a trailing `/`: displayed paths are relative to it. Empty for
    /// the whole source.
    pub below: String,
    /// Weights of the signals.
    pub weights: ContextWeights,
    /// Files that are open or being edited.
    pub hot: Vec<String>,
    /// Files that an earlier answer contained.
    pub previous: Vec<String>,
    /// Files, `FILE:FIRST-LAST` or names of definitions that must be shown.
    pub pins: Vec<String>,
    /// Embedding provider that replaces the built-in table.
    pub embedder: Option<Arc<dyn Embedder>>,
    /// Maximum number of selected candidates.
    pub top: Option<usize>,
    /// Minimum score of a selected candidate.
    pub threshold: f64,
}

/// A context with its ranking.
#[derive(Debug)]
pub struct ContextAnswer {
    /// Ranking of files and candidates.
    pub selection: Selection,
    /// The context within its budget.
    pub fitted: Fitted,
    /// Number of files that were ranked.
    pub files: usize,
    /// True if nothing matches the query. The context then contains no piece.
    pub has_no_match: bool,
    /// Pinned and open files or definitions that do not exist.
    pub missing: Vec<String>,
    /// Number of secrets and placeholders in the shown texts.
    pub secrets: usize,
    /// Files that changed since the source was read. The context does not show them.
    pub changed: Vec<RepoPath>,
    /// Texts of the pieces, by file in the corpus.
    texts: HashMap<u32, Arc<DisplayText>>,
}

impl ContextAnswer {
    /// Returns the text of a piece, in the version that was ranked.
    pub fn text(&self, piece: &Piece) -> &str {
        let shown = self.texts.get(&piece.file);
        shown.map_or("", |shown| shown.lines(piece.first..=piece.last))
    }
}
