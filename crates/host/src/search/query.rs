//! Runs a query on the files that can match.

use std::ops::ControlFlow;
use std::sync::Arc;

use loom_lookup::{FileHits, Keep, Matched, Outcome, PreparedSearch, SearchOptions, Searched};
use loom_search::{Candidates, Program, Query};

use super::SearchError;
use super::searcher::Searcher;
use crate::Cancel;

/// Maximum number of candidates whose texts are cached. A query with more candidates is slow
/// anyway, and would evict the texts that other queries reuse.
const KEPT: usize = 4000;

impl Searcher {
    /// Passes the files that match `query` to `emit`, ordered by path.
    ///
    /// # Errors
    /// If a pattern of the query is invalid, or the caller cancels.
    pub fn search(
        &self,
        query: &Query,
        options: &SearchOptions,
        cancel: &Cancel,
        mut emit: impl FnMut(FileHits) -> ControlFlow<()>,
    ) -> Result<Searched, SearchError> {
        let (asked, candidates) = self.asked(query, options)?;
        let mut met = Searched::default();
        let (mut matched, mut is_whole) = (Vec::new(), true);
        let file = |at: usize| asked.file(candidates[at] as usize);
        self.each(candidates.len(), cancel, file, |at, outcome| {
            if matches!(outcome, Outcome::Hits(_) | Outcome::Many) {
                matched.push(candidates[at]);
            }
            let flow = asked.hand_out(candidates[at] as usize, outcome, &mut met, &mut emit);
            is_whole &= flow.is_continue();
            flow
        })?;
        if is_whole && self.is_all_known {
            self.cache.put(query, options.search_text, matched);
        }
        Ok(met)
    }

    /// Prepares a query. Also returns the files that can match.
    pub(super) fn asked(
        &self,
        query: &Query,
        options: &SearchOptions,
    ) -> Result<(PreparedSearch<'_, Self>, Matched), SearchError> {
        let program = Program::new(query)?;
        let known = self.cache.get(query, options.search_text);
        let plan = Candidates::new(query);
        let candidates = known.unwrap_or_else(|| Arc::new(self.candidates(&plan)));
        let asked = PreparedSearch {
            files: self,
            program,
            plan,
            options: *options,
            keep: match candidates.len() {
                0..=KEPT => Keep::Yes,
                _ => Keep::No,
            },
        };
        Ok((asked, candidates))
    }
}
