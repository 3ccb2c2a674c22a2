//! Signals of a file that do not depend on the query: how often others use it, and how recently it
//! changed.

use loom_program::FileId;

use super::corpus::Corpus;
use super::past::Past;
use super::signals::{Signal, Signals};

/// After this number of commits a change counts a third.
const FADES: f64 = 100.0;

/// Scores files by the number of files that import them, on a flattening scale.
pub(super) fn central(corpus: &Corpus, signals: &mut Signals) {
    let mut users = vec![0.0_f64; corpus.files.len()];
    for file in 0..corpus.program.file_count() {
        let id = FileId(file as u32);
        if corpus.program.is_test(id) {
            continue;
        }
        for (to, among) in corpus.program.imported(id) {
            if let Some(at) = corpus.of_program.get(to.0 as usize) {
                users[*at as usize] += 1.0 / among as f64;
            }
        }
    }
    let most = users.iter().copied().fold(0.0, f64::max).ln_1p().max(1e-9);
    for (at, users) in users.iter().enumerate() {
        signals.add_file(at as u32, Signal::Central, users.ln_1p() / most);
    }
}

/// Scores files by their last change, in the order of commits.
pub(super) fn recent(past: &Past, signals: &mut Signals) {
    let mut known = vec![false; signals.files.len()];
    for (at, files) in past.changes().enumerate() {
        for file in files {
            if let Some(known) = known.get_mut(*file as usize)
                && !std::mem::replace(known, true)
            {
                signals.add_file(*file, Signal::Recent, (-(at as f64) / FADES).exp());
            }
        }
    }
}

/// Gives every file a minimal centrality, so that all files have an order.
pub(super) fn every(corpus: &Corpus, signals: &mut Signals) {
    for file in 0..corpus.files.len() as u32 {
        signals.add_file(file, Signal::Central, 1e-3);
    }
}
