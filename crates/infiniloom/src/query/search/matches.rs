//! The matches of one file.

use loom_host::{Detail, FileHits};
use loom_wire::{FileMatchInfo, MatchInfo};

use crate::results;

/// The matches of one file.
#[derive(Clone, Debug)]
pub struct FileMatches {
    hits: FileHits,
    detail: Detail,
}

/// A matching line, or a line near one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FoundLine {
    /// Its number, from 1.
    pub line: usize,
    /// The column of the first match in characters, from 1.
    pub column: usize,
    /// Its text, redacted.
    pub text: String,
    /// The byte ranges of the matches in the text.
    pub places: Vec<std::ops::Range<usize>>,
    /// Whether the line matches.
    pub is_match: bool,
}

impl FileMatches {
    pub(super) fn new(hits: FileHits, detail: Detail) -> Self {
        Self { hits, detail }
    }

    /// Returns the path of the file.
    pub fn path(&self) -> String {
        self.hits.path.display().into_owned()
    }

    /// Returns the number of lines that match.
    pub fn count(&self) -> usize {
        self.hits.count
    }

    /// Returns whether earlier lines of the same file were already reported.
    pub fn continues(&self) -> bool {
        self.hits.is_rest
    }

    /// Returns whether the search shows lines, and not only paths or numbers.
    pub fn has_lines(&self) -> bool {
        matches!(self.detail, Detail::Lines { .. })
    }

    /// Returns the lines that match and those around them, in order.
    pub fn into_lines(self) -> Vec<FoundLine> {
        let lines = self.hits.lines.into_iter().map(|line| FoundLine {
            line: line.line,
            column: line.column,
            text: line.text,
            places: line.places,
            is_match: line.is_match,
        });
        lines.collect()
    }

    /// Describes each matching line.
    pub fn matches(&self) -> Vec<MatchInfo> {
        let (before, after) = match self.detail {
            Detail::Lines { before, after } => (before, after),
            Detail::Paths | Detail::Counts => (0, 0),
        };
        results::search::line_infos(&self.hits, before, after).collect()
    }

    /// Describes the file, with the number of its matches if the search counts them.
    pub fn info(&self) -> FileMatchInfo {
        match self.detail {
            Detail::Counts => results::search::count_info(&self.hits),
            Detail::Paths | Detail::Lines { .. } => results::search::file_info(&self.hits),
        }
    }
}
