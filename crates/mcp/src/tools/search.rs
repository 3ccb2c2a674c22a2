//! `search`: lines with a text, or the places that answer a question.

use std::ops::ControlFlow;

use infiniloom::host::{
    Case, Detail, HitLine, Judged, Language, Program, Query, QueryError, QueryOptions, RankOptions,
    RepoPath, SearchOptions,
};
use serde_json::{Value, json};

use super::scope::within;
use super::{Call, Tool, partial, quote};
use crate::answer::{Answer, Fitted, Piece};
use crate::one_line::one_line;
use crate::root::Live;
use crate::wrong::Wrong;

pub(super) const TOOL: Tool = Tool {
    name: "search",
    about: "Finds lines in the repository, like grep: exact text (default), a regular expression, or a query such as \
            `parse lang:rust -path:tests sym:Parser`. With kind `question` finds the code that fits words best. Always current.",
    arguments,
    required: &["query"],
    tokens: 2000,
    settled_tokens: |_| None,
    run,
};

const KINDS: &[&str] = &["text", "regex", "query", "question"];
/// Lines that are looked at; with more, the query is too broad to be read.
const LINES: usize = 400;
/// Places that answer a question.
const PLACES: usize = 20;

fn arguments() -> Value {
    json!({
        "query": {"type": "string"},
        "kind": {"type": "string", "enum": KINDS},
        "path": {"type": "string", "description": "Only paths with this text or glob"},
        "context": {"type": "integer", "description": "Lines around each"},
    })
}

fn run(call: &Call<'_>) -> Result<Fitted, Wrong> {
    let text = call.arguments.required("query")?;
    let kind = call.arguments.choice("kind", KINDS)?;
    let path = places(call)?;
    if kind == "question" {
        if !call.is_indexed() {
            return partial::lines(call, &partial::words(text), &path);
        }
        let paths = (!path.is_empty()).then(|| paths(&path)).transpose()?;
        let is_wanted = |path: &RepoPath| {
            let may_match = |paths: &Program| paths.may_match(path.as_bytes(), None);
            paths.as_ref().is_none_or(may_match)
        };
        let answer = call
            .root
            .with(call.cancel, |live| question(call, live, text, is_wanted))??;
        return Ok(call.fit(answer));
    }
    let query = within(query(text, kind)?, &path);
    let around = call.arguments.number("context")?.unwrap_or(0).min(50);
    let answer = call
        .root
        .with(call.cancel, |live| lines(call, live, text, &query, around))??;
    Ok(call.fit(answer))
}

fn query(text: &str, kind: &str) -> Result<Query, Wrong> {
    let language =
        |name: &str| Language::from_id(&name.to_lowercase()).map(|one| one.id().to_owned());
    let options = QueryOptions {
        case: Case::Smart,
        is_word: false,
        language: &language,
    };
    let parsed = match kind {
        "regex" => Query::regex(text, &options),
        "query" => Query::parse(text, &options),
        _ => Query::literal(text, &options),
    };
    parsed.map_err(|error| told(&error, kind))
}

/// The paths that are asked about, as answers call them: full ones from the top of the
/// repository, and those of a root below the top also from there. None for all.
fn places(call: &Call<'_>) -> Result<Vec<String>, Wrong> {
    let typed = call.arguments.text("path")?;
    let typed = call.below(typed.map(str::to_owned).into_iter().collect());
    let prefix = call.root.with(call.cancel, |live| live.prefix.clone())?;
    let mut paths = Vec::new();
    for path in typed {
        let inner = path.strip_prefix("./").unwrap_or(&path);
        if inner.is_empty() {
            continue;
        }
        paths.push(inner.to_owned());
        if !prefix.is_empty() && !inner.starts_with(&prefix) {
            paths.push(format!("{prefix}{inner}"));
        }
    }
    Ok(paths)
}

/// What says whether a path is one of these.
fn paths(paths: &[String]) -> Result<Program, Wrong> {
    let any = within(query("a", "text")?, paths);
    Program::new(&any).map_err(|error| told(&error, "text"))
}

/// What is wrong, and what to do next.
fn told(error: &QueryError, kind: &str) -> Wrong {
    let hint = error.hint().map(|hint| format!("; {hint}"));
    let next = match kind {
        "text" => "",
        _ => "; kind `text` takes it as it is",
    };
    Wrong(format!("{error}{}{next}", hint.unwrap_or_default()))
}

/// The lines that match, file by file.
fn lines(
    call: &Call<'_>,
    live: &Live,
    text: &str,
    query: &Query,
    around: usize,
) -> Result<Answer, Wrong> {
    let options = SearchOptions {
        detail: Detail::Lines {
            before: around,
            after: around,
        },
        symbols: false,
        limit: Some(LINES),
        per_file: None,
        judged: Judged::Shown,
    };
    let mut files = Vec::new();
    let found = live.searcher.search(query, &options, call.cancel, |file| {
        files.push(file);
        ControlFlow::Continue(())
    });
    let found = found.map_err(|error| Wrong(error.to_string()))?;
    if files.is_empty() {
        return Ok(nothing(live, text).cut(found.is_cut));
    }
    let and_more = if found.is_cut { " or more" } else { "" };
    let count: usize = files.iter().map(|file| file.count).sum();
    let head = format!("{count} lines{and_more} in {} files:", files.len());
    let mut answer = Answer::new(head)
        .more("Narrow it with `path` or a longer text, or raise max_tokens.")
        .cut(found.is_cut);
    for file in files {
        let path = quote::path(&file.path);
        // What stands together is one piece: a file with many matches is cut between them.
        let follows = |a: &HitLine, b: &HitLine| around > 0 && a.line + 1 == b.line;
        for (at, lines) in file.lines.chunk_by(follows).enumerate() {
            let mut piece = Piece::new(match at {
                0 => quote::file(&path),
                _ if around > 0 => "--".to_owned(),
                _ => String::new(),
            });
            for line in lines {
                piece.quote(&quote::line_with(
                    line.line,
                    &line.text,
                    line.places.first(),
                ));
            }
            let (first, last) = (lines[0].line, lines[lines.len() - 1].line);
            answer.push(piece.of(quote::source(&path, first, last)));
        }
    }
    Ok(answer)
}

/// What is said where no line matches.
fn nothing(live: &Live, text: &str) -> Answer {
    let answer = Answer::new(format!("No line matches {text:?}."));
    let next = "Try fewer or other words, kind `question`, or `map` for an overview.";
    let note = match live.searcher.too_large() {
        (0, _) => next.to_owned(),
        (files, limit) => {
            format!("{next} Files larger than {limit} bytes are not searched: {files}.")
        }
    };
    answer.note(Some(note))
}

/// The parts of files that answer a question, best first.
fn question(
    call: &Call<'_>,
    live: &Live,
    text: &str,
    is_wanted: impl Fn(&RepoPath) -> bool,
) -> Result<Answer, Wrong> {
    let options = RankOptions {
        limit: PLACES + 1,
        ..RankOptions::default()
    };
    let ranked = live
        .searcher
        .rank_among(text, &options, is_wanted, call.cancel);
    let hits = ranked?;
    if hits.is_empty() {
        let told = "Nothing has these words. Try other words, or `map` for an overview.";
        return Ok(Answer::new(told));
    }
    let mut answer = Answer::new("Best places first; `read` shows them:")
        .more("Raise max_tokens, or narrow it with `path`: 20 places are told at most.")
        .cut(hits.len() > PLACES);
    for hit in hits.into_iter().take(PLACES) {
        let path = quote::path(&hit.path);
        let symbol = hit.symbol.map(|symbol| format!(" {}", one_line(&symbol)));
        let symbol = symbol.unwrap_or_default();
        let piece = Piece::new(quote::file(&format!(
            "{path}:{}-{}{symbol}",
            hit.start_line, hit.end_line
        )));
        answer.push(piece.of(quote::source(&path, hit.start_line, hit.end_line)));
    }
    Ok(answer)
}
