//! `search`: lines with a text, or the places that answer a question.

use std::ops::ControlFlow;

use loom_host::{
    Case, Detail, Expr, HitLine, Language, Pattern, Query, QueryError, QueryOptions, RankOptions,
    SearchOptions,
};
use serde_json::{Value, json};

use super::{Call, Tool, partial, quote};
use crate::answer::{Answer, Fitted};
use crate::arguments::Wrong;
use crate::root::Live;

pub(super) const TOOL: Tool = Tool {
    name: "search",
    about: "Finds lines in the repository, like grep: exact text (default), a regular expression, or a query such as \
            `parse lang:rust -path:tests sym:Parser`. With kind `question` finds the code that fits words best. Always current.",
    arguments,
    required: &["query"],
    tokens: 2000,
    run,
};

const KINDS: &[&str] = &["text", "regex", "query", "question"];
/// Lines that are looked at; with more, the query is too broad to be read.
const LINES: usize = 400;

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
    let is_question = kind == "question";
    let packer = call.root.packer();
    let model = &packer.options().model;
    if is_question {
        if !call.is_indexed() {
            return partial::lines(call, &partial::words(text));
        }
        let answer = call.root.with(call.cancel, |live| question(live, text))?;
        return Ok(answer.fit(call.limit, model));
    }
    let query = query(call, text, kind)?;
    let around = call.arguments.number("context")?.unwrap_or(0).min(50);
    let answer = call.root.with(call.cancel, |live| {
        lines(call, live, (text, &query), around)
    })??;
    Ok(answer.fit(call.limit, model))
}

fn query(call: &Call<'_>, text: &str, kind: &str) -> Result<Query, Wrong> {
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
    let query = parsed.map_err(|error| told(&error, kind))?;
    Ok(match call.arguments.text("path")? {
        Some(path) => query.within(Expr::Path(Pattern::literal(path))),
        None => query,
    })
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
    (text, query): (&str, &Query),
    around: usize,
) -> Result<Answer, Wrong> {
    let options = SearchOptions {
        detail: Detail::Lines {
            before: around,
            after: around,
        },
        symbols: false,
        limit: Some(LINES),
    };
    let mut files = Vec::new();
    let found = live.searcher.search(query, &options, call.cancel, |file| {
        files.push(file);
        ControlFlow::Continue(())
    });
    let found = found.map_err(|error| Wrong(error.to_string()))?;
    if files.is_empty() {
        let answer = Answer::new(format!("No line matches {text:?}."));
        return Ok(answer.note(Some(
            "Try fewer or other words, kind `question`, or `map` for an overview.".to_owned(),
        )));
    }
    let and_more = if found.is_cut { " or more" } else { "" };
    let head = format!("{} lines{and_more} in {} files:", found.lines, found.files);
    let mut answer =
        Answer::new(head).more("Narrow it with `path` or a longer text, or raise max_tokens.");
    for file in files {
        let path = file.path.display();
        // What stands together is one piece: a file with many matches is cut between them.
        let follows = |a: &HitLine, b: &HitLine| around > 0 && a.line + 1 == b.line;
        for (at, lines) in file.lines.chunk_by(follows).enumerate() {
            let quoted = lines.iter().map(|line| quote::line(line.line, &line.text));
            let mut piece = quoted.collect::<Vec<_>>().join("\n");
            match at {
                0 => piece.insert_str(0, &format!("{path}\n")),
                _ if around > 0 => piece.insert_str(0, "--\n"),
                _ => {}
            }
            let (first, last) = (lines[0].line, lines[lines.len() - 1].line);
            answer.push(piece, quote::source(&path, first, last));
        }
    }
    Ok(answer)
}

/// The parts of files that answer a question, best first.
fn question(live: &Live, text: &str) -> Answer {
    let options = RankOptions {
        limit: 20,
        ..RankOptions::default()
    };
    let hits = live.searcher.rank(text, &options);
    if hits.is_empty() {
        return Answer::new("Nothing has these words. Try other words, or `map` for an overview.");
    }
    let mut answer = Answer::new("Best places first; `read` shows them:").more("Raise max_tokens.");
    for hit in hits {
        let path = hit.path.display();
        let symbol = hit
            .symbol
            .map(|symbol| format!(" {symbol}"))
            .unwrap_or_default();
        let piece = format!("{path}:{}-{}{symbol}", hit.start_line, hit.end_line);
        answer.push(piece, quote::source(&path, hit.start_line, hit.end_line));
    }
    answer
}
