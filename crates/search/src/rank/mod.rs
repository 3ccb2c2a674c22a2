//! Orders contents by how well they answer a question: any of its words may be in them.
//! `bm25` and `tfidf` look at the words of texts alone; `code_aware` also at names of
//! symbols, comments and paths, and at what kind of file it is.

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

/// How an order is found.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Ranking {
    /// Okapi BM25 over all words of a text.
    Bm25,
    /// The counts of words times how rare they are, by the length of the text.
    TfIdf,
    /// Words by where they stand: names, comments, paths, bodies.
    #[default]
    CodeAware,
}

/// What the parts of the code-aware order weigh. The numbers were chosen on half of the
/// repositories of a set of questions; the guide on search has the figures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// A word in the body, in the name of a symbol, in a comment.
    pub fields: [f64; 3],
    /// How much longer fields count for less, from 0 to 1.
    pub lengths: [f64; 3],
    /// A word in the name of the file.
    pub stem: f64,
    /// A file whose name says what the question says, against all words of the best.
    pub named: f64,
    /// A word in the name of a folder.
    pub folder: f64,
    /// How soon more of the same word stops to count.
    pub saturation: f64,
    /// What a file of tests, examples or the like keeps of its score.
    pub aside: f64,
    /// What a document or data keeps of its score.
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
