//! Searches the files of a source. Every answer is made from the files as they are now;
//! an index only says which of them cannot match.

mod lines;

use std::ops::ControlFlow;

use loom_base::RepoPath;
use loom_search::{Document, Program, Query, QueryError, SymbolSpot};
use loom_source::{FoundFile, decode};
use loom_syntax::{Language, Limits, Symbol, extract};

use crate::ordered::{Ahead, ordered};
use crate::{Cancel, PackError, Packer};

pub use lines::HitLine;

/// Results that wait for those before them.
const AHEAD: Ahead = Ahead {
    items: 256,
    weight: usize::MAX,
};

/// What is wanted of the files that match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// That they do.
    Paths,
    /// How many lines.
    Counts,
    /// The lines, with so many before and after each.
    Lines {
        /// Lines before.
        before: usize,
        /// Lines after.
        after: usize,
    },
}

/// How to search.
#[derive(Clone, Copy, Debug)]
pub struct SearchOptions {
    /// What is wanted of the files that match.
    pub detail: Detail,
    /// Whether the symbol around each line is wanted.
    pub symbols: bool,
    /// At most so many matching lines, or files where lines are not wanted.
    pub limit: Option<usize>,
}

/// A file that matches.
#[derive(Clone, Debug)]
pub struct FileHits {
    /// Its path.
    pub path: RepoPath,
    /// Its language.
    pub language: Option<Language>,
    /// How many of its lines match.
    pub count: usize,
    /// The lines, where they are wanted, and those around them.
    pub lines: Vec<HitLine>,
}

/// What a search met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Searched {
    /// Files that match.
    pub files: usize,
    /// Lines that match.
    pub lines: usize,
    /// Files that were read.
    pub read: usize,
    /// Whether there may be more than the limit let through.
    pub is_cut: bool,
}

/// Why a search failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The query cannot be asked.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The files cannot be read.
    #[error(transparent)]
    Pack(#[from] PackError),
}

/// A file as a search needs it.
pub(crate) struct SearchText {
    pub(crate) text: String,
    pub(crate) language: Option<Language>,
}

impl Packer {
    /// Hands out the files that match `query`, ordered by path.
    ///
    /// # Errors
    /// When a pattern of the query is wrong, or a stop was asked for.
    pub fn search(
        &self,
        query: &Query,
        options: &SearchOptions,
        cancel: &Cancel,
        mut emit: impl FnMut(FileHits) -> ControlFlow<()>,
    ) -> Result<Searched, SearchError> {
        let program = Program::new(query)?;
        let scan = self.source.scan(&self.options.scan);
        let mut met = Searched::default();
        let work = |at: usize| self.search_file(&scan.files[at], &program, options);
        ordered(
            scan.files.len(),
            self.options.thread_count(),
            AHEAD,
            |_| 1,
            work,
            |_, outcome| {
                if cancel.is_cancelled() {
                    return ControlFlow::Break(());
                }
                met.add(outcome, options, &mut emit)
            },
        );
        match cancel.is_cancelled() {
            true => Err(PackError::Cancelled.into()),
            false => Ok(met),
        }
    }

    fn search_file(
        &self,
        found: &FoundFile,
        program: &Program,
        options: &SearchOptions,
    ) -> Outcome {
        if program.has_filters() {
            // A language that the path does not tell is told by the text.
            let language = Language::detect(&found.path, "").map(Language::id);
            if language.is_some() && !program.may_match(found.path.as_bytes(), language) {
                return Outcome::Passed;
            }
        }
        let Some(file) = self.search_text(found) else {
            return Outcome::Passed;
        };
        match self.hits(found, &file, program, options) {
            Some(hits) => Outcome::Hits(Box::new(hits)),
            None => Outcome::Read,
        }
    }

    /// The text of a file, where it is one.
    pub(crate) fn search_text(&self, found: &FoundFile) -> Option<SearchText> {
        self.options.shorten.excludes(&found.path).ok()?;
        let reading = self.source.read(found, self.options.max_file_size).ok()?;
        let text = decode(reading.bytes).ok()?.text;
        let language = Language::detect(&found.path, &text);
        Some(SearchText { text, language })
    }

    /// What `program` finds in a file.
    fn hits(
        &self,
        found: &FoundFile,
        file: &SearchText,
        program: &Program,
        options: &SearchOptions,
    ) -> Option<FileHits> {
        let bytes = file.text.as_bytes();
        let mut document = Document::new(
            found.path.as_bytes(),
            file.language.map(Language::id),
            bytes,
        );
        let symbols = match program.asks_for_symbols() {
            true => symbols_of(file),
            false => Vec::new(),
        };
        let spots: Vec<SymbolSpot> = symbols.iter().map(spot).collect();
        document.symbols = &spots;
        if options.detail == Detail::Paths {
            return program
                .matches(&document)
                .then(|| FileHits::empty(found, file, 1));
        }
        let matched = program.run(&document)?;
        let mut hits = FileHits::empty(found, file, matched.lines.len());
        let Detail::Lines { before, after } = options.detail else {
            return Some(hits);
        };
        let symbols = match options.symbols && symbols.is_empty() {
            true => symbols_of(file),
            false => symbols,
        };
        let findings = match self.options.secrets.mode.hides() {
            true => self.secrets_in(&found.path, &file.text),
            false => Vec::new(),
        };
        let shown = lines::Shown {
            text: &file.text,
            findings: &findings,
            symbols: &symbols,
        };
        hits.lines = shown.lines(&matched.lines, before, after);
        Some(hits)
    }
}

enum Outcome {
    /// It was not read, or is no text.
    Passed,
    Read,
    Hits(Box<FileHits>),
}

impl Searched {
    fn add(
        &mut self,
        outcome: Outcome,
        options: &SearchOptions,
        emit: &mut impl FnMut(FileHits) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut hits = match outcome {
            Outcome::Passed => return ControlFlow::Continue(()),
            Outcome::Read => {
                self.read += 1;
                return ControlFlow::Continue(());
            }
            Outcome::Hits(hits) => *hits,
        };
        self.read += 1;
        let limit = options.limit.unwrap_or(usize::MAX);
        let left = match options.detail {
            Detail::Lines { .. } => limit - self.lines.min(limit),
            Detail::Paths | Detail::Counts => limit - self.files.min(limit),
        };
        if left == 0 {
            self.is_cut = true;
            return ControlFlow::Break(());
        }
        if matches!(options.detail, Detail::Lines { .. }) && hits.count > left {
            lines::cut(&mut hits.lines, left);
            hits.count = left;
            self.is_cut = true;
        }
        self.files += 1;
        self.lines += hits.count;
        emit(hits)
    }
}

impl FileHits {
    fn empty(found: &FoundFile, file: &SearchText, count: usize) -> Self {
        Self {
            path: found.path.clone(),
            language: file.language,
            count,
            lines: Vec::new(),
        }
    }
}

fn symbols_of(file: &SearchText) -> Vec<Symbol> {
    match file.language {
        Some(language) => extract(language, &file.text, &Limits::default()).symbols,
        None => Vec::new(),
    }
}

fn spot(symbol: &Symbol) -> SymbolSpot {
    SymbolSpot {
        name: symbol.name.clone(),
        name_span: symbol.name_span.start..symbol.name_span.end,
        span: symbol.span.start..symbol.span.end,
    }
}
