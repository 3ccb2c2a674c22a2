//! Options and results of a search.

use std::ops::ControlFlow;

use loom_base::RepoPath;
use loom_syntax::Language;

use super::lines::{HitLine, cut_lines};

/// Level of detail of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Only the paths of matching files.
    Paths,
    /// The number of matching lines per file.
    Counts,
    /// The matching lines with their context.
    Lines {
        /// Context lines before each match.
        before: usize,
        /// Context lines after each match.
        after: usize,
    },
}

/// The form of the text that a query runs on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SearchText {
    /// The raw text, as ripgrep would search it.
    #[default]
    Raw,
    /// The redacted text, so that a result cannot confirm a guessed secret.
    Redacted,
}

/// Options of a search.
#[derive(Clone, Copy, Debug)]
pub struct SearchOptions {
    /// Level of detail of the result.
    pub detail: Detail,
    /// Return the symbol around each matching line.
    pub symbols: bool,
    /// Maximum number of matching lines, or of files if the result has no lines.
    pub limit: Option<usize>,
    /// Maximum number of matching lines per file. Further lines are not counted.
    pub per_file: Option<usize>,
    /// The form of the text that the query runs on.
    pub search_text: SearchText,
}

/// A matching file. A file with very many lines is emitted as several consecutive values.
#[derive(Clone, Debug)]
pub struct FileHits {
    /// Its path.
    pub path: RepoPath,
    /// Its language.
    pub language: Option<Language>,
    /// Number of matching lines.
    pub count: usize,
    /// The matching lines and their context, if requested.
    pub lines: Vec<HitLine>,
    /// Its score, if requested.
    pub score: Option<f64>,
    /// Number of lines that contain a secret, hidden or not.
    pub secrets: usize,
    /// True if earlier lines of the same file were already emitted.
    pub is_rest: bool,
}

/// Totals of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Searched {
    /// Files that match.
    pub files: usize,
    /// Lines that match.
    pub lines: usize,
    /// Number of files that were read.
    pub read: usize,
    /// Emitted lines that contain a secret, hidden or not.
    pub secrets: usize,
    /// True if the limit may have cut off further matches.
    pub is_cut: bool,
}

/// Result of a query on one file.
#[derive(Debug)]
pub enum Outcome {
    /// The file was not read, or has no text.
    Passed,
    /// The file was read and does not match.
    Read,
    /// The file matches.
    Hits(Box<FileHits>),
    /// The file has too many matching lines for one result.
    Many,
}

impl Searched {
    /// Adds the result of a file, within the limits of the search, and emits it.
    pub(super) fn add(
        &mut self,
        outcome: Outcome,
        options: &SearchOptions,
        emit: &mut impl FnMut(FileHits) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut hits = match outcome {
            Outcome::Passed | Outcome::Many => return ControlFlow::Continue(()),
            Outcome::Read => {
                self.read += 1;
                return ControlFlow::Continue(());
            }
            Outcome::Hits(hits) => *hits,
        };
        self.read += usize::from(!hits.is_rest);
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
            cut_lines(&mut hits.lines, left, after);
            hits.count = left;
            self.is_cut = true;
        }
        hits.secrets = hits.lines.iter().filter(|line| line.has_secret).count();
        self.files += usize::from(!hits.is_rest);
        self.lines += hits.count;
        self.secrets += hits.secrets;
        emit(hits)
    }
}
