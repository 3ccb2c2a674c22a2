//! Cache entries of the files of one pass, and the values that the pass adds. The stamps of all
//! files are taken before any file is read, so that a file that changes later is at worst read once
//! more.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use loom_base::{ContentHash, RepoPath, Stamp};
use loom_source::{Decoded, FoundFile, Reading, Reason, Source, decode};
use loom_store::{Batch, Content, Digest, HashChoice, Seal, Values, Version};

use super::facts::{CLEAN, FACTS, ScanTarget, clean_variant};
use super::memory::Memory;
use super::roots::{is_absent, root_bytes};
use super::structure::{STRUCTURE, structure_variant};
use super::{Cache, Facts};
use crate::options::PackOptions;
use crate::{Language, Limits};

/// Maximum number of bytes that wait to be written, so that an aborted run loses little and memory
/// stays bounded.
const WAITING: usize = 4 << 20;

/// The files of a pass.
#[derive(Debug)]
pub(crate) struct PassFiles<'a> {
    pub(crate) source: &'a Source,
    /// Ordered by path.
    pub(crate) files: &'a [FoundFile],
    /// Stamps, taken before any file is read.
    pub(crate) stamps: Vec<Option<Stamp>>,
}

/// Cache entries of the files of a pass.
#[derive(Debug)]
pub(crate) struct CacheSession {
    cache: Option<Arc<Cache>>,
    /// Paths of the roots.
    roots: Vec<Vec<u8>>,
    /// Entries by file number.
    files: Vec<CachedFile>,
    /// Files in the last snapshot that the pass did not list, by root.
    gone: Vec<Vec<RepoPath>>,
    facts: Vec<Values>,
    /// Loaded at first use.
    clean: OnceLock<Vec<Values>>,
    waiting: Mutex<Option<Batch>>,
    /// Time at which the stamps were taken, in nanoseconds since 1970.
    began: i64,
    /// Mark of this index run; 0 for other runs.
    mark: i64,
}

#[derive(Debug, Default)]
struct CachedFile {
    tree: usize,
    path: Option<RepoPath>,
    stamp: Option<Stamp>,
    /// The cached contents, if the stamp did not change.
    version: Option<Version>,
    /// The cached contents, if the stamp changed.
    before: Option<Version>,
    /// See [`CacheSession::mark_of`].
    mark: i64,
}

impl CachedFile {
    /// Creates a file without a cache entry.
    fn new(tree: usize, path: &RepoPath, stamp: Option<Stamp>) -> Self {
        Self {
            tree,
            path: Some(path.clone()),
            stamp,
            ..Self::default()
        }
    }

    /// Adds its entry of the last snapshot, in which it had the stamp `before`.
    fn recall(&mut self, before: Stamp, version: Version, mark: i64) {
        match Some(before) == self.stamp {
            true => self.version = Some(version),
            false => self.before = Some(version),
        }
        self.mark = mark;
    }
}

/// Cache key of a file's contents: their digest and, if stored, their row.
#[derive(Clone, Debug)]
pub(crate) struct ContentKey {
    digest: Digest,
    content: Option<Content>,
}

static NOTHING: CacheSession = CacheSession::nothing();

impl CacheSession {
    /// Loads the cache entries of the `files` of a pass from `memory`. `paths_with_secrets`
    /// selects, of the files with these numbers, those whose path contains a secret.
    pub(crate) fn new(
        cache: &Arc<Cache>,
        pass: PassFiles<'_>,
        memory: Memory,
        paths_with_secrets: impl FnOnce(&[usize]) -> HashSet<usize>,
    ) -> Self {
        let PassFiles {
            source,
            files,
            stamps,
        } = pass;
        let roots = source.roots().map(root_bytes).collect();
        let Memory {
            mut snapshots,
            facts,
            began,
        } = memory;
        let is_new = |at: &usize| {
            let place = source.place(&files[*at]);
            place.is_some_and(|(tree, path)| {
                let known = snapshots.get(tree);
                !known.is_some_and(|known| known.contains_key(path))
            })
        };
        let new: Vec<usize> = (0..files.len()).filter(is_new).collect();
        let secret = paths_with_secrets(&new);
        let cached = |(at, (file, stamp))| match source.place(file) {
            // The cache would store a path with a secret unencrypted.
            Some((tree, path)) if !secret.contains(&at) => {
                let mut file = CachedFile::new(tree, path, stamp);
                let known = snapshots.get_mut(tree).and_then(|known| known.remove(path));
                if let Some((before, version, mark)) = known {
                    file.recall(before, version, mark);
                }
                file
            }
            _ => CachedFile::default(),
        };
        let files = files.iter().zip(stamps).enumerate().map(cached).collect();
        let gone = snapshots.into_iter().map(|left| left.into_keys().collect());
        Self {
            cache: Some(Arc::clone(cache)),
            facts,
            clean: OnceLock::new(),
            files,
            gone: gone.collect(),
            roots,
            waiting: Mutex::new(Some(cache.store.batch())),
            began,
            mark: 0,
        }
    }

    /// Creates a session without a cache.
    pub(crate) const fn nothing() -> Self {
        Self {
            cache: None,
            roots: Vec::new(),
            files: Vec::new(),
            gone: Vec::new(),
            facts: Vec::new(),
            clean: OnceLock::new(),
            waiting: Mutex::new(None),
            began: 0,
            mark: 0,
        }
    }

    /// Returns a shared session without a cache.
    pub(crate) fn none() -> &'static Self {
        &NOTHING
    }

    fn cache(&self) -> Option<&Cache> {
        self.cache.as_deref()
    }

    /// Sets the mark that an index run leaves on each file it processes.
    pub(crate) fn marking(self, mark: i64) -> Self {
        Self { mark, ..self }
    }

    /// Returns true if an index run with the same options processed the file number `at`, and the
    /// file did not change since.
    pub(crate) fn is_marked(&self, at: usize) -> bool {
        self.mark_of(at) == self.mark
    }

    /// Returns the mark of the index on the file number `at`: below 0 if the contents changed
    /// since, and 0 if no index processed the file.
    pub(crate) fn mark_of(&self, at: usize) -> i64 {
        self.files.get(at).map_or(0, |file| file.mark)
    }

    /// Returns the time at which the stamps were taken, in nanoseconds since 1970.
    pub(crate) fn began(&self) -> i64 {
        self.began
    }

    /// Returns true if the cache has no entries for these roots.
    pub(crate) fn is_first(&self) -> bool {
        let is_new = |file: &CachedFile| file.version.is_none() && file.before.is_none();
        self.files.iter().all(is_new) && self.gone.iter().all(Vec::is_empty)
    }

    /// Returns the size and the cached contents of the file number `at`, if its stamp did not
    /// change.
    pub(crate) fn version(&self, at: usize) -> Option<(u64, &Version)> {
        let file = self.files.get(at)?;
        Some((file.stamp?.size, file.version.as_ref()?))
    }

    /// Returns the stamp of the file number `at` if it is settled: any later change gives another
    /// stamp.
    pub(crate) fn settled_stamp(&self, at: usize) -> Option<Stamp> {
        let coarseness = self.cache()?.coarseness;
        let stamp = self.files.get(at)?.stamp?;
        stamp.is_settled(self.began, coarseness).then_some(stamp)
    }

    /// Returns the cached contents of the file number `at`, if its stamp changed.
    pub(crate) fn before(&self, at: usize) -> Option<&Version> {
        self.files.get(at)?.before.as_ref()
    }

    /// Counts the cached files that no longer exist. Existing files that this run did not list are
    /// not counted.
    pub(crate) fn with_gone(mut self) -> (Self, usize) {
        for (root, paths) in self.roots.iter().zip(&mut self.gone) {
            paths.retain(|path| is_absent(root, path));
        }
        let count = self.gone.iter().map(Vec::len).sum();
        (self, count)
    }

    /// Returns the cached facts about contents of the file number `at`.
    pub(crate) fn facts(
        &self,
        at: usize,
        content: &Content,
        options: &PackOptions,
    ) -> Option<Facts> {
        let file = self.files.get(at)?;
        let variant = Facts::variant(file.path.as_ref()?, options.model.tokenizer)?;
        let value = self.facts.get(file.tree)?.get(content, variant);
        let value = value.or_else(|| self.cache()?.store.get(content, FACTS, variant))?;
        Facts::read(&value)
    }

    /// Returns true if the cache shows that the contents contain no secret.
    pub(crate) fn is_clean(
        &self,
        at: usize,
        path: &RepoPath,
        content: &Content,
        options: &PackOptions,
        target: ScanTarget,
    ) -> bool {
        let Some(variant) = clean_variant(path, &options.secrets, target) else {
            return false;
        };
        let tree = self.files.get(at).map(|file| file.tree);
        let value = tree.and_then(|tree| self.clean()?.get(tree)?.get(content, variant));
        let value = value.or_else(|| self.cache()?.store.get(content, CLEAN, variant));
        value.is_some_and(|value| value == [1])
    }

    fn clean(&self) -> Option<&Vec<Values>> {
        let store = &self.cache()?.store;
        let load = || self.roots.iter().map(|root| store.values(root, CLEAN));
        Some(self.clean.get_or_init(|| load().collect()))
    }

    /// Records that the file number `at` was read. Returns the cache key of its contents.
    pub(crate) fn record_read(&self, at: usize, reading: &Reading) -> Option<ContentKey> {
        let cache = self.cache()?;
        let digest = match cache.store.options().hash {
            HashChoice::Blake3 => Digest::blake3(reading.hash.as_bytes()),
            other => Digest::of(other, &reading.bytes),
        };
        let known = self.version(at).and_then(|(_, version)| match version {
            Version::Content(content, hash) if *hash == reading.hash => Some(content.clone()),
            _ => None,
        });
        if known.is_none() || (self.mark != 0 && !self.is_marked(at)) {
            let stamp = reading.stamp.map(|(stamp, at)| match stamp {
                stamp if stamp.is_settled(at, cache.coarseness) => stamp,
                // No file has this stamp, so that the next run reads the file again.
                stamp => Stamp {
                    changed: i64::MIN,
                    ..stamp
                },
            });
            self.keep_file(at, stamp, Some((digest.clone(), reading.hash)));
        }
        let content = known.or_else(|| cache.store.find(&digest));
        Some(ContentKey { digest, content })
    }

    /// Reads the file number `at`, and caches if it is not text.
    pub(crate) fn read(
        &self,
        source: &Source,
        file: &FoundFile,
        limit: u64,
        at: usize,
    ) -> Result<Reading, Reason> {
        let result = source.read(file, limit);
        if matches!(result, Err(Reason::Binary))
            && let Some(cache) = self.cache()
            && let Some(before) = self.files.get(at).and_then(|file| file.stamp)
            && before.is_settled(self.began, cache.coarseness)
            && source.stamps(std::slice::from_ref(file)) == [Some(before)]
        {
            self.keep_file(at, Some(before), None);
        }
        result
    }

    /// Decodes the file number `at`, and caches if it is not text.
    pub(crate) fn decoded(&self, at: usize, reading: Reading) -> Result<Decoded, Reason> {
        let coarse = self.cache().map_or(i64::MAX, |cache| cache.coarseness);
        let stamp = reading.stamp;
        let settled = stamp.filter(|(stamp, when)| stamp.is_settled(*when, coarse));
        decode(reading.bytes).map_err(|_| {
            self.keep_file(at, settled.map(|(stamp, _)| stamp), None);
            Reason::Binary
        })
    }

    fn keep_file(&self, at: usize, stamp: Option<Stamp>, content: Option<(Digest, ContentHash)>) {
        let file = self.files.get(at);
        let place = file.and_then(|file| Some((self.roots.get(file.tree)?, file.path.as_ref()?)));
        if let (Some((root, path)), Some(stamp)) = (place, stamp) {
            self.keep(|batch| batch.marked_file(root, path, stamp, self.mark, content));
        }
    }

    /// Caches the facts about contents.
    pub(crate) fn keep_facts(
        &self,
        path: &RepoPath,
        content_key: &ContentKey,
        facts: &Facts,
        options: &PackOptions,
    ) {
        if let Some(variant) = Facts::variant(path, options.model.tokenizer) {
            self.keep(|batch| batch.put(&content_key.digest, FACTS, variant, &facts.write()));
        }
    }

    /// Caches that contents contain no secret.
    pub(crate) fn keep_clean(
        &self,
        path: &RepoPath,
        content_key: &ContentKey,
        options: &PackOptions,
        target: ScanTarget,
    ) {
        if let Some(variant) = clean_variant(path, &options.secrets, target) {
            self.keep(|batch| batch.put(&content_key.digest, CLEAN, variant, &[1]));
        }
    }

    /// Returns true if the structure of a text is cached.
    pub(crate) fn has_structure(
        &self,
        content_key: &ContentKey,
        language: Language,
        limits: &Limits,
    ) -> bool {
        let variant = structure_variant(language, limits);
        let has = |content| Some(self.cache()?.store.has(content, STRUCTURE, variant));
        content_key.content().and_then(has).unwrap_or_default()
    }

    /// Returns an encrypted value of any kind.
    pub(super) fn sealed(
        &self,
        content_key: &ContentKey,
        kind: loom_store::ValueKind,
        variant: i64,
        seal: &Seal,
    ) -> Option<Vec<u8>> {
        let store = &self.cache()?.store;
        store.get_sealed(content_key.content.as_ref()?, kind, variant, seal)
    }

    /// Caches an encrypted value of any kind. It compresses the value before it takes the lock,
    /// because compression takes longest.
    pub(super) fn keep_sealed(
        &self,
        content_key: &ContentKey,
        kind: loom_store::ValueKind,
        variant: i64,
        value: &[u8],
        seal: &Seal,
    ) {
        let Some(cache) = self.cache() else {
            return;
        };
        let mut one = cache.store.batch();
        one.put_sealed(&content_key.digest, kind, variant, value, seal);
        self.keep(|batch| batch.append(one));
    }

    fn keep(&self, add: impl FnOnce(&mut Batch)) {
        let Some(cache) = self.cache() else {
            return;
        };
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let full = waiting.as_mut().and_then(|batch| {
            add(batch);
            (batch.bytes() > WAITING).then(|| std::mem::replace(batch, cache.store.batch()))
        });
        drop(waiting);
        if let Some(full) = full {
            cache.store.write(&full);
        }
    }

    /// Removes the entries of files that no longer exist.
    pub(crate) fn forget_gone(&self) {
        for (root, paths) in self.roots.iter().zip(&self.gone) {
            for path in paths {
                self.keep(|batch| batch.gone(root, path));
            }
        }
    }

    /// Writes the added entries.
    pub(crate) fn finish(&self) {
        let Some(Cache { store, .. }) = self.cache() else {
            return;
        };
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(batch) = waiting.replace(store.batch()) {
            store.write(&batch);
        }
        self.roots.iter().for_each(|root| store.touch(root));
    }

    /// Returns the metadata of all roots together.
    pub(crate) fn note(&self) -> Option<Vec<u8>> {
        self.cache()?.store.note(self.roots.first()?)
    }

    /// Stores the metadata of all roots together.
    pub(crate) fn set_note(&self, note: &[u8]) {
        if let (Some(cache), Some(root)) = (self.cache(), self.roots.first())
            && cache.store.note(root).as_deref() != Some(note)
        {
            cache.store.set_note(root, note);
        }
    }
}

impl ContentKey {
    /// Returns the stored contents, if the cache has seen them before.
    pub(crate) fn content(&self) -> Option<&Content> {
        self.content.as_ref()
    }
}
