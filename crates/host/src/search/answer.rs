//! What a query finds in one file.

use std::ops::ControlFlow;

use loom_search::{Document, Program, SymbolSpot};
use loom_source::{FoundFile, decode};
use loom_syntax::{Language, Limits, Symbol, extract};

use super::{Detail, FileHits, SearchOptions, Searched, lines};
use crate::Packer;
use crate::cache::Recall;

/// A query with everything that it is asked with.
pub(super) struct Asked<'a> {
    pub(super) packer: &'a Packer,
    pub(super) program: Program,
    pub(super) options: SearchOptions,
}

/// What became of a file.
pub(super) enum Outcome {
    /// It was not read, or is no text.
    Passed,
    /// It was read and does not match.
    Read,
    /// It matches.
    Hits(Box<FileHits>),
}

/// A file as a search needs it.
pub(super) struct SearchText {
    pub(super) text: String,
    pub(super) language: Option<Language>,
}

impl Asked<'_> {
    /// Asks one file; `is_clean` where it is known to hold no secret.
    pub(super) fn file(&self, found: &FoundFile, is_clean: bool) -> Outcome {
        if self.program.has_filters() {
            // A language that the path does not tell is told by the text.
            let language = Language::detect(&found.path, "").map(Language::id);
            if language.is_some() && !self.program.may_match(found.path.as_bytes(), language) {
                return Outcome::Passed;
            }
        }
        let Some(file) = self.packer.search_text(found) else {
            return Outcome::Passed;
        };
        match self.hits(found, &file, is_clean) {
            Some(hits) => Outcome::Hits(Box::new(hits)),
            None => Outcome::Read,
        }
    }

    fn hits(&self, found: &FoundFile, file: &SearchText, is_clean: bool) -> Option<FileHits> {
        let language = file.language.map(Language::id);
        let symbols = match self.program.asks_for_symbols() {
            true => file.symbols(),
            false => Vec::new(),
        };
        let spots: Vec<SymbolSpot> = symbols.iter().map(spot).collect();
        let document = Document {
            symbols: &spots,
            ..Document::new(found.path.as_bytes(), language, file.text.as_bytes())
        };
        if self.options.detail == Detail::Paths {
            let is_match = self.program.matches(&document);
            return is_match.then(|| FileHits::empty(found, file, 1));
        }
        let matched = self.program.run(&document)?;
        let mut hits = FileHits::empty(found, file, matched.lines.len());
        let Detail::Lines { before, after } = self.options.detail else {
            return Some(hits);
        };
        let symbols = match self.options.symbols && symbols.is_empty() {
            true => file.symbols(),
            false => symbols,
        };
        let secrets = &self.packer.options.secrets;
        let findings = match secrets.mode.hides() && !(is_clean && secrets.is_usual()) {
            true => self
                .packer
                .secrets_in(&found.path, &file.text, (&Recall::nothing(), 0, None)),
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

impl Packer {
    /// The text of a file, where it is one.
    pub(super) fn search_text(&self, found: &FoundFile) -> Option<SearchText> {
        self.options.shorten.excludes(&found.path).ok()?;
        let reading = self.source.read(found, self.options.max_file_size);
        let reading = reading.inspect_err(|reason| self.note_unread(found, reason));
        let reading = reading.ok()?;
        let text = decode(reading.bytes).ok()?.text;
        let language = Language::detect(&found.path, &text);
        Some(SearchText { text, language })
    }
}

impl SearchText {
    fn symbols(&self) -> Vec<Symbol> {
        match self.language {
            Some(language) => extract(language, &self.text, &Limits::default()).symbols,
            None => Vec::new(),
        }
    }
}

impl Searched {
    pub(super) fn add(
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
        if let Detail::Lines { after, .. } = options.detail
            && hits.count > left
        {
            lines::cut(&mut hits.lines, left, after);
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

fn spot(symbol: &Symbol) -> SymbolSpot {
    SymbolSpot {
        name: symbol.name.clone(),
        name_span: symbol.name_span.start..symbol.name_span.end,
        span: symbol.span.start..symbol.span.end,
    }
}
