//! Context selection: scores the parts of a repository for a query with one formula over several
//! signals, and selects the best ones that fit the budget.

mod calls;
mod corpus;
mod cut;
mod evidence;
mod fit;
mod general;
mod lexical;
mod mentions;
mod naming;
mod past;
mod phrases;
mod query;
mod reasons;
mod select;
mod signals;
mod stored;
mod surroundings;
mod tested;
mod units;
mod weights;

pub use corpus::{Corpus, CorpusBuilder, CorpusFile, CorpusPart};
pub use cut::{Cut, CutPart, DocLines, term_key};
pub use evidence::WordsFound;
pub use fit::{DisplayText, FitError, FitOptions, Fitted, Piece, Rest, fit};
pub use past::Past;
pub use query::{Frame, Named, ParsedQuery, PathCue, Phrase, QueryWord};
pub use reasons::Reason as ContextReason;
pub use select::{Ranked, SelectOptions, Selection, select};
pub use signals::{SIGNALS, Signal};
pub use stored::CorpusColumns;
pub use units::{Granularity, Unit};
pub use weights::Weights as ContextWeights;
