//! Computes the recency of each file's changes relative to the last commit, so that the result does
//! not depend on the clock.

use std::collections::HashMap;

use loom_base::RepoPath;
use loom_engine::map::SymbolGraph;
use loom_source::{History, Scan, Source};

/// Maximum number of commits to read. Older changes are not recent.
const COMMITS: usize = 300;

/// Time in seconds, 90 days, after which the value of a change falls to 1/e.
const FADES: f64 = 90.0 * 24.0 * 3600.0;

/// Returns the recency of each file from 0 to 1; 0 without history.
pub(super) fn recency(source: &Source, scan: &Scan, linked: &SymbolGraph) -> Vec<f64> {
    let mut known: HashMap<RepoPath, f64> = HashMap::new();
    for history in source.histories(scan).unwrap_or_default() {
        changes(&history, &mut known);
    }
    let files = linked.files.iter();
    files
        .map(|file| known.get(&file.path).copied().unwrap_or(0.0))
        .collect()
}

fn changes(history: &History, known: &mut HashMap<RepoPath, f64>) {
    let Ok(Some(head)) = history.head() else {
        return;
    };
    let Ok(log) = history.log(head, COMMITS) else {
        return;
    };
    // The first entry is the last commit. An entry with a later time counts as equally recent.
    let Some(last) = log.first().and_then(|entry| entry.seconds) else {
        return;
    };
    for entry in &log {
        let Some(seconds) = entry.seconds else {
            continue;
        };
        let age = last.saturating_sub(seconds).max(0) as f64;
        for change in &entry.files {
            let value = known.entry(history.shown(&change.path)).or_default();
            *value = value.max((-age / FADES).exp());
        }
    }
}
