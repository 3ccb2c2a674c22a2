//! Messages and changed files of the commits that are reachable from `HEAD`.

use std::collections::HashMap;

use loom_engine::context::{Corpus, Past};
use loom_source::{Commit, History, Scan};

use crate::{Packer, RepoPath};

/// Maximum number of commits to read: older ones are about other code.
const COMMITS: usize = 800;

/// The histories of a source, each with its head.
pub(super) struct Histories(Vec<(History, Commit)>);

impl Histories {
    /// Opens the histories that have commits.
    pub(super) fn of(packer: &Packer, scan: &Scan) -> Self {
        let histories = packer.source.histories(scan).unwrap_or_default();
        let with_head = |history: History| {
            let head = history.head().ok()??;
            Some((history, head))
        };
        Self(histories.into_iter().filter_map(with_head).collect())
    }

    /// Returns a hash of the heads: histories with the same heads have the same commits.
    pub(super) fn id(&self) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new();
        for (history, head) in &self.0 {
            let cut = history.cut();
            hasher.update(format!("{head:?} {cut:?}\n").as_bytes());
        }
        *hasher.finalize().as_bytes()
    }

    /// Returns the commits that changed files of a corpus.
    pub(super) fn past(&self, corpus: &Corpus) -> Past {
        let files = corpus.files.iter().zip(0..);
        let numbers: HashMap<&RepoPath, u32> = files.map(|(file, at)| (&file.path, at)).collect();
        let mut past = Past::default();
        for (history, head) in &self.0 {
            for entry in history.log(*head, COMMITS).unwrap_or_default() {
                let changed = entry.files.iter().map(|change| history.shown(&change.path));
                let files = changed.filter_map(|path| numbers.get(&path).copied());
                past.add(&entry.message, files.collect());
            }
        }
        past
    }
}
