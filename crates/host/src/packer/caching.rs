//! The cache of a packer: opened when it is first needed, and asked about the files of a
//! pass.

use std::collections::HashSet;
use std::sync::Arc;

use loom_base::Stamp;
use loom_secrets::Copies;
use loom_source::{FoundFile, Scan, ScanOptions};

use super::Packer;
use crate::PackError;
use crate::cache::{Cache, CacheSession, Memory, PassFiles, Remember, now, root_bytes};
use crate::secrets::SourceFiles;
use crate::unread::Unread;

impl Packer {
    /// What is remembered, where that is wanted.
    pub(crate) fn cache(&self) -> Option<&Arc<Cache>> {
        let open = || {
            let options = self.options.cache.as_ref();
            options.map(|options| Arc::new(Cache::open(options)))
        };
        self.cache.get_or_init(open).as_ref()
    }

    /// The bytes of all that is remembered, of every repository.
    pub fn store_bytes(&self) -> u64 {
        let bytes = self.cache().and_then(|cache| cache.store.bytes());
        bytes.unwrap_or_default()
    }

    /// The index of searches cannot be written: the next run does without.
    pub(crate) fn cache_failed(&self, error: &std::io::Error) {
        if let Some(cache) = self.cache() {
            cache.note_index_failure(error);
        }
    }

    /// That nothing is remembered, and why, where that is so.
    pub fn cache_warning(&self) -> Option<String> {
        self.cache.get()?.as_ref()?.warning()
    }

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
            (scan, memory.since(began))
        })
    }

    /// The files of a listing, and what is remembered about the contents of its trees.
    pub(crate) fn remember_listed(
        &self,
        listed: &SourceFiles,
        unread: &Unread,
    ) -> Result<(Scan, Memory), PackError> {
        let mut scan = listed.scan.clone();
        unread.note_directories(&scan);
        self.keep_changed(&mut scan)?;
        unread.warn(scan.warnings.iter().cloned());
        unread.note_large(&scan.files, self.options.max_file_size);
        Ok((scan, self.memory(Remember::Contents).since(listed.began)))
    }

    fn memory(&self, remember: Remember) -> Memory {
        self.cache().map_or_else(Memory::default, |cache| {
            Memory::of(cache, &self.root_names(), remember)
        })
    }

    /// What is remembered about `files`, which are ordered by path.
    pub(crate) fn recall(&self, files: &[FoundFile]) -> CacheSession {
        let began = now();
        let stamps = self.stamps(files);
        let memory = self.memory(Remember::Facts);
        self.recall_with(files, stamps, memory.since(began))
    }

    /// What is remembered by now about `files`, which were listed at the time `began`.
    pub(crate) fn recall_since(&self, files: &[FoundFile], began: i64) -> CacheSession {
        let memory = self.memory(Remember::Facts);
        self.recall_from(files, memory.since(began))
    }

    fn root_names(&self) -> Vec<Vec<u8>> {
        self.source.roots().map(root_bytes).collect()
    }

    /// The same of files that [`Packer::scan_remembering`] found.
    pub(crate) fn recall_from(&self, files: &[FoundFile], memory: Memory) -> CacheSession {
        let stamps: Vec<_> = files.iter().map(FoundFile::stamp).collect();
        // Files that were named have none yet.
        let stamps = match stamps.contains(&None) {
            true => self.stamps(files),
            false => stamps,
        };
        self.recall_with(files, stamps, memory)
    }

    /// The numbers of those among the `new` files whose paths contain secrets, by the default
    /// choices: the cache outlives those of this run.
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

    /// The stamps of all files, taken on several threads.
    fn stamps(&self, files: &[FoundFile]) -> Vec<Option<Stamp>> {
        let threads = self.options.thread_count();
        let part = files.len().div_ceil(threads).max(1024);
        let mut stamps = Vec::with_capacity(files.len());
        std::thread::scope(|scope| {
            let take = |part| scope.spawn(move || self.source.stamps(part));
            let parts: Vec<_> = files.chunks(part).map(take).collect();
            for (part, files) in parts.into_iter().zip(files.chunks(part)) {
                match part.join() {
                    Ok(mut part) => stamps.append(&mut part),
                    // What could not be had is read.
                    Err(_) => stamps.resize(stamps.len() + files.len(), None),
                }
            }
        });
        stamps
    }
}
