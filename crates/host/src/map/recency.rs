//! How lately files changed, told from the last commit: the clock plays no part.

use std::collections::HashMap;

use loom_base::RepoPath;
use loom_engine::map::SymbolGraph;
use loom_source::{History, Scan};

use crate::Packer;

/// Commits that are looked at. What is older has not changed lately.
const COMMITS: usize = 300;

/// After so many seconds, 90 days, a change counts for the third part.
const FADES: f64 = 90.0 * 24.0 * 3600.0;

impl Packer {
    /// How lately each file changed, from 0 to 1; nothing where there is no history.
    pub(super) fn recency(&self, scan: &Scan, linked: &SymbolGraph) -> Vec<f64> {
        let mut known: HashMap<RepoPath, f64> = HashMap::new();
        for history in self.source.histories(scan).unwrap_or_default() {
            changes(&history, &mut known);
        }
        let files = linked.files.iter();
        files
            .map(|file| known.get(&file.path).copied().unwrap_or(0.0))
            .collect()
    }
}

fn changes(history: &History, known: &mut HashMap<RepoPath, f64>) {
    let Ok(Some(head)) = history.head() else {
        return;
    };
    let Ok(log) = history.log(head, COMMITS) else {
        return;
    };
    // The first one is the last commit. What claims to be later is as late as it.
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
