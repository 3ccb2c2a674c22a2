//! Reads and parses the files that an answer needs, and keeps what it parsed last.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use loom_program::Resolver;

use super::aside::is_aside;
use super::file::CodeFile;
use crate::CodeFiles;

/// Files whose syntax is kept in memory for the next question. A question that looks into
/// more keeps none of them.
pub(super) const KEPT: usize = 256;

/// Answers from the syntax of files.
#[derive(Debug)]
pub struct Navigator<F> {
    pub(super) files: F,
    kept: Arc<KeptSyntax>,
    /// Whether a file was left out because there was no time.
    is_cut: AtomicBool,
}

/// The syntax of files that were looked at last, and what follows imports. It is of one
/// state of the files: after a change there has to be another one.
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
    /// Answers over those files, with the syntax that earlier answers looked at.
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

    /// Returns the syntax that earlier answers looked at.
    pub fn kept(&self) -> &Arc<KeptSyntax> {
        &self.kept
    }

    /// Whether files were left out because the time was over.
    pub fn is_cut(&self) -> bool {
        self.is_cut.load(Ordering::Relaxed) || self.is_stopped()
    }

    /// Whether there is time for one more file.
    pub(super) fn has_time(&self) -> bool {
        let is_over = self.files.is_reading_over();
        if is_over {
            self.is_cut.store(true, Ordering::Relaxed);
        }
        !is_over
    }

    /// A file by its number, parsed; `None` where it is no code.
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

    /// The same where it is one of so many that none is worth keeping.
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

    /// What follows imports, before it has met a file.
    pub(super) fn resolver(&self) -> &Resolver {
        self.kept.resolver.get_or_init(|| self.files.resolver())
    }

    /// Whether nobody waits for the answer any more.
    pub(super) fn is_stopped(&self) -> bool {
        self.files.is_stopped()
    }

    /// Whether a file is a test, an example, or somebody else's.
    pub(super) fn is_aside(&self, number: usize) -> bool {
        is_aside(&self.files.path(number).display())
    }

    fn read(&self, number: usize) -> Option<CodeFile> {
        CodeFile::parse(self.files.code(number)?, &self.files)
    }
}
