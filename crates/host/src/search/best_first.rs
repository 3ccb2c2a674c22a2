//! The files that match a query, the best first. All are looked at twice: once for their
//! score, and those that are shown once more, so that no answer is held in memory.

use std::collections::HashSet;
use std::ops::ControlFlow;

use loom_search::{DefinedName, Expr, fit};
use loom_syntax::{Symbol, SymbolKind, Visibility};

use super::answer::Asked;
use super::{FileHits, SearchError, SearchOptions, Searched, Searcher};
use crate::{Cancel, Query};

/// Of so many files, the best by their lines, it is looked at what they define, and of as
/// many that define a name of the query.
const WITH_NAMES: usize = 200;

impl Searcher {
    /// Hands out the files that match `query`, the best first.
    ///
    /// # Errors
    /// When a pattern of the query is wrong, or a stop was asked for.
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
        sort(&mut order);
        let looked = self.with_names(query, &order);
        let numbers: Vec<u32> = looked.iter().map(|at| order[*at].0).collect();
        let score = |at: usize| asked.score(numbers[at] as usize, WithNames::Yes);
        self.each(numbers.len(), cancel, score, |at, score| {
            let place = &mut order[looked[at]];
            place.1 = score.unwrap_or(place.1);
            ControlFlow::Continue(())
        })?;
        sort(&mut order);
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

    /// The places in the order of the files whose names are looked at.
    fn with_names(&self, query: &Query, order: &[(u32, f64)]) -> Vec<usize> {
        let first = order.len().min(WITH_NAMES);
        let mut looked: Vec<usize> = (0..first).collect();
        if first == order.len() {
            return looked;
        }
        let mut names = Vec::new();
        words(&query.expr, &mut names);
        let defining = names.into_iter().flat_map(|name| self.defining(name));
        let defining: HashSet<usize> = defining.collect();
        let rest = first..order.len();
        let rest = rest.filter(|at| defining.contains(&(order[*at].0 as usize)));
        looked.extend(rest.take(WITH_NAMES));
        looked
    }
}

/// What a query looks for by its text: each can be a name.
fn words<'q>(expr: &'q Expr, found: &mut Vec<&'q str>) {
    match expr {
        Expr::And(parts) | Expr::Or(parts) => {
            for part in parts {
                words(part, found);
            }
        }
        Expr::Text(pattern) => {
            // `\bname\b` is a name too.
            let text = pattern
                .text
                .trim_start_matches("\\b")
                .trim_end_matches("\\b");
            let is_part = |c: char| c == '_' || c.is_alphanumeric();
            if !text.is_empty() && text.chars().all(is_part) {
                found.push(text);
            }
        }
        _ => {}
    }
}

/// The best first; what fits alike stays in the order of paths.
fn sort(order: &mut [(u32, f64)]) {
    order.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
}

/// Whether it is looked at what a file defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WithNames {
    Yes,
    No,
}

impl Asked<'_> {
    /// How well a file fits; `None` where it does not match.
    fn score(&self, number: usize, with: WithNames) -> Option<f64> {
        let found = &self.searcher.files[number];
        self.matched(number, |file, matched| {
            let names = match with {
                WithNames::Yes => file
                    .symbols(&self.searcher.packer)
                    .iter()
                    .map(defined)
                    .collect(),
                WithNames::No => Vec::new(),
            };
            let path = found.path.display();
            fit(&path, file.text.as_bytes(), &matched.lines, &names)
        })
    }
}

fn defined(symbol: &Symbol) -> DefinedName {
    let kind = match symbol.kind {
        SymbolKind::Impl => 0.4,
        kind if kind.is_type() => 1.0,
        kind if kind.is_function() => 0.9,
        _ => 0.6,
    };
    let reach = match symbol.visibility {
        Visibility::Public => 1.0,
        _ => 0.8,
    };
    DefinedName {
        span: symbol.name_span.start..symbol.name_span.end,
        worth: kind * reach,
    }
}
