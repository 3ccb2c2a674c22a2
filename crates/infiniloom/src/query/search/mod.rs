//! Lines that match a pattern or a query.

mod call;
mod file_types;
mod matches;
mod parse;
mod words;

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use loom_host::{Detail, Query, SearchOptions, SearchText, Searched, Searcher};
use loom_wire::{FORMAT_VERSION, NoticeInfo, SearchInfo};

use super::call::callable;
use super::{narrows, runs, secrets_notice, time_notice};
use crate::choices::{Case, IndexUse, Sort};
use crate::layers::Remarks;
use crate::session::Choices;
use crate::{Control, Result, Snapshot, results};
pub use matches::{FileMatches, FoundLine};

/// Finds lines in files.
#[derive(Clone, Debug)]
pub struct Search {
    choices: Choices,
    text: String,
    kind: Kind,
    case: Case,
    is_word: bool,
    languages: Vec<String>,
    types: Vec<String>,
    paths: Vec<String>,
    other_paths: Vec<String>,
    globs: Vec<String>,
    directory: Option<PathBuf>,
    expected: Vec<PathBuf>,
    detail: LineDetail,
    has_symbols: bool,
    limit: Option<usize>,
    per_file: Option<usize>,
    sort: Sort,
    index: IndexUse,
    path_case: Option<Case>,
    search_text: SearchText,
    time_limit: Option<Duration>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Text,
    Regex,
    Query,
    AnyText,
    AnyRegex,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineDetail {
    Lines { before: usize, after: usize },
    Paths,
    Counts,
}

impl Search {
    fn new(text: impl Into<String>, kind: Kind) -> Self {
        Self {
            choices: Choices::default(),
            text: text.into(),
            kind,
            case: Case::Sensitive,
            is_word: false,
            languages: Vec::new(),
            types: Vec::new(),
            paths: Vec::new(),
            other_paths: Vec::new(),
            globs: Vec::new(),
            directory: None,
            expected: Vec::new(),
            detail: LineDetail::Lines {
                before: 0,
                after: 0,
            },
            has_symbols: true,
            limit: None,
            per_file: None,
            sort: Sort::Path,
            index: IndexUse::Auto,
            path_case: None,
            search_text: SearchText::Raw,
            time_limit: None,
        }
    }

    /// The largest text of a search, in bytes.
    pub const MAX_BYTES: usize = loom_host::MAX_QUERY;

    /// Finds a text as it is.
    pub fn text(text: impl Into<String>) -> Self {
        Self::new(text, Kind::Text)
    }

    /// Finds a regular expression.
    pub fn regex(pattern: impl Into<String>) -> Self {
        Self::new(pattern, Kind::Regex)
    }

    /// Finds lines with any of several texts, one in each line of `texts`.
    pub fn any_text(texts: impl Into<String>) -> Self {
        Self::new(texts, Kind::AnyText)
    }

    /// Finds lines that match any of several expressions, one in each line of `patterns`.
    pub fn any_regex(patterns: impl Into<String>) -> Self {
        Self::new(patterns, Kind::AnyRegex)
    }

    /// Finds a query of the query language: words that must all be in a file, `"a phrase"`,
    /// `/an expression/`, `path:`, `lang:`, `sym:`, `def:`, `-` before a part, `or`, `( )`.
    pub fn query(query: impl Into<String>) -> Self {
        Self::new(query, Kind::Query)
    }

    /// Decides whether upper and lower case differ: by default they do.
    #[must_use]
    pub fn case(mut self, case: Case) -> Self {
        self.case = case;
        self
    }

    /// Finds whole words only.
    #[must_use]
    pub fn whole_words(mut self, is_word: bool) -> Self {
        self.is_word = is_word;
        self
    }

    /// Searches files in this language; more than one call adds languages.
    #[must_use]
    pub fn language(mut self, language: impl Into<String>) -> Self {
        self.languages.push(language.into());
        self
    }

    /// Searches files of this type, by a language or an extension, such as `py` or `ts`; more
    /// than one call adds types.
    #[must_use]
    pub fn file_type(mut self, name: impl Into<String>) -> Self {
        self.types.push(name.into());
        self
    }

    /// Searches paths that contain this text, match this glob or, between slashes, this
    /// expression; more than one call adds paths.
    #[must_use]
    pub fn within(mut self, path: impl Into<String>) -> Self {
        self.paths.push(path.into());
        self
    }

    /// Does not search such paths.
    #[must_use]
    pub fn not_within(mut self, path: impl Into<String>) -> Self {
        self.other_paths.push(path.into());
        self
    }

    /// Searches paths that match this glob, or with `!` before it those that do not. Of several
    /// globs the last one that matches decides. They start at the root, or at the directory of
    /// [`Search::from_directory`].
    #[must_use]
    pub fn glob(mut self, glob: impl Into<String>) -> Self {
        self.globs.push(glob.into());
        self
    }

    /// Starts globs at this directory.
    #[must_use]
    pub fn from_directory(mut self, directory: impl Into<PathBuf>) -> Self {
        self.directory = Some(directory.into());
        self
    }

    /// Adds a notice if this file cannot be searched.
    #[must_use]
    pub fn expect_file(mut self, path: impl Into<PathBuf>) -> Self {
        self.expected.push(path.into());
        self
    }

    /// Decides how the index is used: by default [`IndexUse::Auto`].
    #[must_use]
    pub fn index(mut self, usage: IndexUse) -> Self {
        self.index = usage;
        self
    }

    /// Decides whether lines come with the symbols around them, as usual, which takes a parse of
    /// each file that matches.
    #[must_use]
    pub fn symbols(mut self, is_shown: bool) -> Self {
        self.has_symbols = is_shown;
        self
    }

    /// Returns this many lines before and after each match: none by default.
    #[must_use]
    pub fn lines_around(mut self, before: usize, after: usize) -> Self {
        self.detail = LineDetail::Lines { before, after };
        self
    }

    /// Returns the paths of the files alone.
    #[must_use]
    pub fn paths_only(mut self) -> Self {
        self.detail = LineDetail::Paths;
        self
    }

    /// Returns the number of matching lines in each file.
    #[must_use]
    pub fn counts_only(mut self) -> Self {
        self.detail = LineDetail::Counts;
        self
    }

    /// Returns at most this many lines, or files if there are no lines: all by default.
    #[must_use]
    pub fn limit(mut self, limit: usize) -> Self {
        self.limit = Some(limit);
        self
    }

    /// Returns at most this many lines of each file: all by default.
    #[must_use]
    pub fn limit_per_file(mut self, limit: usize) -> Self {
        self.per_file = Some(limit);
        self
    }

    /// Orders the files: by default by path.
    #[must_use]
    pub fn sort(mut self, sort: Sort) -> Self {
        self.sort = sort;
        self
    }

    /// Decides whether upper and lower case differ in the paths of [`within`](Self::within).
    /// Without it, the case of the pattern decides.
    #[must_use]
    pub fn path_case(mut self, case: Case) -> Self {
        self.path_case = Some(case);
        self
    }

    /// Matches the redacted text instead of the written one: a result then does not tell whether
    /// a guess of a secret is right.
    #[must_use]
    pub fn redacted(mut self, is_redacted: bool) -> Self {
        self.search_text = match is_redacted {
            true => SearchText::Redacted,
            false => SearchText::Raw,
        };
        self
    }

    /// Returns the matches that are found within this time, which is unlimited by default; the notice `time_limit` says that
    /// files are missing.
    #[must_use]
    pub fn time_limit(mut self, time: Duration) -> Self {
        self.time_limit = Some(time);
        self
    }

    /// Calls `show` with each file that matches as soon as it is found. If `show` breaks, the run
    /// ends early. The result has the totals and no matches.
    ///
    /// # Errors
    /// As for [`Search::run_with`].
    pub fn for_each(
        &self,
        snapshot: &Snapshot,
        control: &Control,
        mut show: impl FnMut(FileMatches) -> ControlFlow<()>,
    ) -> Result<SearchInfo> {
        control.run(|| self.shown(snapshot, control, &mut show))
    }

    fn answer(&self, snapshot: &Snapshot, control: &Control) -> Result<SearchInfo> {
        let (mut matches, mut files) = (Vec::new(), Vec::new());
        let info = self.shown(snapshot, control, &mut |file| {
            match file.has_lines() {
                true => matches.extend(file.matches()),
                false => files.push(file.info()),
            }
            ControlFlow::Continue(())
        })?;
        Ok(SearchInfo {
            matches,
            files,
            ..info
        })
    }

    fn shown(
        &self,
        snapshot: &Snapshot,
        control: &Control,
        show: &mut dyn FnMut(FileMatches) -> ControlFlow<()>,
    ) -> Result<SearchInfo> {
        let query = self.parsed()?;
        let session = snapshot.session(&self.choices, control)?;
        let query = self.within_globs(query, session.packer.source());
        let usage = match self.index {
            IndexUse::Auto => loom_host::IndexUse::Auto,
            IndexUse::Update => loom_host::IndexUse::Update,
            IndexUse::Off => loom_host::IndexUse::Off,
        };
        let searcher = snapshot.lines(&session, usage)?;
        let detail = self.detail(&query);
        let options = SearchOptions {
            detail,
            symbols: self.has_symbols,
            limit: self.limit,
            per_file: self.per_file,
            search_text: self.search_text,
        };
        let mut found = Searched {
            is_cut: true,
            ..Searched::default()
        };
        let emit = |hits: loom_host::FileHits| {
            found.files += usize::from(!hits.is_rest);
            found.lines += hits.count;
            show(FileMatches::new(hits, detail))
        };
        let cancel = match self.time_limit {
            Some(time) => session.cancel.within(time),
            None => session.cancel.clone(),
        };
        let searched = match self.sort {
            Sort::Score => searcher.search_best_first(&query, &options, &cancel, emit),
            Sort::Path => searcher.search(&query, &options, &cancel, emit),
        };
        session.check()?;
        let is_late = self.time_limit.is_some() && cancel.is_cancelled() && searched.is_err();
        let searched = match is_late {
            true => found,
            false => searched.map_err(|error| self.explained(error))?,
        };
        let mut notices = snapshot.notices(&session, Remarks::of_search(&searcher));
        notices.extend(is_late.then(|| time_notice("files")));
        notices.extend(self.missing(&searcher));
        let mode = session.packer.secrets_mode();
        notices.extend(secrets_notice(mode, searched.secrets));
        Ok(SearchInfo {
            format_version: FORMAT_VERSION,
            matches: Vec::new(),
            files: Vec::new(),
            summary: results::search::summary(&searched),
            notices,
        })
    }

    /// The expected files that cannot be searched.
    fn missing(&self, searcher: &Searcher) -> Vec<NoticeInfo> {
        let missing = self.expected.iter().filter(|path| {
            let typed = path.to_string_lossy();
            !searcher.has_text(&typed) && !searcher.is_unread(&typed)
        });
        let notice = |path: &PathBuf| {
            let message = format!(
                "{} is left out: it is no text, too large, or excluded",
                path.display()
            );
            NoticeInfo::new("not_searched", message)
        };
        missing.map(notice).collect()
    }

    fn detail(&self, query: &Query) -> Detail {
        match self.detail {
            LineDetail::Paths => Detail::Paths,
            // A query about files alone has no lines.
            _ if !query.shows_lines() => Detail::Paths,
            LineDetail::Counts => Detail::Counts,
            LineDetail::Lines { before, after } => Detail::Lines { before, after },
        }
    }
}

runs!(Search => SearchInfo);
callable!(Search => SearchInfo);
narrows!(Search);
