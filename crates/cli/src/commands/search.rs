//! `infiniloom search QUERY`: finds lines in files, as `rg` does and as a question asks.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use infiniloom::host::{
    Cancel, Case, Detail, Expr, FileHits, IndexUse, Judged, Language, NoProgress, PackError,
    Packer, Pattern, PatternKind, Query, QueryError, QueryOptions, Question, RankOptions, Ranking,
    SearchError, SearchOptions, Searcher,
};
use loom_settings::{Group, Resolved};

use crate::error::CliError;
use crate::interrupt::cancel_on_interrupt;
use crate::progress::ProgressLine;
use crate::search_output::{Output, Shape, ShownPaths};
use crate::ui::Ui;
use crate::{flags, pattern_file, rg_flags};

use super::search_answer::{code, is_silent, print_ranked};
use super::search_semantic;

pub(super) const GROUPS: &[Group] = &[Group::Scan, Group::Privacy, Group::Secrets];

pub(super) fn command() -> Command {
    let command = Command::new("search")
        .about("Find lines in files: words, phrases, regular expressions, symbols")
        .after_help(
            "Words must all be in a file. \"…\" is a phrase, /…/ a regular expression; path:, lang:, \
             sym:, def:, case: say what a word is about; - before a part means without it, `or` \
             either, ( ) group.\n\nExamples:\n  infiniloom search 'parse lang:rust -path:tests'\n  \
             infiniloom search --regex 'fn \\w+_all' src\n  infiniloom search -F 'a[0] = (b)' -C 2\n  \
             infiniloom search 'sym:Server or def:serve'\n\nExit codes: 0 a match, 1 none, 2 a query that cannot be asked.",
        )
        .arg(
            Arg::new("query")
                .value_name("QUERY")
                .required_unless_present_any(["file", "regexp"])
                .help("What to look for; with -e or -f, a folder or file"),
        )
        .arg(super::paths_arg("Folders or files; the current folder when none is given"))
        .arg(super::switch("regex", "Take the whole query as one regular expression").conflicts_with("fixed-strings"))
        .arg(super::switch("fixed-strings", "Take the whole query, or each line of a file of patterns, as it is").short('F'))
        .arg(
            Arg::new("file")
                .long("file")
                .short('f')
                .value_name("PATTERNFILE")
                .value_parser(value_parser!(PathBuf))
                .action(ArgAction::Append)
                .conflicts_with_all(["ask", "rank"])
                .help("Find lines that match any line of this file, each an expression; - reads standard input; may be given again"),
        )
        .arg(super::switch("ignore-case", "Find any case").short('i').overrides_with("smart-case"))
        .arg(
            super::switch("smart-case", "Find any case, unless the pattern has upper-case letters")
                .short('S')
                .overrides_with("ignore-case"),
        )
        .arg(super::switch("word-regexp", "Find whole words only").short('w'))
        .arg(super::list_arg("lang", "LANGUAGE", "Only files in these languages, such as rust,python"))
        .arg(paths_in("in", "Only paths that hold this text, match this glob, or with /…/ this expression"))
        .arg(paths_in("not-in", "No paths that hold this text, match this glob, or with /…/ this expression"))
        .args(rg_flags::args())
        .args(output_args())
        .args(search_semantic::args(&NOT_OF_QUESTIONS));
    // -v is no word for more words where people type it for other lines.
    flags::with_settings(command, GROUPS).mut_arg("ui.verbose", |arg| arg.short(None))
}

/// A list of paths, whose own commas stand in braces or between slashes.
fn paths_in(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .value_name("PATH")
        .action(ArgAction::Append)
        .help(help)
}

/// The paths of such a list.
fn listed(text: &str) -> Vec<&str> {
    if text.len() > 1 && text.starts_with('/') && text.ends_with('/') {
        return vec![text];
    }
    let mut depth = 0_usize;
    let parts = text.split(|c| {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    parts.filter(|part| !part.is_empty()).collect()
}

/// What says how lines are found and shown, and nothing about questions.
const NOT_OF_QUESTIONS: [&str; 21] = [
    "regex",
    "regexp",
    "glob",
    "type",
    "max-count",
    "case-sensitive",
    "fixed-strings",
    "ignore-case",
    "smart-case",
    "word-regexp",
    "lang",
    "in",
    "not-in",
    "count",
    "context",
    "after-context",
    "before-context",
    "column",
    "files-with-matches",
    "sort",
    "index",
];

fn output_args() -> [Arg; 12] {
    [
        super::switch(
            "ask",
            "Take the query as a question: the files that have most of its words, best first",
        )
        .conflicts_with_all(NOT_OF_QUESTIONS),
        Arg::new("rank")
            .long("rank")
            .value_name("HOW")
            .value_parser(["code_aware", "bm25", "tfidf"])
            .conflicts_with_all(NOT_OF_QUESTIONS)
            .help("The same, and how files are ranked; code_aware unless told"),
        Arg::new("index")
            .long("index")
            .value_name("USE")
            .value_parser(["auto", "update", "off"])
            .default_value("auto")
            .help("Use the index as it is, bring it up to date first, or read every file"),
        number("context", "Show N lines around each").short('C'),
        number("after-context", "Show N lines after each").short('A'),
        number("before-context", "Show N lines before each").short('B'),
        super::switch("files-with-matches", "Show the paths alone").short('l'),
        super::switch("count", "Show how many lines match in each file")
            .short('c')
            .conflicts_with("files-with-matches"),
        super::switch("column", "Show the column of the first match"),
        number("limit", "Show at most N lines; with -l or -c, files"),
        Arg::new("sort")
            .long("sort")
            .value_name("ORDER")
            .value_parser(["path", "score"])
            .default_value("path")
            .help("The order of files: by path, or what fits best first"),
        // As `rg` users type it, -f is a file of patterns here.
        super::format_arg().short(None),
    ]
}

fn number(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .value_name("N")
        .value_parser(value_parser!(usize))
        .help(help)
}

pub(super) fn run(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    let typed = matches.get_one::<String>("query").cloned();
    if matches.get_flag("semantic") {
        return search_semantic::run(matches, &typed.unwrap_or_default(), GROUPS);
    }
    let ranking = matches.get_one::<String>("rank").map(String::as_str);
    if let Some(ranking) = ranking.or(matches.get_flag("ask").then_some("code_aware")) {
        return ranked(matches, &typed.unwrap_or_default(), ranking);
    }
    let (text, paths) = text_and_paths(matches, typed)?;
    let query = query(matches, &text)?;
    let (packer, resolved) = super::symbols::opened(matches, GROUPS, &paths)?;
    let packer = Arc::new(packer);
    let query = rg_flags::within_globs(query, matches, packer.source());
    let ui = Ui::on_standard_output(&resolved.settings().ui);
    let detail = match is_silent(matches) {
        true => Detail::Paths,
        false => detail(matches, &query),
    };
    let options = SearchOptions {
        detail,
        symbols: super::wants_json(matches),
        limit: matches.get_one("limit").copied(),
        per_file: matches.get_one("max-count").copied(),
        judged: Judged::Written,
    };
    let cancel = cancel_on_interrupt();
    let searcher = opened(&packer, usage(matches), &resolved, &cancel)?;
    if is_silent(matches) {
        let met = searcher.search(&query, &options, &cancel, |_| ControlFlow::Break(()));
        return Ok(code(met.map_err(|error| told(error, &text))?.files));
    }
    let shown = ShownPaths::new(packer.source(), &paths);
    let mut output = Output::new(shape(matches), detail, ui, shown);
    let mut failed = None;
    let show = |file: FileHits| match output.add(&file) {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => {
            failed = Some(error);
            ControlFlow::Break(())
        }
    };
    let is_by_score = matches
        .get_one::<String>("sort")
        .is_some_and(|sort| sort == "score");
    let found = match is_by_score {
        true => searcher.search_best_first(&query, &options, &cancel, show),
        false => searcher.search(&query, &options, &cancel, show),
    };
    let met = found.map_err(|error| told(error, &text))?;
    let written = match failed {
        Some(error) => Err(error),
        None => output.finish(&met),
    };
    written.map_err(|error| CliError::io("cannot write the result", &error))?;
    let ui = Ui::new(&resolved.settings().ui);
    ui.warn_of(&packer, &searcher.unread(), searcher.warnings());
    warn_of_files(&searcher, &paths, ui);
    super::tell_secrets(&packer, met.secrets, ui)?;
    Ok(code(met.files))
}

/// The files of the source; an index that is brought up to date shows how far it is.
fn opened(
    packer: &Arc<Packer>,
    usage: IndexUse,
    resolved: &Resolved,
    cancel: &Cancel,
) -> Result<Searcher, CliError> {
    let found = match usage {
        IndexUse::Update => {
            let progress = ProgressLine::new(Ui::new(&resolved.settings().ui));
            Searcher::open(Arc::clone(packer), usage, &progress, cancel)
        }
        usage => Searcher::open(Arc::clone(packer), usage, &NoProgress, cancel),
    };
    found.map_err(|error| match error {
        // The query may have been taken for a revision.
        PackError::History { .. } => {
            CliError::from(error).hint("the query stands before --changed, or write --changed=REV")
        }
        error => error.into(),
    })
}

/// Says which of the files that somebody named cannot be searched.
fn warn_of_files(searcher: &Searcher, paths: &[PathBuf], ui: Ui) {
    for path in paths.iter().filter(|path| path.is_file()) {
        let typed = path.to_string_lossy();
        if !searcher.has_text(&typed) && !searcher.is_unread(&typed) {
            let shown = path.display();
            ui.warn(&format!(
                "{shown} is left out: it is no text, too large, or excluded"
            ));
        }
    }
}

/// What is looked for, and where. With patterns of -e or -f there is no query: what stands
/// in its place is a path.
fn text_and_paths(
    matches: &ArgMatches,
    typed: Option<String>,
) -> Result<(String, Vec<PathBuf>), CliError> {
    if !has_patterns(matches) {
        return Ok((typed.unwrap_or_default(), super::paths(matches)));
    }
    let rest = matches.get_many::<PathBuf>("path").into_iter().flatten();
    let paths = match typed {
        Some(first) => [PathBuf::from(first)]
            .into_iter()
            .chain(rest.cloned())
            .collect(),
        None => super::paths(matches),
    };
    let patterns = matches.get_many::<String>("regexp").into_iter().flatten();
    let mut text: String = patterns.map(|pattern| format!("{pattern}\n")).collect();
    let files = matches.get_many::<PathBuf>("file").into_iter().flatten();
    text.push_str(&pattern_file::read_all(&files.collect::<Vec<_>>())?);
    Ok((text, paths))
}

/// Whether patterns are told by -e or -f.
fn has_patterns(matches: &ArgMatches) -> bool {
    matches.contains_id("file") || matches.contains_id("regexp")
}

fn shape(matches: &ArgMatches) -> Shape {
    match super::wants_json(matches) {
        true => Shape::Json,
        false => Shape::Text {
            has_column: matches.get_flag("column"),
        },
    }
}

fn usage(matches: &ArgMatches) -> IndexUse {
    match matches.get_one::<String>("index").map(String::as_str) {
        Some("update") => IndexUse::Update,
        Some("off") => IndexUse::Off,
        _ => IndexUse::Auto,
    }
}

/// Answers a question.
fn ranked(matches: &ArgMatches, text: &str, ranking: &str) -> Result<ExitCode, CliError> {
    if text.trim().is_empty() {
        return Err(CliError::user("the question is empty"));
    }
    if Question::new(text).is_empty() {
        let told = CliError::user("the question has no word that a file could have");
        return Err(told.hint("signs and words such as \"the\" say nothing; without --ask they are found as they stand"));
    }
    let paths = super::paths(matches);
    let (packer, resolved) = super::symbols::opened(matches, GROUPS, &paths)?;
    let packer = Arc::new(packer);
    let cancel = cancel_on_interrupt();
    let searcher = opened(&packer, IndexUse::Update, &resolved, &cancel)?;
    Ui::new(&resolved.settings().ui).warn_of(&packer, &searcher.unread(), searcher.warnings());
    let options = RankOptions {
        ranking: match ranking {
            "bm25" => Ranking::Bm25,
            "tfidf" => Ranking::TfIdf,
            _ => Ranking::CodeAware,
        },
        limit: matches.get_one("limit").copied().unwrap_or(10),
        ..RankOptions::default()
    };
    let hits = searcher.rank(text, &options);
    print_ranked(matches, &hits, &packer, &paths, &resolved)?;
    Ok(code(hits.len()))
}

fn detail(matches: &ArgMatches, query: &Query) -> Detail {
    let number = |name: &str| matches.get_one::<usize>(name).copied();
    let around = number("context").unwrap_or(0);
    match () {
        () if matches.get_flag("files-with-matches") => Detail::Paths,
        // A query about files alone has no lines.
        () if !query.shows_lines() => Detail::Paths,
        () if matches.get_flag("count") => Detail::Counts,
        () => Detail::Lines {
            before: number("before-context").unwrap_or(around),
            after: number("after-context").unwrap_or(around),
        },
    }
}

fn query(matches: &ArgMatches, text: &str) -> Result<Query, CliError> {
    let language =
        |name: &str| Language::from_id(&name.to_lowercase()).map(|one| one.id().to_owned());
    let options = QueryOptions {
        case: match () {
            () if matches.get_flag("ignore-case") => Case::Insensitive,
            () if matches.get_flag("smart-case") => Case::Smart,
            () => Case::Sensitive,
        },
        is_word: matches.get_flag("word-regexp"),
        language: &language,
    };
    let is_literal = matches.get_flag("fixed-strings");
    let kind = match is_literal {
        true => PatternKind::Literal,
        false => PatternKind::Regex,
    };
    let parsed = match () {
        () if has_patterns(matches) => Query::any_line(text, kind, &options),
        () if matches.get_flag("regex") => Query::regex(text, &options),
        () if is_literal => Query::literal(text, &options),
        () => Query::parse(text, &options),
    };
    let mut query = parsed.map_err(|error| told(error.into(), text))?;
    let languages = super::symbols::languages(matches, "lang")?.into_iter();
    let languages = languages.map(|one| Expr::Language(one.id().to_owned()));
    let mut kinds: Vec<Expr> = languages.collect();
    kinds.extend(rg_flags::types(matches)?);
    if !kinds.is_empty() {
        query = query.within(Expr::Or(kinds));
    }
    let case = options.case;
    let paths = |name: &str| -> Vec<Expr> {
        let words = matches.get_many::<String>(name).into_iter().flatten();
        let words = words.flat_map(|word| listed(word));
        words
            .map(|word| Expr::Path(path_pattern(word, case)))
            .collect()
    };
    if matches.contains_id("in") {
        query = query.within(Expr::Or(paths("in")));
    }
    if matches.contains_id("not-in") {
        query = query.within(Expr::Not(Box::new(Expr::Or(paths("not-in")))));
    }
    Ok(query)
}

/// What a path must hold: a text or glob, or between slashes an expression.
fn path_pattern(word: &str, case: Case) -> Pattern {
    let inside = word
        .strip_prefix('/')
        .and_then(|word| word.strip_suffix('/'));
    let (text, kind) = match inside.filter(|inside| !inside.is_empty()) {
        Some(inside) => (inside, PatternKind::Regex),
        // From here is from the top.
        None => (
            word.strip_prefix("./").unwrap_or(word),
            PatternKind::Literal,
        ),
    };
    Pattern {
        kind,
        case,
        ..Pattern::literal(text)
    }
}

/// An error of the query with the place that it is about.
fn told(error: SearchError, text: &str) -> CliError {
    let SearchError::Query(error) = error else {
        return error.into();
    };
    let hint = error.hint();
    let told = CliError::user(format!("{error}\n{}", place(&error, text)));
    match hint {
        Some(hint) => told.hint(hint),
        None => told,
    }
}

/// The part of the query around the place, with marks under it.
fn place(error: &QueryError, text: &str) -> String {
    const AROUND: usize = 30;
    // Where the pattern stands in the query, or the pattern itself.
    let (text, offset) = match error.pattern() {
        None => (text, 0),
        Some(pattern) => match text.find(pattern) {
            Some(offset) if !pattern.is_empty() => (text, offset),
            _ => (pattern, 0),
        },
    };
    let clamped = |at: usize| {
        let mut at = (at + offset).min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let (start, end) = (clamped(error.at().start), clamped(error.at().end));
    let before: String = {
        let all: Vec<char> = text[..start].chars().collect();
        all[all.len().saturating_sub(AROUND)..].iter().collect()
    };
    let marked: String = text[start..end.max(start)].chars().take(AROUND).collect();
    let behind: String = text[start..]
        .chars()
        .skip(marked.chars().count())
        .take(AROUND)
        .collect();
    let plain = |text: &str| text.replace(['\n', '\r', '\t'], " ");
    let indent = " ".repeat(before.chars().count());
    let marks = "^".repeat(marked.chars().count().max(1));
    format!(
        "  {}{}{}\n  {indent}{marks}",
        plain(&before),
        plain(&marked),
        plain(&behind)
    )
}
