//! `infiniloom search QUERY`: finds lines in files like `rg`, or ranks code for a question.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use infiniloom::{Case, ErrorPlace, FileMatches, IndexUse, RankedSearch, Ranking, Search, Sort};

use crate::error::CliError;
use crate::library::{self, Opened};
use crate::search_output::{Detail, Output, Shape, ShownPaths};
use crate::{flags, pattern_file, progress, rg_flags};

use super::search_answer::{GROUPS, answer_ranked, code, is_silent};
use super::search_semantic;

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
    // Users of `rg` type -v to invert matches, so it must not mean --verbose here.
    flags::with_settings(command, GROUPS).mut_arg("ui.verbose", |arg| arg.short(None))
}

/// Creates a flag for a list of paths. A comma inside braces or between slashes belongs to its
/// path.
fn paths_in(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .value_name("PATH")
        .action(ArgAction::Append)
        .help(help)
}

/// Splits such a list.
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

/// Flags for matching and showing lines, which questions do not accept.
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
        // As in `rg`, -f is a file of patterns here.
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
        return search_semantic::run(matches, typed.unwrap_or_default());
    }
    let ranking = matches.get_one::<String>("rank").map(String::as_str);
    if let Some(ranking) = ranking.or(matches.get_flag("ask").then_some("code_aware")) {
        return ranked(matches, typed.unwrap_or_default(), ranking);
    }
    let (text, paths) = text_and_paths(matches, typed)?;
    let query = query(matches, text, &paths)?;
    let opened = Opened::open(matches, GROUPS, &paths).map_err(with_flag)?;
    let (ui, snapshot) = (opened.ui, opened.snapshot().map_err(with_flag)?);
    let control = library::control(ui);
    if is_silent(matches) {
        let mut found = 0;
        let query = query.paths_only();
        let searched = query.for_each(&snapshot, &control, |_| {
            found += 1;
            ControlFlow::Break(())
        });
        searched.map_err(query_error)?;
        return Ok(code(found));
    }
    let shown = ShownPaths::new(&opened.repository.roots(), &paths);
    let mut output = Output::new(shape(matches), detail(matches), opened.output_ui(), shown);
    let mut failed = None;
    let show = |file: FileMatches| match output.add(file) {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => {
            failed = Some(error);
            ControlFlow::Break(())
        }
    };
    let searched = match usage(matches) {
        // Updating the index can take long, so show its progress.
        IndexUse::Update => progress::follow(ui, &control, |control| {
            query.for_each(&snapshot, control, show)
        }),
        _ => query.for_each(&snapshot, &control, show),
    };
    let info = searched.map_err(query_error)?;
    let written = match failed {
        Some(error) => Err(error),
        None => output.finish(&info),
    };
    written.map_err(|error| CliError::io("cannot write the result", &error))?;
    ui.tell(&info.notices);
    super::check_secrets(&opened, &info.notices)?;
    Ok(code(info.summary.files))
}

/// Returns the text to find, and the paths to search. With patterns of -e or -f, the first argument
/// is a path, too.
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

/// Returns whether -e or -f provide patterns.
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

/// Ranks code for a question.
fn ranked(matches: &ArgMatches, text: String, ranking: &str) -> Result<ExitCode, CliError> {
    let query = RankedSearch::question(text).ranking(ranking.parse::<Ranking>()?);
    answer_ranked(matches, query)
}

fn around(matches: &ArgMatches) -> (usize, usize) {
    let number = |name: &str| matches.get_one::<usize>(name).copied();
    let around = number("context").unwrap_or(0);
    let before = number("before-context").unwrap_or(around);
    (before, number("after-context").unwrap_or(around))
}

fn detail(matches: &ArgMatches) -> Detail {
    match () {
        () if matches.get_flag("files-with-matches") => Detail::Paths,
        () if matches.get_flag("count") => Detail::Counts,
        () => Detail::Lines {
            has_context: around(matches) != (0, 0),
        },
    }
}

fn query(matches: &ArgMatches, text: String, paths: &[PathBuf]) -> Result<Search, CliError> {
    let is_literal = matches.get_flag("fixed-strings");
    let query = match () {
        () if has_patterns(matches) && is_literal => Search::any_text(text),
        () if has_patterns(matches) => Search::any_regex(text),
        () if matches.get_flag("regex") => Search::regex(text),
        () if is_literal => Search::text(text),
        () => Search::query(text),
    };
    let case = match () {
        () if matches.get_flag("ignore-case") => Case::Insensitive,
        () if matches.get_flag("smart-case") => Case::Smart,
        () => Case::Sensitive,
    };
    let query = query
        .case(case)
        .whole_words(matches.get_flag("word-regexp"))
        .symbols(super::wants_json(matches))
        .index(usage(matches));
    let query = match detail(matches) {
        Detail::Paths => query.paths_only(),
        Detail::Counts => query.counts_only(),
        Detail::Lines { .. } => {
            let (before, after) = around(matches);
            query.lines_around(before, after)
        }
    };
    let query = match matches.get_one("limit") {
        Some(limit) => query.limit(*limit),
        None => query,
    };
    let query = match matches.get_one("max-count") {
        Some(limit) => query.limit_per_file(*limit),
        None => query,
    };
    let sort = matches.get_one::<String>("sort");
    let query = match sort {
        Some(sort) => query.sort(sort.parse::<Sort>()?),
        None => query,
    };
    Ok(narrowed(query, matches, paths))
}

/// Narrows the query to the files that the flags name.
fn narrowed(query: Search, matches: &ArgMatches, paths: &[PathBuf]) -> Search {
    let words = |name: &str| -> Vec<String> {
        let words = matches.get_many::<String>(name).into_iter().flatten();
        words.cloned().collect()
    };
    let listed = |name: &str| -> Vec<String> {
        let words = words(name);
        let words = words.iter().flat_map(|word| listed(word));
        words.map(str::to_owned).collect()
    };
    let query = words("lang").into_iter().fold(query, Search::language);
    let query = words("type").into_iter().fold(query, Search::file_type);
    let query = listed("in").into_iter().fold(query, Search::within);
    let query = listed("not-in").into_iter().fold(query, Search::not_within);
    let query = words("glob").into_iter().fold(query, Search::glob);
    let here = std::env::current_dir().unwrap_or_default();
    let files = paths.iter().filter(|path| path.is_file());
    files.fold(query.from_directory(here), Search::expect_file)
}

/// Formats an error of the query with the invalid part.
fn query_error(error: infiniloom::Error) -> CliError {
    match error.place() {
        Some(place) => {
            let told = CliError::user(format!("{error}\n{}", marked(place)));
            match error.hint() {
                Some(hint) => told.hint(hint),
                None => told,
            }
        }
        None => with_flag(error.into()),
    }
}

/// Adds a hint in case the query was parsed as a revision.
fn with_flag(error: CliError) -> CliError {
    match error.is_about_history {
        true => error.hint("the query stands before --changed, or write --changed=REV"),
        false => error,
    }
}

/// Formats the query around the invalid part, with marks under that part.
fn marked(place: &ErrorPlace) -> String {
    // The text on both sides, the marks and the indentation fit into a terminal of 80 columns.
    const AROUND: usize = 30;
    let ErrorPlace {
        text, start, end, ..
    } = place;
    let before: String = {
        let all: Vec<char> = text[..*start].chars().collect();
        all[all.len().saturating_sub(AROUND)..].iter().collect()
    };
    let marked: String = text[*start..*end].chars().take(AROUND).collect();
    let behind: String = text[*start..]
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
