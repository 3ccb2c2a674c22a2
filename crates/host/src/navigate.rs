//! Provides the files of a search to navigation: reads and parses them, checks the deadline, and
//! supplies threads.

use std::fmt;
use std::ops::{ControlFlow, Deref};
use std::sync::Arc;
use std::time::Duration;

use loom_lookup::{
    Calls, Code, CodeFiles, Definition, KeptSyntax, Navigate, Navigator, ParsedFile, Precision,
    Target, Use,
};
use loom_program::Resolver;
use loom_syntax::{Language, Limits, Structure};

use crate::imports::import_resolver;
use crate::ordered::{Lookahead, ordered};
use crate::search::Searcher;
use crate::structures::StructureRun;
use crate::{Cancel, RepoPath, Run, StructureOptions};

/// Limits parsed files that wait for earlier ones.
const AHEAD: Lookahead = Lookahead {
    items: 64,
    weight: usize::MAX,
};

/// Share of the available time for reading. The rest is for resolving names.
const READING: f64 = 0.6;

/// Navigation over the syntax of the files of a search.
pub struct SyntaxNavigator<'a>(Navigator<SearchedFiles<'a>>);

/// The files of a search, with the deadline of an answer.
pub struct SearchedFiles<'a> {
    searcher: &'a Searcher,
    cancel: Cancel,
    /// Ends the reading. Files that are read by then are still linked.
    reading: Cancel,
}

impl<'a> SyntaxNavigator<'a> {
    /// Navigates over the files of `searcher`.
    pub fn new(searcher: &'a Searcher) -> Self {
        Self::with(searcher, Arc::default(), &Cancel::new())
    }

    /// Reuses the syntax that earlier answers kept. After a cancellation, navigation sees no
    /// further files: the answer ends early and is incomplete.
    pub fn with(searcher: &'a Searcher, kept: Arc<KeptSyntax>, cancel: &Cancel) -> Self {
        let files = SearchedFiles {
            searcher,
            cancel: cancel.clone(),
            reading: cancel.clone(),
        };
        Self(Navigator::new(files, kept))
    }

    /// Limits the time of an answer: for a frequent name, navigation reads only the best files.
    #[must_use]
    pub fn within(self, time: Duration) -> Self {
        let before = self.0.files();
        let files = SearchedFiles {
            searcher: before.searcher,
            reading: before.cancel.within(time.mul_f64(READING)),
            cancel: before.cancel.within(time),
        };
        Self(Navigator::new(files, Arc::clone(self.0.kept())))
    }
}

impl<'a> Deref for SyntaxNavigator<'a> {
    type Target = Navigator<SearchedFiles<'a>>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl fmt::Debug for SyntaxNavigator<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SyntaxNavigator").finish_non_exhaustive()
    }
}

impl fmt::Debug for SearchedFiles<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SearchedFiles").finish_non_exhaustive()
    }
}

impl Navigate for SyntaxNavigator<'_> {
    fn precision(&self) -> Precision {
        self.0.precision()
    }

    fn definitions(&self, target: &Target) -> Vec<Definition> {
        self.0.definitions(target)
    }

    fn references(&self, of: &[Definition]) -> Vec<Use> {
        self.0.references(of)
    }

    fn implementations(&self, of: &[Definition]) -> Vec<Definition> {
        self.0.implementations(of)
    }

    fn callers(&self, of: &[Definition], depth: usize) -> Calls {
        self.0.callers(of, depth)
    }

    fn callees(&self, of: &[Definition], depth: usize) -> Calls {
        self.0.callees(of, depth)
    }
}

impl CodeFiles for SearchedFiles<'_> {
    fn count(&self) -> usize {
        self.searcher.files.len()
    }

    fn path(&self, number: usize) -> &RepoPath {
        &self.searcher.files[number].path
    }

    fn number_of(&self, path: &RepoPath) -> Option<usize> {
        self.searcher.number_of(path)
    }

    fn number_typed(&self, typed: &str) -> Option<usize> {
        self.searcher.number(typed)
    }

    fn naming(&self, name: &str) -> Vec<usize> {
        self.searcher.naming(name)
    }

    fn defining(&self, name: &str) -> Vec<usize> {
        self.searcher.defining(name)
    }

    fn code(&self, number: usize) -> Option<Code> {
        self.searcher.code(number)
    }

    fn limits(&self) -> Limits {
        self.searcher.packer.options.every_file_limits()
    }

    fn extract(&self, language: Language, text: &str, limits: &Limits) -> Structure {
        self.searcher.packer.extract(language, text, limits)
    }

    fn parsing<T>(&self, bytes: usize, work: impl FnOnce() -> T) -> T {
        self.searcher.packer.parsing(bytes, work)
    }

    fn structures(&self, numbers: &[usize], mut each: impl FnMut(ParsedFile)) {
        let numbers = numbers.iter();
        let found: Vec<_> = numbers.map(|at| self.searcher.files[*at].clone()).collect();
        let (options, run) = (StructureOptions::default(), Run::new());
        let packer = &self.searcher.packer;
        let structures = StructureRun::new(packer, &options, &run, &self.reading);
        // The answer omits unreadable files.
        let _ = structures.of_few(&found, |file| {
            if let Some(language) = file.language {
                each(ParsedFile {
                    path: file.path,
                    language,
                    structure: file.structure,
                });
            }
            ControlFlow::Continue(())
        });
    }

    fn resolver(&self) -> Resolver {
        let searcher = self.searcher;
        let noted = searcher.noted();
        import_resolver(&searcher.packer.source, &searcher.files, noted)
    }

    fn in_order<R: Send>(
        &self,
        count: usize,
        work: impl Fn(usize) -> R + Sync,
        mut take: impl FnMut(R),
    ) {
        let threads = self.searcher.packer.options.thread_count();
        let emit = |_, result| {
            take(result);
            ControlFlow::Continue(())
        };
        ordered(count, threads, AHEAD, |_| 1, work, emit);
    }

    fn is_reading_over(&self) -> bool {
        self.reading.is_cancelled()
    }

    fn is_stopped(&self) -> bool {
        self.cancel.is_cancelled()
    }

    fn has_deadline(&self) -> bool {
        self.reading.has_end()
    }
}

#[cfg(test)]
mod tests;
