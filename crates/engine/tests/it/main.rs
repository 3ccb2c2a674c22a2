//! Tests the public API: in-memory texts are ranked, fitted and written.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod changes;
mod context_fit;
mod corpus;
mod cut;
mod describe;
mod fit_budget;
mod fit_levels;
mod heads;
mod map_fill;
mod map_rank;
mod query;
mod query_names;
mod repository;
mod select;
mod select_more;
mod summaries;
mod texts;
