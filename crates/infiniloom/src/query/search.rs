//! Lines that match a pattern or a query.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::time::Duration;

use loom_host::{
    Detail, Expr, IndexUse, Judged, Language, Pattern, PatternKind, Query, QueryOptions,
    SearchError, SearchOptions, Searched,
};
use loom_wire::{AroundCall, FORMAT_VERSION, FileMatchInfo, MatchInfo, SearchCall, SearchInfo};

use super::call::{callable, choice, unknown_word};
use super::{check, milliseconds, narrows, runs, secrets_notice, time_notice};
use crate::choices::{Case, Sort};
use crate::layers::Remarks;
use crate::session::Choices;
use crate::{Control, Error, ErrorProblem, Infiniloom, Result, Snapshot, results};

/// Finds lines in files.
#[derive(Clone, Debug)]
pub struct Search {
    choices: Choices,
    text: String,
    kind: Kind,
    case: Case,
    is_word: bool,
    languages: Vec<String>,
    paths: Vec<String>,
    detail: LineDetail,
    limit: Option<usize>,
    per_file: Option<usize>,
    sort: Sort,
    index: IndexUse,
    path_case: Option<Case>,
    judged: Judged,
    has_symbols: bool,
    time_limit: Option<Duration>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Text,
    Regex,
    Query,
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
            paths: Vec::new(),
            detail: LineDetail::Lines {
                before: 0,
                after: 0,
            },
            limit: None,
            per_file: None,
            sort: Sort::Path,
            index: IndexUse::Auto,
            path_case: None,
            judged: Judged::Written,
            has_symbols: true,
            time_limit: None,
        }
    }

    /// Finds a text as it is.
    pub fn text(text: impl Into<String>) -> Self {
        Self::new(text, Kind::Text)
    }

    /// Finds a regular expression.
    pub fn regex(pattern: impl Into<String>) -> Self {
        Self::new(pattern, Kind::Regex)
    }

    /// Finds a query of the query language: words that must all be in a file, `"a phrase"`,
    /// `/an expression/`, `path:`, `lang:`, `sym:`, `def:`, `-` before a part, `or`, `( )`.
    pub fn query(query: impl Into<String>) -> Self {
        Self::new(query, Kind::Query)
    }

    /// Decides whether upper and lower case differ.
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

    /// Searches paths that contain this text or match this glob; more than one call adds paths.
    #[must_use]
    pub fn within(mut self, path: impl Into<String>) -> Self {
        self.paths.push(path.into());
        self
    }

    /// Returns this many lines before and after each match.
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

    /// Returns at most this many lines, or files if there are no lines.
    #[must_use]
    pub fn limit(mut self, limit: usize) -> Self {
        self.limit = Some(limit);
        self
    }

    /// Returns at most this many lines of each file.
    #[must_use]
    pub fn limit_per_file(mut self, limit: usize) -> Self {
        self.per_file = Some(limit);
        self
    }

    /// Orders the files.
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
        self.judged = match is_redacted {
            true => Judged::Shown,
            false => Judged::Written,
        };
        self
    }

    /// Decides whether lines come with the symbols around them, as usual, which takes a parse of
    /// each file that matches.
    #[must_use]
    pub fn symbols(mut self, is_shown: bool) -> Self {
        self.has_symbols = is_shown;
        self
    }

    /// Returns the matches that are found within this time; the notice `time_limit` says that
    /// files are missing.
    #[must_use]
    pub fn time_limit(mut self, time: Duration) -> Self {
        self.time_limit = Some(time);
        self
    }

    fn answer(&self, snapshot: &Snapshot, control: &Control) -> Result<SearchInfo> {
        let query = self.parsed()?;
        let session = snapshot.session(&self.choices, control)?;
        let searcher = snapshot.lines(&session, self.index)?;
        let detail = self.detail(&query);
        let options = SearchOptions {
            detail,
            symbols: self.has_symbols,
            limit: self.limit,
            per_file: self.per_file,
            judged: self.judged,
        };
        let (mut matches, mut files) = (Vec::new(), Vec::new());
        let emit = |file: loom_host::FileHits| {
            match detail {
                Detail::Paths => files.push(results::search::file_info(&file)),
                Detail::Counts => files.push(results::search::count_info(&file)),
                Detail::Lines { before, after } => {
                    matches.extend(results::search::line_infos(&file, before, after));
                }
            }
            ControlFlow::Continue(())
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
        let searched: Searched = match is_late {
            true => found_in_time(&matches, &files),
            false => searched.map_err(|error| self.explained(error))?,
        };
        let mut notices = snapshot.notices(&session, Remarks::of_search(&searcher));
        notices.extend(is_late.then(|| time_notice("files")));
        let mode = session.packer.secrets_mode();
        notices.extend(secrets_notice(mode, searched.secrets));
        Ok(SearchInfo {
            format_version: FORMAT_VERSION,
            matches,
            files,
            summary: results::search::summary(&searched),
            notices,
        })
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

    fn parsed(&self) -> Result<Query> {
        let language =
            |name: &str| Language::from_id(&name.to_lowercase()).map(|one| one.id().to_owned());
        let case = host_case(self.case);
        let options = QueryOptions {
            case,
            is_word: self.is_word,
            language: &language,
        };
        let mut problems = Vec::new();
        let languages = super::languages(&self.languages, &mut problems);
        let parsed = match self.kind {
            Kind::Text => Query::literal(&self.text, &options),
            Kind::Regex => Query::regex(&self.text, &options),
            Kind::Query => Query::parse(&self.text, &options),
        };
        let parsed = parsed.map_err(|error| match problems.is_empty() {
            true => self.explained(error.into()),
            false => {
                let mut problems = std::mem::take(&mut problems);
                problems.push(ErrorProblem {
                    message: error.to_string(),
                    hint: error.hint().map(str::to_owned),
                });
                Error::with_problems(problems)
            }
        });
        let mut query = parsed?;
        check(problems)?;
        if !languages.is_empty() {
            let languages = languages.iter().map(|one| one.id().to_owned());
            query = query.within(Expr::Or(languages.map(Expr::Language).collect()));
        }
        if !self.paths.is_empty() {
            let paths = self.paths.iter().map(|path| Pattern {
                kind: PatternKind::Literal,
                case: self.path_case.map_or(case, host_case),
                ..Pattern::literal(path.strip_prefix("./").unwrap_or(path))
            });
            query = query.within(Expr::Or(paths.map(Expr::Path).collect()));
        }
        Ok(query)
    }

    /// The error with the hint of the query language.
    fn explained(&self, error: SearchError) -> Error {
        let hint = match &error {
            SearchError::Query(error) => error.hint().map(str::to_owned),
            _ => None,
        };
        match hint {
            Some(hint) => Error::from(error).with_hint(hint),
            None => error.into(),
        }
    }
}

runs!(Search => SearchInfo);
callable!(Search => SearchInfo);

impl Search {
    fn call(&self) -> Result<SearchCall> {
        let Self {
            choices,
            text,
            kind,
            case,
            is_word,
            languages,
            paths,
            detail,
            limit,
            per_file,
            sort,
            index: _, // no setter sets it
            path_case,
            judged,
            has_symbols,
            time_limit,
        } = self;
        let kind = match kind {
            Kind::Text => "text",
            Kind::Regex => "regex",
            Kind::Query => "query",
        };
        Ok(SearchCall {
            text: text.clone(),
            kind: kind.to_owned(),
            settings: choices.values.call()?,
            case: (*case != Case::Sensitive).then(|| case.name().to_owned()),
            whole_words: *is_word,
            languages: languages.clone(),
            within: paths.clone(),
            lines_around: match *detail {
                LineDetail::Lines { before, after } if before + after > 0 => {
                    Some(AroundCall { before, after })
                }
                _ => None,
            },
            paths_only: *detail == LineDetail::Paths,
            counts_only: *detail == LineDetail::Counts,
            limit: *limit,
            limit_per_file: *per_file,
            sort: (*sort != Sort::Path).then(|| sort.name().to_owned()),
            path_case: path_case.map(|case| case.name().to_owned()),
            redacted: *judged == Judged::Shown,
            no_symbols: !has_symbols,
            time_limit_ms: time_limit.map(milliseconds),
        })
    }

    fn of_call(call: &SearchCall, engine: &Infiniloom) -> Result<Self> {
        let SearchCall {
            text,
            kind,
            settings,
            case,
            whole_words,
            languages,
            within,
            lines_around,
            paths_only,
            counts_only,
            limit,
            limit_per_file,
            sort,
            path_case,
            redacted,
            no_symbols,
            time_limit_ms,
        } = call;
        let kind = match kind.as_str() {
            "text" => Kind::Text,
            "regex" => Kind::Regex,
            "query" => Kind::Query,
            other => return Err(unknown_word("kind", other, "text, regex, query")),
        };
        let around = lines_around.map_or((0, 0), |lines| (lines.before, lines.after));
        Ok(Self {
            choices: Choices::of_call(settings, None, engine)?,
            case: choice(case.as_ref())?.unwrap_or(Case::Sensitive),
            is_word: *whole_words,
            languages: languages.clone(),
            paths: within.clone(),
            detail: match (paths_only, counts_only) {
                (true, _) => LineDetail::Paths,
                (false, true) => LineDetail::Counts,
                (false, false) => LineDetail::Lines {
                    before: around.0,
                    after: around.1,
                },
            },
            limit: *limit,
            per_file: *limit_per_file,
            sort: choice(sort.as_ref())?.unwrap_or(Sort::Path),
            path_case: choice(path_case.as_ref())?,
            has_symbols: !no_symbols,
            time_limit: time_limit_ms.map(Duration::from_millis),
            ..Self::new(text.clone(), kind).redacted(*redacted)
        })
    }
}
narrows!(Search);

fn host_case(case: Case) -> loom_host::Case {
    match case {
        Case::Sensitive => loom_host::Case::Sensitive,
        Case::Insensitive => loom_host::Case::Insensitive,
        Case::Smart => loom_host::Case::Smart,
    }
}

/// The summary of a search that its time limit ended.
fn found_in_time(matches: &[MatchInfo], files: &[FileMatchInfo]) -> Searched {
    let paths: BTreeSet<&str> = matches.iter().map(|one| one.path.as_str()).collect();
    let counts = files.iter().filter_map(|file| file.lines);
    Searched {
        files: paths.len() + files.len(),
        lines: matches.len() + counts.sum::<usize>(),
        is_cut: true,
        ..Searched::default()
    }
}
