//! `search`: lines with a text, or the places that answer a question.

use std::collections::{BTreeMap, BTreeSet};

use infiniloom::wire::{MatchInfo, SearchInfo};
use infiniloom::{Case, Error, ErrorKind, RankedSearch, Search, Snapshot};
use serde_json::{Value, json};

use super::numbers::Numbers;
use super::scope::Scope;
use super::{Call, PATIENCE, Tool, partial, quote};
use crate::answer::{Answer, Fitted, Piece};
use crate::one_line::one_line;
use crate::tool_error::ToolError;

pub(super) const TOOL: Tool = Tool {
    name: "search",
    about: "Finds lines in the repository, like grep: exact text (default), a regular expression, or a query such as \
            `parse lang:rust -path:tests sym:Parser`. With kind `question` finds the code that fits words best. Always current.",
    arguments,
    needs: &["query"],
    missing: "`query` is missing: a text, a pattern, or a question in words",
    tokens: 2000,
    settled_tokens: |_| None,
    run,
};

const KINDS: &[&str] = &["text", "regex", "query", "question"];
/// Lines that are looked at; with more, the query is too broad to be read.
const LINES: usize = 400;
/// Places that answer a question.
const PLACES: usize = 20;
/// Maximum number of ranked locations if the call has `paths`.
const RANKED: usize = 2000;

fn arguments() -> Value {
    json!({
        "query": {"type": "string"},
        "kind": {"type": "string", "enum": KINDS},
        "paths": super::paths_schema("Files, folders or globs"),
        "limit": {"type": "integer"},
        "context": {"type": "integer", "description": "Lines around each"},
        "numbers": super::numbers::schema(),
    })
}

fn run(call: &Call<'_>) -> Result<Fitted, ToolError> {
    let text = call.arguments.required("query")?;
    let kind = call.arguments.choice("kind", KINDS)?;
    let snapshot = call.snapshot()?;
    let scope = Scope::new(call, &snapshot)?;
    if kind == "question" {
        if !call.is_indexed() {
            return partial::lines(call, &Search::particular_words(text), &scope);
        }
        let snapshot = call.snapshot()?;
        return Ok(call.fit(question(call, &snapshot, text, &scope)?));
    }
    let around = call.arguments.number("context")?.unwrap_or(0).min(50);
    let search = search(text, kind).lines_around(around, around);
    let search = scope.restrict(search).time_limit(PATIENCE);
    let mut found = found(call, &search, kind, &snapshot)?;
    let has_case = text.chars().any(char::is_uppercase) && matches!(kind, "text" | "regex");
    let mut ignores_case = false;
    if found.summary.files == 0 && has_case && !is_late(&found) {
        let search = search.case(Case::Insensitive);
        found = self::found(call, &search, kind, &snapshot)?;
        ignores_case = found.summary.files > 0;
    }
    let mut answer = lines(call, &snapshot, text, &found, around)?;
    if ignores_case {
        answer = answer.below("No line has this case; these ignore it.");
    }
    Ok(call.fit(match is_late(&found) {
        true => answer.partial(
            "there was no time to search all files",
            "ask again in a few seconds, or narrow it with `paths`",
        ),
        false => answer,
    }))
}

/// Returns true if there was no time for all files.
fn is_late(found: &SearchInfo) -> bool {
    let mut notices = found.notices.iter();
    notices.any(|notice| notice.code == "time_limit")
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
) -> Result<SearchInfo, ToolError> {
    let run = |search: &Search| {
        let found = search.run_with(snapshot, &call.control());
        found.map_err(|error| query_error(&error, kind))
    };
    let most = call.most()?.min(LINES);
    let found = run(&search.clone().limit(most))?;
    // The limit is one of lines, and not of files whose paths alone match.
    match found.summary.cut && !found.files.is_empty() {
        true => run(search),
        false => Ok(found),
    }
}

/// What is wrong, and what to do next.
fn query_error(error: &Error, kind: &str) -> ToolError {
    match error.kind() {
        ErrorKind::Cancelled => return ToolError::interrupted(),
        // What is wrong in a pattern itself is told by the place in it.
        _ if error.hint().is_some_and(names_flag) => return ToolError(error.to_string()),
        _ => {}
    }
    let hint = error.hint().map(|hint| format!("; {hint}"));
    let next = match kind {
        "text" => "",
        _ => "; kind `text` takes it as it is",
    };
    ToolError(format!("{error}{}{next}", hint.unwrap_or_default()))
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
) -> Result<Answer, ToolError> {
    if found.summary.files == 0 {
        return nothing(call, snapshot, text);
    }
    let and_more = if found.summary.cut { " or more" } else { "" };
    // Of a query about paths alone, no line matches.
    let count = match found.files.is_empty() {
        true => found.summary.lines,
        false => 0,
    };
    let files = found.summary.files;
    let head = format!("{count} lines{and_more} in {files} files{and_more}:");
    let is_cut = found.summary.cut && !is_late(found);
    let mut answer = Answer::new(head)
        .more(match call.most()? < LINES {
            true => "raise `limit`, or narrow it with `paths` or a longer text",
            false => "narrow it with `paths` or a longer text, or raise `budget`",
        })
        .cut(is_cut);
    let numbers = call.numbers()?;
    for file in found.matches.chunk_by(|a, b| a.path == b.path) {
        let path = quote::path(&file[0].path);
        let lines: Vec<Shown<'_>> = with_those_around(file);
        let symbols: BTreeSet<usize> = match numbers {
            Numbers::Some => {
                let symbols = quote::symbols(call, snapshot, &file[0].path).into_iter();
                symbols.map(|(line, _)| line).collect()
            }
            _ => BTreeSet::new(),
        };
        // What stands together is one piece: a file with many matches is cut between them.
        let follows = |a: &Shown<'_>, b: &Shown<'_>| around > 0 && a.line + 1 == b.line;
        for (at, lines) in lines.chunk_by(follows).enumerate() {
            let mut piece = Piece::new(match at {
                0 => quote::file(&path),
                _ if around > 0 => "--".to_owned(),
                _ => String::new(),
            });
            for line in lines {
                let text = quote::line_with(line.line, line.text, line.place);
                // A caller goes on from the number of a match.
                let is_marked = line.place.is_some() || symbols.contains(&line.line);
                piece.quote(&numbers.apply(text, line.line, is_marked));
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
fn nothing(call: &Call<'_>, snapshot: &Snapshot, text: &str) -> Result<Answer, ToolError> {
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
fn question(
    call: &Call<'_>,
    snapshot: &Snapshot,
    text: &str,
    scope: &Scope,
) -> Result<Answer, ToolError> {
    let places = call.most()?.min(PLACES);
    let files = scope.files(call, snapshot)?;
    let ranked = RankedSearch::question(text).limit(match files {
        Some(_) => RANKED,
        None => places + 1,
    });
    let mut hits = match ranked.run_with(snapshot, &call.control()) {
        Ok(found) => found.hits,
        // None of its words is one that a file could have.
        Err(error) if matches!(error.code(), "bad_query" | "invalid_values") => Vec::new(),
        Err(error) => return Err(error.into()),
    };
    if let Some(files) = files {
        hits.retain(|hit| files.contains(&hit.path));
    }
    if hits.is_empty() {
        let told = "Nothing has these words. Try other words, or `map` for an overview.";
        return Ok(Answer::new(told));
    }
    let mut answer = Answer::new("Best places first; `read` shows them:")
        .more("raise `budget`, or narrow it with `paths`: at most 20 places are shown")
        .cut(hits.len() > places);
    for hit in hits.into_iter().take(places) {
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

#[cfg(test)]
mod tests;
