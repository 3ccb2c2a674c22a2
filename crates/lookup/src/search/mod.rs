//! Runs queries on the texts of files: finds the matching lines, scores a file, and finds the part
//! of a file that answers a question.

mod answer;
mod lines;
mod part;
mod query_cache;
mod score;
mod symbol_cache;
mod text_cache;
mod types;

pub use answer::{Keep, PreparedSearch, SearchFiles};
pub use lines::{HitLine, LineSource};
pub use part::{BestPart, RankOptions, RankedHit, best_part, lines_of, names_for_others};
pub use query_cache::{Matched, QueryCache};
pub use score::{WithNames, sort_by_score, words_of};
pub use symbol_cache::SymbolCache;
pub use text_cache::{KeptText, TextCache};
pub use types::{Detail, FileHits, Outcome, SearchOptions, SearchText, Searched};
