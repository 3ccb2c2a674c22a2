//! Reads and parses the files that a query needs, and caches the most recent ones.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use loom_program::Resolver;

use super::aside::is_aside;
use super::file::CodeFile;
use crate::CodeFiles;

/// Maximum number of parsed files in the cache. A lookup of a name in more files bypasses it.
pub(super) const KEPT: usize = 256;

/// Answers queries from the syntax of files.
#[derive(Debug)]
pub struct Navigator<F> {
    pub(super) files: F,
    kept: Arc<KeptSyntax>,
    /// True if a file was skipped because the time was over.
    is_cut: AtomicBool,
}

/// Cache of parsed files and the import resolver. It is valid for one snapshot of the files: create
/// another one after a change.
#[derive(Default)]
pub struct KeptSyntax {
    files: Mutex<HashMap<usize, Option<Arc<CodeFile>>>>,
    resolver: OnceLock<Resolver>,
}

impl KeptSyntax {
    fn lock(&self) -> MutexGuard<'_, HashMap<usize, Option<Arc<CodeFile>>>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for KeptSyntax {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("KeptSyntax").finish_non_exhaustive()
    }
}

impl<F: CodeFiles> Navigator<F> {
    /// Creates a navigator over `files` that uses the cache of earlier queries.
    pub fn new(files: F, kept: Arc<KeptSyntax>) -> Self {
        Self {
            files,
            kept,
            is_cut: AtomicBool::new(false),
        }
    }

    /// Returns the files.
    pub fn files(&self) -> &F {
        &self.files
    }

    /// Returns the cache, for later queries.
    pub fn kept(&self) -> &Arc<KeptSyntax> {
        &self.kept
    }

    /// Returns true if files were skipped because the time was over.
    pub fn is_cut(&self) -> bool {
        self.is_cut.load(Ordering::Relaxed) || self.is_stopped()
    }

    /// Returns true if there is time for one more file.
    pub(super) fn has_time(&self) -> bool {
        let is_over = self.files.is_reading_over();
        if is_over {
            self.is_cut.store(true, Ordering::Relaxed);
        }
        !is_over
    }

    /// Returns a parsed file by number. Returns `None` if it is not code.
    pub(super) fn file(&self, number: usize) -> Option<Arc<CodeFile>> {
        if let Some(known) = self.known(number) {
            return known;
        }
        if !self.has_time() {
            return None;
        }
        let file = self.read(number).map(Arc::new);
        let mut kept = self.kept.lock();
        if kept.len() >= KEPT {
            kept.clear();
        }
        kept.insert(number, file.clone());
        file
    }

    /// Returns a parsed file by number without caching it, for queries on very many files.
    pub(super) fn file_of_many(&self, number: usize) -> Option<Arc<CodeFile>> {
        match self.known(number) {
            Some(known) => known,
            None if self.has_time() => self.read(number).map(Arc::new),
            None => None,
        }
    }

    fn known(&self, number: usize) -> Option<Option<Arc<CodeFile>>> {
        self.kept.lock().get(&number).cloned()
    }

    /// Returns the import resolver, before it has seen the contents of files.
    pub(super) fn resolver(&self) -> &Resolver {
        self.kept.resolver.get_or_init(|| self.files.resolver())
    }

    /// Returns true if the answer is cancelled or its time is over.
    pub(super) fn is_stopped(&self) -> bool {
        self.files.is_stopped()
    }

    /// Returns true if a file is a test, an example, or third-party code.
    pub(super) fn is_aside(&self, number: usize) -> bool {
        is_aside(&self.files.path(number).display())
    }

    fn read(&self, number: usize) -> Option<CodeFile> {
        CodeFile::parse(self.files.code(number)?, &self.files)
    }
}
