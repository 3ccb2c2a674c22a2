//! What commits said and changed, as far as they are reachable from `HEAD`.

use std::collections::HashMap;

use loom_engine::context::{Corpus, Past};
use loom_source::{History, Scan};

use crate::{Packer, RepoPath};

/// Commits that are looked at: what is older is about other code.
const COMMITS: usize = 800;

impl Packer {
    /// The history of the files of a corpus; nothing where there is none.
    pub(super) fn context_past(&self, scan: &Scan, corpus: &Corpus) -> Past {
        let numbers: HashMap<&RepoPath, u32> = corpus
            .files
            .iter()
            .zip(0..)
            .map(|(file, at)| (&file.path, at))
            .collect();
        let mut past = Past::default();
        for history in self.source.histories(scan).unwrap_or_default() {
            add(&history, &numbers, &mut past);
        }
        past
    }
}

fn add(history: &History, numbers: &HashMap<&RepoPath, u32>, past: &mut Past) {
    let Ok(Some(head)) = history.head() else {
        return;
    };
    let Ok(log) = history.log(head, COMMITS) else {
        return;
    };
    for entry in log {
        let files = entry
            .files
            .iter()
            .filter_map(|change| numbers.get(&history.shown(&change.path)).copied());
        past.add(&entry.message, files.collect());
    }
}
