//! `search`: lines with a text, or the places that answer a question.

use std::collections::BTreeMap;

use infiniloom::wire::{MatchInfo, SearchInfo};
use infiniloom::{Case, Error, ErrorKind, RankedSearch, Search, Snapshot};
use serde_json::{Value, json};

use super::{Call, Tool, partial, quote};
use crate::answer::{Answer, Fitted, Piece};
use crate::one_line::one_line;
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
        return Ok(call.fit(question(call, text, &path)?));
    }
    let around = call.arguments.number("context")?.unwrap_or(0).min(50);
    let snapshot = call.snapshot()?;
    let mut search = search(text, kind).lines_around(around, around);
    for path in path {
        search = search.within(path);
    }
    let found = found(call, &search, kind, &snapshot)?;
    Ok(call.fit(lines(call, &snapshot, text, &found, around)?))
}

fn search(text: &str, kind: &str) -> Search {
    let search = match kind {
        "regex" => Search::regex(text),
        "query" => Search::query(text),
        _ => Search::text(text),
    };
    // No answer tells whether a guess of a secret is right.
    search
        .redacted(true)
        .symbols(false)
        .case(Case::Smart)
        .path_case(Case::Sensitive)
}

/// What matches, as far as it can be read.
fn found(
    call: &Call<'_>,
    search: &Search,
    kind: &str,
    snapshot: &Snapshot,
) -> Result<SearchInfo, Wrong> {
    let run = |search: &Search| {
        let found = search.run_with(snapshot, &call.control());
        found.map_err(|error| told(&error, kind))
    };
    let found = run(&search.clone().limit(LINES))?;
    // The limit is one of lines, and not of files whose paths alone match.
    match found.summary.cut && !found.files.is_empty() {
        true => run(search),
        false => Ok(found),
    }
}

/// The paths that are asked about, as answers call them: full ones from the top of the
/// repository, and those of a root below the top also from there. None for all.
fn places(call: &Call<'_>) -> Result<Vec<String>, Wrong> {
    let typed = call.arguments.text("path")?;
    let typed = call.below(typed.map(str::to_owned).into_iter().collect());
    let prefix = &call.root.prefix;
    let mut paths = Vec::new();
    for path in typed {
        let inner = path.strip_prefix("./").unwrap_or(&path);
        if inner.is_empty() {
            continue;
        }
        paths.push(inner.to_owned());
        if !prefix.is_empty() && !inner.starts_with(prefix.as_str()) {
            paths.push(format!("{prefix}{inner}"));
        }
    }
    Ok(paths)
}

/// What is wrong, and what to do next.
fn told(error: &Error, kind: &str) -> Wrong {
    match error.kind() {
        ErrorKind::Cancelled => return Wrong::interrupted(),
        // What is wrong in a pattern itself is told by the place in it.
        _ if error.hint().is_some_and(names_flag) => return Wrong(error.to_string()),
        _ => {}
    }
    let hint = error.hint().map(|hint| format!("; {hint}"));
    let next = match kind {
        "text" => "",
        _ => "; kind `text` takes it as it is",
    };
    Wrong(format!("{error}{}{next}", hint.unwrap_or_default()))
}

/// Whether a hint is about flags of the command, which nobody can set here.
fn names_flag(hint: &str) -> bool {
    hint.split(' ')
        .any(|word| word.len() == 2 && word.starts_with('-'))
}

/// The lines that match, file by file.
fn lines(
    call: &Call<'_>,
    snapshot: &Snapshot,
    text: &str,
    found: &SearchInfo,
    around: usize,
) -> Result<Answer, Wrong> {
    if found.summary.files == 0 {
        return Ok(nothing(call, snapshot, text)?.cut(found.summary.cut));
    }
    let and_more = if found.summary.cut { " or more" } else { "" };
    // Of a query about paths alone, no line matches.
    let count = match found.files.is_empty() {
        true => found.summary.lines,
        false => 0,
    };
    let files = found.summary.files;
    let head = format!("{count} lines{and_more} in {files} files:");
    let mut answer = Answer::new(head)
        .more("Narrow it with `path` or a longer text, or raise max_tokens.")
        .cut(found.summary.cut);
    for file in found.matches.chunk_by(|a, b| a.path == b.path) {
        let path = quote::path(&file[0].path);
        let lines: Vec<Shown<'_>> = with_those_around(file);
        // What stands together is one piece: a file with many matches is cut between them.
        let follows = |a: &Shown<'_>, b: &Shown<'_>| around > 0 && a.line + 1 == b.line;
        for (at, lines) in lines.chunk_by(follows).enumerate() {
            let mut piece = Piece::new(match at {
                0 => quote::file(&path),
                _ if around > 0 => "--".to_owned(),
                _ => String::new(),
            });
            for line in lines {
                piece.quote(&quote::line_with(line.line, line.text, line.place));
            }
            let (first, last) = (lines[0].line, lines[lines.len() - 1].line);
            answer.push(piece.of(quote::source(&path, first, last)));
        }
    }
    Ok(answer)
}

/// A line that is shown.
struct Shown<'f> {
    line: usize,
    text: &'f str,
    /// Where what matches begins.
    place: Option<usize>,
}

/// The lines of a file that match and those around them, each once.
fn with_those_around(matches: &[MatchInfo]) -> Vec<Shown<'_>> {
    let mut lines: BTreeMap<usize, Shown<'_>> = BTreeMap::new();
    let mut add = |line: usize, text, place: Option<usize>| {
        let shown = Shown { line, text, place };
        match place {
            Some(_) => drop(lines.insert(line, shown)),
            None => drop(lines.entry(line).or_insert(shown)),
        }
    };
    for one in matches {
        let first = one.line.saturating_sub(one.before.len());
        for (line, text) in (first..).zip(&one.before) {
            add(line, text, None);
        }
        add(
            one.line,
            &one.text,
            Some(one.places.first().map_or(0, |place| place.0)),
        );
        for (line, text) in (one.line + 1..).zip(&one.after) {
            add(line, text, None);
        }
    }
    lines.into_values().collect()
}

/// What is said where no line matches.
fn nothing(call: &Call<'_>, snapshot: &Snapshot, text: &str) -> Result<Answer, Wrong> {
    let answer = Answer::new(format!("No line matches {text:?}."));
    let next = "Try fewer or other words, kind `question`, or `map` for an overview.";
    let large = snapshot.too_large(&call.control())?;
    let note = match large.files {
        0 => next.to_owned(),
        files => {
            let limit = large.limit;
            format!("{next} Files larger than {limit} bytes are not searched: {files}.")
        }
    };
    Ok(answer.note(Some(note)))
}

/// The parts of files that answer a question, best first.
fn question(call: &Call<'_>, text: &str, paths: &[String]) -> Result<Answer, Wrong> {
    let mut ranked = RankedSearch::question(text).limit(PLACES + 1);
    for path in paths {
        ranked = ranked.within(path);
    }
    let hits = match ranked.run_with(&call.snapshot()?, &call.control()) {
        Ok(found) => found.hits,
        // None of its words is one that a file could have.
        Err(error) if matches!(error.code(), "bad_query" | "invalid_values") => Vec::new(),
        Err(error) => return Err(error.into()),
    };
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
