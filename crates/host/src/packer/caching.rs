//! The cache of a packer: opened at first use, and queried for the files of a pass.

use std::collections::HashSet;
use std::sync::Arc;

use loom_base::Stamp;
use loom_secrets::Copies;
use loom_source::{FoundFile, Scan, ScanOptions};

use super::Packer;
use crate::cache::{Cache, CacheSession, Memory, PassFiles, Remember, now, root_bytes};
use crate::unread::Unread;

impl Packer {
    /// Opens the cache at the first call. Returns `None` if the options disable it.
    pub(crate) fn cache(&self) -> Option<&Arc<Cache>> {
        let open = || {
            let options = self.options.cache.as_ref();
            options.map(|options| Arc::new(Cache::open(options)))
        };
        self.cache.get_or_init(open).as_ref()
    }

    /// Returns the size of the cache in bytes, for all repositories.
    pub fn store_bytes(&self) -> u64 {
        let bytes = self.cache().and_then(|cache| cache.store.bytes());
        bytes.unwrap_or_default()
    }

    /// Records that the search index cannot be written, so that the next run does without it.
    pub(crate) fn cache_failed(&self, error: &std::io::Error) {
        if let Some(cache) = self.cache() {
            cache.note_index_failure(error);
        }
    }

    /// Returns a warning if values cannot be cached, with the reason.
    pub fn cache_warning(&self) -> Option<String> {
        self.cache.get()?.as_ref()?.warning()
    }

    /// Lists the files, and loads the cache entries of the roots at the same time.
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
            (scan, memory.since(began))
        })
    }

    /// Loads the cache entries of the roots.
    pub(crate) fn memory(&self, remember: Remember) -> Memory {
        self.cache().map_or_else(Memory::default, |cache| {
            Memory::of(cache, &self.root_names(), remember)
        })
    }

    /// Returns the cache entries of `files`, which are ordered by path.
    pub(crate) fn recall(&self, files: &[FoundFile]) -> CacheSession {
        let began = now();
        let stamps = self.stamps(files);
        let memory = self.memory(Remember::Facts);
        self.recall_with(files, stamps, memory.since(began))
    }

    /// Returns the current cache entries of `files`, which were listed at the time `began`.
    pub(crate) fn recall_since(&self, files: &[FoundFile], began: i64) -> CacheSession {
        let memory = self.memory(Remember::Facts);
        self.recall_from(files, memory.since(began))
    }

    fn root_names(&self) -> Vec<Vec<u8>> {
        self.source.roots().map(root_bytes).collect()
    }

    /// Returns the cache entries of files that [`Packer::scan_remembering`] listed.
    pub(crate) fn recall_from(&self, files: &[FoundFile], memory: Memory) -> CacheSession {
        let stamps: Vec<_> = files.iter().map(FoundFile::stamp).collect();
        // Files that the user names have no stamp yet.
        let stamps = match stamps.contains(&None) {
            true => self.stamps(files),
            false => stamps,
        };
        self.recall_with(files, stamps, memory)
    }

    /// Returns the numbers of those `new` files whose paths contain secrets. It applies the default
    /// options, because the cache outlives the options of this run.
    fn paths_with_secrets(&self, files: &[FoundFile], new: &[usize]) -> HashSet<usize> {
        let secrets = self.options.secrets.to_default();
        let paths = new.iter().map(|at| files[*at].actual_path());
        let redacted = secrets.redacted_paths(paths, &Copies::default());
        redacted.into_keys().map(|at| new[at]).collect()
    }

    fn recall_with(
        &self,
        files: &[FoundFile],
        stamps: Vec<Option<Stamp>>,
        memory: Memory,
    ) -> CacheSession {
        let Some(cache) = self.cache() else {
            return CacheSession::nothing();
        };
        let pass = PassFiles {
            source: &self.source,
            files,
            stamps,
        };
        CacheSession::new(cache, pass, memory, |new| {
            self.paths_with_secrets(files, new)
        })
    }

    /// Reads the stamps of all files on several threads.
    pub(crate) fn stamps(&self, files: &[FoundFile]) -> Vec<Option<Stamp>> {
        let threads = self.options.thread_count();
        let part = files.len().div_ceil(threads).max(1024);
        let mut stamps = Vec::with_capacity(files.len());
        std::thread::scope(|scope| {
            let take = |part| scope.spawn(move || self.source.stamps(part));
            let parts: Vec<_> = files.chunks(part).map(take).collect();
            for (part, files) in parts.into_iter().zip(files.chunks(part)) {
                match part.join() {
                    Ok(mut part) => stamps.append(&mut part),
                    // A file without a stamp is read.
                    Err(_) => stamps.resize(stamps.len() + files.len(), None),
                }
            }
        });
        stamps
    }
}
