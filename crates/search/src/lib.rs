//! Searches texts: a query language, exact matching of lines, an index of contents that selects
//! candidates, and a ranking of results. It reads no files and knows no languages: texts, paths and
//! symbols come from the caller.
//!
//! ```
//! use loom_search::{Document, Program, Query, QueryOptions};
//!
//! let query = Query::parse("widget path:src -lang:css", &QueryOptions::default())?;
//! let program = Program::new(&query)?;
//! let document = Document::new(b"src/a.rs", Some("rust"), b"fn widget() {}\n");
//! let found = program.run(&document, 100).unwrap();
//! assert_eq!(found.lines[0].line, 1);
//! # Ok::<(), loom_search::QueryError>(())
//! ```

mod candidates;
mod document;
mod found_lines;
mod globs;
mod gram;
mod line_matcher;
mod pattern;
mod plan;
mod program;
mod query;
mod query_error;
mod rank;
mod segment;
mod sieve;
mod words;

pub use candidates::Candidates;
pub use document::{Document, SymbolSpot};
pub use found_lines::LineMatch;
pub use globs::Globs;
pub use line_matcher::LineMatcher;
pub use pattern::{Case, Pattern, PatternKind};
pub use program::{Program, TextMatches};
pub use query::{Expr, MAX_QUERY, Query, QueryOptions};
pub use query_error::QueryError;
pub use rank::{
    AskedName, DefinedName, Definition, Evidence, Live, Part, Question, Ranked, Ranking, Scored,
    Weights, blend, fit, is_aside, is_stop_word, part_scores, rank,
};
pub use segment::{Contents, Damaged, Segment, SegmentBuilder, defining};
pub use sieve::{Sieve, TextPart};
pub use words::{identifiers, parts_in, squeezed, term_parts_in, terms_in, words_of_run};
