//! What a search is asked for and what it found.

use std::ops::ControlFlow;

use loom_base::RepoPath;
use loom_syntax::Language;

use super::lines::{HitLine, cut_lines};

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

/// Which text a query is asked of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Judged {
    /// As it is written: what ripgrep finds.
    #[default]
    Written,
    /// As it is shown, without secrets: no answer tells whether a guess of one is right.
    Shown,
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
    /// At most so many matching lines of each file; more are not told.
    pub per_file: Option<usize>,
    /// Which text the query is asked of.
    pub judged: Judged,
}

/// A file that matches. One with very many lines is handed out in several of these, one
/// after the other.
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
    /// How well it fits, where that was asked for.
    pub score: Option<f64>,
    /// How many of the lines hold a secret, hidden or not.
    pub secrets: usize,
    /// Whether earlier lines of the same file were handed out before.
    pub is_rest: bool,
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
    /// Lines that were handed out and hold a secret, hidden or not.
    pub secrets: usize,
    /// Whether there may be more than the limit let through.
    pub is_cut: bool,
}

/// What became of a file.
#[derive(Debug)]
pub enum Outcome {
    /// It was not read, or is no text.
    Passed,
    /// It was read and does not match.
    Read,
    /// It matches.
    Hits(Box<FileHits>),
    /// It matches in more lines than are held at a time.
    Many,
}

impl Searched {
    /// Adds what became of a file, within the limits of the search, and hands it out.
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
