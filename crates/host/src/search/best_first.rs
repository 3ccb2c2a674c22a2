//! Returns the files that match a query, the best first. One pass computes the scores, and another
//! one reads the results to show, so that results do not accumulate in memory.

use std::collections::HashSet;
use std::ops::ControlFlow;

use loom_lookup::{FileHits, SearchOptions, Searched, WithNames, sort_by_score, words_of};

use super::{SearchError, Searcher};
use crate::{Cancel, Query};

/// Number of files, the best by matching lines, whose definitions change their score. As many
/// further files follow if they define a name of the query.
const WITH_NAMES: usize = 200;

impl Searcher {
    /// Passes the files that match `query` to `emit`, the best first.
    ///
    /// # Errors
    /// If a pattern of the query is invalid, or the caller cancels.
    pub fn search_best_first(
        &self,
        query: &Query,
        options: &SearchOptions,
        cancel: &Cancel,
        mut emit: impl FnMut(FileHits) -> ControlFlow<()>,
    ) -> Result<Searched, SearchError> {
        let (asked, candidates) = self.asked(query, options)?;
        let mut order: Vec<(u32, f64)> = Vec::new();
        let score = |at: usize| asked.score(candidates[at] as usize, WithNames::No);
        self.each(candidates.len(), cancel, score, |at, score| {
            order.extend(score.map(|score| (candidates[at], score)));
            ControlFlow::Continue(())
        })?;
        sort_by_score(&mut order);
        let looked = self.with_names(query, &order);
        let numbers: Vec<u32> = looked.iter().map(|at| order[*at].0).collect();
        let score = |at: usize| asked.score(numbers[at] as usize, WithNames::Yes);
        self.each(numbers.len(), cancel, score, |at, score| {
            let place = &mut order[looked[at]];
            place.1 = score.unwrap_or(place.1);
            ControlFlow::Continue(())
        })?;
        sort_by_score(&mut order);
        let mut met = Searched::default();
        let file = |at: usize| asked.file(order[at].0 as usize);
        self.each(order.len(), cancel, file, |at, outcome| {
            let (number, score) = order[at];
            let mut scored = |hits: FileHits| {
                emit(FileHits {
                    score: Some(score),
                    ..hits
                })
            };
            asked.hand_out(number as usize, outcome, &mut met, &mut scored)
        })?;
        Ok(met)
    }

    /// Returns the positions in `order` of the files whose definitions are scored.
    fn with_names(&self, query: &Query, order: &[(u32, f64)]) -> Vec<usize> {
        let first = order.len().min(WITH_NAMES);
        let mut looked: Vec<usize> = (0..first).collect();
        if first == order.len() {
            return looked;
        }
        let mut names = Vec::new();
        words_of(&query.expr, &mut names);
        let defining = names.into_iter().flat_map(|name| self.defining(name));
        let defining: HashSet<usize> = defining.collect();
        let rest = first..order.len();
        let rest = rest.filter(|at| defining.contains(&(order[*at].0 as usize)));
        looked.extend(rest.take(WITH_NAMES));
        looked
    }
}
