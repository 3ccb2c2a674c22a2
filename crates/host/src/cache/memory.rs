//! What is remembered about trees, looked up while their folders are listed.

use std::collections::HashMap;

use loom_base::{RepoPath, Stamp};
use loom_source::{Scan, ScanOptions};
use loom_store::{Values, Version};

use super::Cache;
use super::facts::FACTS;
use super::recall::now;
use crate::Packer;
use crate::unread::Unread;

/// What each tree held when somebody looked last, and what is known about that.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    pub(super) snapshots: Vec<HashMap<RepoPath, (Stamp, Version, i64)>>,
    pub(super) facts: Vec<Values>,
    /// Before the trees were listed, in nanoseconds since 1970.
    pub(super) began: i64,
}

/// How much of what is remembered is looked up ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Remember {
    /// Which contents files had.
    Contents,
    /// Also what is known about these.
    Facts,
}

impl Packer {
    /// Lists the files, and meanwhile looks up what is remembered about the trees.
    pub(crate) fn scan_remembering(&self, unread: &Unread, remember: Remember) -> (Scan, Memory) {
        std::thread::scope(|scope| {
            let began = now();
            let memory = scope.spawn(|| self.memory(remember));
            let scan = self.listed(&ScanOptions {
                stamps: self.cache().is_some(),
                ..self.options.scan.clone()
            });
            unread.note_directories(&scan);
            let memory = memory.join().unwrap_or_default();
            (scan, Memory { began, ..memory })
        })
    }

    pub(super) fn memory(&self, remember: Remember) -> Memory {
        self.cache().map_or_else(Memory::default, |cache| {
            Memory::of(cache, &self.root_names(), remember)
        })
    }
}

impl Memory {
    fn of(cache: &Cache, roots: &[Vec<u8>], remember: Remember) -> Self {
        let snapshots = roots.iter().map(|root| {
            let known = cache.store.snapshot(root).into_iter();
            let entry =
                |known: loom_store::Known| (known.path, (known.stamp, known.version, known.mark));
            known.map(entry).collect()
        });
        let roots = roots.iter().filter(|_| remember == Remember::Facts);
        let facts = roots.map(|root| cache.store.values(root, FACTS));
        Self {
            snapshots: snapshots.collect(),
            facts: facts.collect(),
            began: 0,
        }
    }
}
