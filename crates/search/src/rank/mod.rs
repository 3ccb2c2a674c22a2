//! Ranks contents for a question, of which they contain at least one word. `bm25` and `tfidf` use
//! only the words of texts; `code_aware` also uses names of symbols, comments, paths, and the kind
//! of file.

mod blend;
mod chunk;
mod fit;
mod names;
mod place;
mod question;
mod score;

pub use blend::{Definition, Evidence, blend};
pub use chunk::{Part, part_scores};
pub use fit::{DefinedName, fit};
pub use names::AskedName;
pub use place::is_aside;
pub use question::{Question, is_stop_word};
pub use score::{Live, Ranked, Scored, rank};

/// Method of ranking.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Ranking {
    /// Okapi BM25 over all words of a text.
    Bm25,
    /// Counts of words times their rarity, normalised by the length of the text.
    TfIdf,
    /// Words weighted by their position: names, comments, paths, bodies.
    #[default]
    CodeAware,
}

/// Weights of the code-aware ranking. They were tuned on half of the repositories of a set of
/// questions; the guide on search has the figures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// Weight of a word in the body, in the name of a symbol, and in a comment.
    pub fields: [f64; 3],
    /// Penalty for longer fields, from 0 to 1.
    pub lengths: [f64; 3],
    /// A word in the name of the file.
    pub stem: f64,
    /// Weight of a file name that contains the words of the question, relative to all words of the
    /// best file.
    pub named: f64,
    /// Weight of a word in the name of a directory.
    pub folder: f64,
    /// Saturation of repeated words.
    pub saturation: f64,
    /// Factor for tests, examples and the like.
    pub aside: f64,
    /// Factor for documents and data.
    pub no_code: f64,
}

impl Default for Weights {
    fn default() -> Self {
        Self {
            fields: [1.0, 1.5, 0.7],
            lengths: [0.2, 0.4, 0.4],
            stem: 5.0,
            named: 0.5,
            folder: 1.0,
            saturation: 1.5,
            aside: 0.5,
            no_code: 0.3,
        }
    }
}
