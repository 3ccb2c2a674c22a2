//! Runs a query on one file.

use std::ops::ControlFlow;

use loom_base::RepoPath;
use loom_search::{Candidates, Document, Program, SymbolSpot, TextMatches, TextPart};
use loom_secrets::Finding;
use loom_syntax::{Language, Symbol};

use super::lines::LineSource;
use super::text_cache::KeptText;
use super::types::{Detail, FileHits, Outcome, SearchOptions, SearchText, Searched};

/// The texts of one snapshot, by file number. The caller reads them, scans them for secrets, and
/// bounds the memory of parses.
pub trait SearchFiles: Sync {
    /// Returns the path of a file.
    fn path(&self, number: usize) -> &RepoPath;

    /// Returns the text of a file. Returns `None` if it has no searchable text.
    fn text(&self, number: usize, keep: Keep) -> Option<KeptText>;

    /// Returns the secrets of a text.
    fn findings(&self, number: usize, kept: &KeptText) -> Vec<Finding>;

    /// Returns the text as users see it: redacted if secrets are hidden.
    fn without_secrets(&self, number: usize, kept: KeptText) -> KeptText;

    /// Redacts the names of the symbols of a text, if secrets are hidden.
    fn hide_names(&self, number: usize, kept: &KeptText, symbols: &mut [Symbol]);

    /// Returns true if secrets are hidden.
    fn hides(&self) -> bool;

    /// Parses a text for its symbols.
    fn symbols(&self, language: Language, text: &str) -> Vec<Symbol>;
}

/// Whether to cache a text for the next query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Cache it.
    Yes,
    /// Do not cache it, because the query reads too many texts.
    No,
}

/// Maximum number of matching lines per file that count for its score.
const SCORED: usize = 10_000;
/// Maximum number of matching lines of one file in memory. A file with more is emitted in portions.
const PORTION: usize = 10_000;

/// A compiled query with its candidates and options.
#[derive(Debug)]
pub struct PreparedSearch<'a, F> {
    /// The files.
    pub files: &'a F,
    /// The query.
    pub program: Program,
    /// Index filter that excludes files.
    pub plan: Candidates,
    /// How to search.
    pub options: SearchOptions,
    /// Whether to cache the texts that the query reads.
    pub keep: Keep,
}

impl<F: SearchFiles> PreparedSearch<'_, F> {
    /// Runs the query on the file with this number.
    pub fn file(&self, number: usize) -> Outcome {
        let mut is_read = false;
        let hits = self.read(number, |file| {
            is_read = true;
            self.hits(number, file)
        });
        let is_lines = matches!(self.options.detail, Detail::Lines { .. });
        match hits.flatten() {
            Some(hits) if is_lines && hits.count > 0 && hits.lines.is_empty() => Outcome::Many,
            Some(hits) => Outcome::Hits(Box::new(hits)),
            None if is_read => Outcome::Read,
            None => Outcome::Passed,
        }
    }

    /// Calls `work` with a file and its matches. Returns `None` if the file does not match.
    pub(super) fn matched<T>(
        &self,
        number: usize,
        work: impl FnOnce(&Read<'_>, &TextMatches) -> T,
    ) -> Option<T> {
        let of = |file: &Read<'_>| {
            let spots = self.spots(number, file);
            let found = self.run(file, &file.document(&spots), SCORED)?;
            Some(work(file, &found))
        };
        self.read(number, of).flatten()
    }

    /// Calls `work` with a file. Returns `None` if the path excludes the file or it has no text.
    fn read<T>(&self, number: usize, work: impl FnOnce(&Read<'_>) -> T) -> Option<T> {
        let path = self.files.path(number);
        let has_filters = self.program.has_filters();
        if has_filters {
            // If the path does not determine the language, the text does.
            let language = Language::detect(path, "").map(Language::id);
            if language.is_some() && !self.program.may_match(path.as_bytes(), language) {
                return None;
            }
        }
        let mut kept = self.files.text(number, self.keep)?;
        if self.options.search_text == SearchText::Redacted {
            kept = self.files.without_secrets(number, kept);
        }
        let needs_language = has_filters || self.program.asks_for_symbols();
        let text = &*kept.text;
        Some(work(&Read {
            path,
            kept: &kept,
            text,
            language: needs_language.then(|| Language::detect(path, text)),
        }))
    }

    /// Returns up to `most` matching lines of a file.
    fn run(&self, file: &Read<'_>, document: &Document<'_>, most: usize) -> Option<TextMatches> {
        match self.parts(file) {
            Some(parts) => self.program.run_in(document, &parts, most),
            None => self.program.run(document, most),
        }
    }

    /// Returns the parts of a long text that can match. Returns `None` if the text has no sieve, or
    /// if the query or its plan is too wide for one.
    fn parts(&self, file: &Read<'_>) -> Option<Vec<TextPart>> {
        let is_narrow = self.program.is_one_pattern() && !self.plan.is_all();
        let sieve = file.kept.sieve.as_deref().filter(|_| is_narrow)?;
        Some(self.plan.parts(sieve))
    }

    /// Returns the symbols of a file if the query needs them.
    fn spots(&self, number: usize, file: &Read<'_>) -> Vec<SymbolSpot> {
        match self.program.asks_for_symbols() {
            true => self.symbols(number, file).iter().map(spot).collect(),
            false => Vec::new(),
        }
    }

    /// Returns the symbols of a file, with redacted names if secrets are hidden.
    fn symbols(&self, number: usize, file: &Read<'_>) -> Vec<Symbol> {
        let mut symbols = file.symbols(self.files);
        self.files.hide_names(number, file.kept, &mut symbols);
        symbols
    }

    fn hits(&self, number: usize, file: &Read<'_>) -> Option<FileHits> {
        let most = self.options.per_file.unwrap_or(usize::MAX);
        if most == 0 {
            return None;
        }
        let spots = self.spots(number, file);
        let document = file.document(&spots);
        if self.options.detail == Detail::Paths {
            let is_match = match self.parts(file) {
                Some(parts) => self.program.matches_in(&document, &parts),
                None => self.program.matches(&document),
            };
            return is_match.then(|| file.no_hits(1));
        }
        let Detail::Lines { before, after } = self.options.detail else {
            let count = self.program.count(&document)?.min(most);
            return Some(file.no_hits(count));
        };
        // One line above the limit shows that there are more.
        let limit = self.options.limit.unwrap_or(usize::MAX);
        let most = limit.saturating_add(1).min(most);
        let held = match before == 0 && after == 0 {
            true => most.min(PORTION + 1),
            false => most,
        };
        let matched = self.run(file, &document, held)?;
        let mut hits = file.no_hits(matched.lines.len());
        // `portions` finds these lines again, a portion at a time.
        if held < most && hits.count == held {
            return Some(hits);
        }
        let (symbols, findings) = self.told(number, file);
        let shown = self.shown(file, &symbols, &findings);
        hits.lines = shown.lines(&matched.lines, before, after);
        Some(hits)
    }

    /// Returns the symbols of a file, if the options request them, and its secrets.
    fn told(&self, number: usize, file: &Read<'_>) -> (Vec<Symbol>, Vec<Finding>) {
        let symbols = match self.options.symbols {
            true => self.symbols(number, file),
            false => Vec::new(),
        };
        (symbols, self.files.findings(number, file.kept))
    }

    fn shown<'s>(
        &self,
        file: &'s Read<'_>,
        symbols: &'s [Symbol],
        findings: &'s [Finding],
    ) -> LineSource<'s> {
        LineSource {
            text: file.text,
            findings,
            hides: self.files.hides(),
            symbols,
        }
    }

    /// Emits the matches of a file.
    pub fn hand_out(
        &self,
        number: usize,
        outcome: Outcome,
        met: &mut Searched,
        emit: &mut impl FnMut(FileHits) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match outcome {
            Outcome::Many => self.portions(number, met, emit),
            outcome => met.add(outcome, &self.options, emit),
        }
    }

    /// Emits the lines of a file with very many matches, a portion at a time.
    fn portions(
        &self,
        number: usize,
        met: &mut Searched,
        emit: &mut impl FnMut(FileHits) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let each = |file: &Read<'_>| {
            let spots = self.spots(number, file);
            let document = file.document(&spots);
            let (symbols, findings) = self.told(number, file);
            let shown = self.shown(file, &symbols, &findings);
            let mut left = self.options.per_file.unwrap_or(usize::MAX);
            let mut rest = TextPart {
                span: 0..file.text.len(),
                line: 1,
            };
            loop {
                let found = self.program.lines_in(&document, &rest, left.min(PORTION));
                let Some(last) = found.last() else {
                    return ControlFlow::Continue(());
                };
                let hits = FileHits {
                    lines: shown.lines(&found, 0, 0),
                    is_rest: rest.line > 1,
                    ..file.no_hits(found.len())
                };
                left -= found.len();
                rest.line = last.line + 1;
                rest.span.start = (last.span.end + 1).min(file.text.len());
                met.add(Outcome::Hits(Box::new(hits)), &self.options, emit)?;
            }
        };
        self.read(number, each).unwrap_or(ControlFlow::Continue(()))
    }
}

/// A file whose text was read.
pub(super) struct Read<'a> {
    path: &'a RepoPath,
    kept: &'a KeptText,
    pub(super) text: &'a str,
    /// Its language, if the query needed it; `Some(None)` if it is unknown.
    language: Option<Option<Language>>,
}

impl Read<'_> {
    fn language(&self) -> Option<Language> {
        self.language
            .unwrap_or_else(|| Language::detect(self.path, self.text))
    }

    fn document<'d>(&'d self, symbols: &'d [SymbolSpot]) -> Document<'d> {
        let language = self.language.flatten().map(Language::id);
        Document {
            symbols,
            ..Document::new(self.path.as_bytes(), language, self.text.as_bytes())
        }
    }

    pub(super) fn symbols(&self, files: &impl SearchFiles) -> Vec<Symbol> {
        match self.language() {
            Some(language) => files.symbols(language, self.text),
            None => Vec::new(),
        }
    }

    /// Returns a result for the file without lines.
    fn no_hits(&self, count: usize) -> FileHits {
        FileHits {
            path: self.path.clone(),
            language: self.language(),
            count,
            lines: Vec::new(),
            score: None,
            secrets: 0,
            is_rest: false,
        }
    }
}

fn spot(symbol: &Symbol) -> SymbolSpot {
    SymbolSpot {
        name: symbol.name.clone(),
        name_span: symbol.name_span.start..symbol.name_span.end,
        span: symbol.span.start..symbol.span.end,
    }
}
