//! Code under test: targets of the tests that match the query, because a report often resembles a
//! test.

use super::calls::{callees, spread};
use super::corpus::Corpus;
use super::signals::{Signal, Signals};

/// Number of followed test parts, those with most words of the query.
const TESTS: usize = 12;

pub(super) fn score(corpus: &Corpus, signals: &mut Signals) {
    let mut tests: Vec<(f64, u32)> = Vec::new();
    for (at, part) in corpus.parts.iter().enumerate() {
        let words = signals.part(at as u32, Signal::Words);
        if words > 0.3 && corpus.files[part.file as usize].is_aside {
            tests.push((words, at as u32));
        }
    }
    tests.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    for (words, part) in tests.into_iter().take(TESTS) {
        let Some(id) = corpus.definition_of(part) else {
            continue;
        };
        let used = callees(id, corpus);
        spread(&used, words, Signal::Tested, id, corpus, signals);
    }
}
