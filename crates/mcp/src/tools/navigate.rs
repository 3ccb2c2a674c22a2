//! `navigate`: from a name to where it is defined, used, implemented and called.

use std::collections::HashSet;

use infiniloom::wire::{CallInfo, DefinitionInfo, NavigationInfo, UseInfo};
use infiniloom::{Navigate, Snapshot};
use serde_json::{Value, json};

use super::scope::Scope;
use super::{Call, Tool, partial, place, quote};
use crate::answer::{Answer, Fitted, Piece, Quoted};
use crate::one_line::one_line;
use crate::tool_error::ToolError;

pub(super) const TOOL: Tool = Tool {
    name: "navigate",
    about: "Where a symbol is defined, used, implemented or called. `symbol` is a name, a qualified name (Parser.parse, \
            Parser::parse), FILE:LINE:COL or an id of an answer. Without `what`: definitions, with the number of references and callers. From the syntax of files: more exact than a text search, still approximate.",
    arguments,
    needs: &["symbol"],
    missing: "`symbol` is missing: a name, FILE:LINE:COL, or an id of an answer",
    tokens: 2000,
    settled_tokens: |_| None,
    run,
};

pub(super) const QUESTIONS: &[&str] = &["def", "refs", "impls", "callers", "callees"];

fn arguments() -> Value {
    json!({
        "symbol": {"type": "string"},
        "what": {"type": "string", "enum": QUESTIONS},
        "depth": {"type": "integer", "description": "Steps of callers or callees"},
        "paths": super::paths_schema("Files, folders or globs of the results"),
        "limit": {"type": "integer"},
    })
}

/// Steps of callers or callees that a call follows.
const DEPTH: usize = 5;

fn run(call: &Call<'_>) -> Result<Fitted, ToolError> {
    let typed = call.arguments.required("symbol")?;
    let what = call.arguments.choice("what", QUESTIONS)?;
    let asked_depth = call.arguments.number("depth")?.unwrap_or(1);
    let depth = asked_depth.clamp(1, DEPTH);
    if !call.is_indexed() {
        return partial::lines(call, &partial::last_name(typed), &Scope::default());
    }
    let snapshot = call.snapshot()?;
    let found = asked(call, &snapshot, typed, what, depth)?;
    let mut answer = answered(typed, what, &found);
    if asked_depth > depth {
        answer = answer.below(&format!("More than {DEPTH} steps are not followed."));
    }
    if let Some(files) = Scope::new(call, &snapshot)?.files(call, &snapshot)? {
        let has_some = !answer.is_empty();
        answer = answer.within(|path| files.contains(path));
        if has_some && answer.is_empty() {
            answer = answer.below("None of them is in `paths`.");
        }
    }
    if !call.arguments.has("what") && !found.definitions.is_empty() {
        answer = counted(call, &snapshot, typed, answer)?;
    }
    Ok(call.fit(answer.most(call.most()?)))
}

/// Adds the numbers of references and callers to definitions.
fn counted(
    call: &Call<'_>,
    snapshot: &Snapshot,
    typed: &str,
    answer: Answer,
) -> Result<Answer, ToolError> {
    let refs = asked(call, snapshot, typed, "refs", 1)?;
    let callers = asked(call, snapshot, typed, "callers", 1)?;
    let is_hasty = place::is_hasty(&refs) || place::is_hasty(&callers);
    let at_least = |is_cut: bool| if is_cut { "at least " } else { "" };
    let uses = refs.references.as_deref().unwrap_or_default();
    let sure = uses.iter().filter(|one| mark(&one.certainty).is_empty());
    let (sure, all) = (sure.count(), uses.len());
    let possible = match all - sure {
        0 => String::new(),
        more => format!(" and {more} possible"),
    };
    let calls = callers.calls.as_deref().unwrap_or_default().iter();
    let names: HashSet<_> = calls.map(|call| (&call.path, &call.caller)).collect();
    let note = format!(
        "References: {}{sure}{possible}. Callers: {}{}. `what` lists them: refs, callers.",
        at_least(is_hasty),
        at_least(is_hasty || callers.cut),
        names.len()
    );
    Ok(answer.note(Some(note)))
}

/// What the library knows about a name, or about the id of an answer.
fn asked(
    call: &Call<'_>,
    snapshot: &Snapshot,
    typed: &str,
    what: &str,
    depth: usize,
) -> Result<NavigationInfo, ToolError> {
    let target = call.paths(snapshot)?.known_id(typed.trim());
    let navigate = match what {
        "def" => Navigate::definitions(target),
        "refs" => Navigate::references(target),
        "impls" => Navigate::implementations(target),
        "callers" => Navigate::callers(target).depth(depth),
        _ => Navigate::callees(target).depth(depth),
    };
    found(call, typed, navigate.ids(true), snapshot)
}

/// The same, as long as the call may look into files.
pub(super) fn found(
    call: &Call<'_>,
    typed: &str,
    navigate: Navigate,
    snapshot: &Snapshot,
) -> Result<NavigationInfo, ToolError> {
    let navigate = navigate.time_limit(call.time_left());
    let found = navigate.run_with(snapshot, &call.control());
    // What was found until a stop is not all.
    call.check()?;
    found.map_err(|error| match error.code() {
        "invalid_values" => ToolError(format!("there is no name in {typed:?}")),
        _ => error.into(),
    })
}

fn answered(typed: &str, what: &str, found: &NavigationInfo) -> Answer {
    let is_cut = place::is_hasty(found);
    if found.definitions.is_empty() {
        let answer = Answer::new(match is_cut {
            true => format!(
                "There was no time to find a definition of {typed:?}. Give its FILE:LINE, or `search` for the text."
            ),
            false => format!(
                "No definition of {typed:?} is known. Try its last part alone, or `search` for the text."
            ),
        });
        return place::hasty(answer, is_cut);
    }
    let meant = &found.definitions[..found.candidates.min(found.definitions.len())];
    let typed = one_line(typed);
    let mut answer = match what {
        "def" => definitions(
            format!("Definitions of {typed}, best first:"),
            &found.definitions,
        ),
        "impls" => implementations(&typed, found.implementations.as_deref().unwrap_or_default()),
        "refs" => uses(&typed, found.references.as_deref().unwrap_or_default()),
        "callers" => calls(&format!("Calls of {typed}"), found),
        _ => calls(&format!("Calls made by {typed}"), found),
    };
    let mut notes = Vec::new();
    if meant.len() > 1 && what != "def" {
        let places: Vec<String> = meant.iter().take(5).map(place_of).collect();
        let note = format!(
            "{} definitions have this name ({}): a qualified name or FILE:LINE:COL chooses one.",
            meant.len(),
            places.join(", ")
        );
        notes.push(note);
    }
    answer = answer.more("a qualified name, FILE:LINE:COL or `paths` narrow it, or raise `budget`");
    let notes = (!notes.is_empty()).then(|| notes.join("\n"));
    place::hasty(answer.note(notes), is_cut)
}

fn uses(typed: &str, uses: &[UseInfo]) -> Answer {
    let sure = uses.iter().filter(|one| mark(&one.certainty).is_empty());
    let (sure, all) = (sure.count(), uses.len());
    let mut head = format!("{sure} uses of {typed}");
    if all > sure {
        head.push_str(&format!(
            ", then {} that may be of another of that name",
            all - sure
        ));
    }
    let mut answer = Answer::new(format!("{head}:"));
    for one in uses {
        let from = one.from.as_deref();
        let from = from.map(|from| format!(" in {}", one_line(from)));
        let head = |path: &str| {
            let from = from.unwrap_or_default();
            quote::file(&format!(
                "{path} ({}{}{from})",
                mark(&one.certainty),
                one.kind
            ))
        };
        answer.push(shown(&one.path, one.line, &one.name, &one.text, head));
    }
    answer
}

fn calls(head: &str, found: &NavigationInfo) -> Answer {
    let calls: &[CallInfo] = found.calls.as_deref().unwrap_or_default();
    let more = if found.cut { " and more" } else { "" };
    let mut answer = Answer::new(format!("{head}, {}{more}:", calls.len())).cut(found.cut);
    for call in calls {
        let caller = call.caller.as_deref().unwrap_or("(top of the file)");
        let doubt = match call.definitions.is_empty() {
            true => mark(&call.certainty),
            false => "",
        };
        let head = |path: &str| {
            let told = format!(
                "{doubt}{} → {} in {path}",
                one_line(caller),
                one_line(&call.callee),
            );
            let step = "  ".repeat(call.step.saturating_sub(1));
            format!("{step}{}", quote::named("call", &told))
        };
        let name = call.callee.rsplit(['.', ':', '#']).next();
        answer.push(shown(
            &call.path,
            call.line,
            name.unwrap_or_default(),
            &call.text,
            head,
        ));
    }
    answer
}

/// The line of a place, under a line of ours that has its path.
fn shown(
    path: &str,
    number: usize,
    name: &str,
    text: &str,
    head: impl FnOnce(&str) -> String,
) -> Piece {
    let path = quote::path(path);
    let mut piece = Piece::new(head(&path));
    piece.quote(&line(number, text, name));
    piece.of(quote::source(&path, number, number))
}

/// A line with the name that it is shown for. One that was cut already says so by its
/// ends.
fn line(number: usize, text: &str, name: &str) -> Quoted {
    let mut quoted = quote::line_with(number, text, text.find(name));
    quoted.is_cut |= text.starts_with('…') || text.ends_with('…');
    quoted
}

fn mark(certainty: &str) -> &'static str {
    match certainty {
        "resolved" => "",
        _ => "possible ",
    }
}

fn place_of(one: &DefinitionInfo) -> String {
    let path = quote::path(&one.path);
    format!("{path}:{}:{}", one.line, one.column)
}

fn implementations(typed: &str, found: &[DefinitionInfo]) -> Answer {
    let head = match found.is_empty() {
        true => format!("Nothing is known to implement or override {typed}."),
        false => format!("Implementations and overrides of {typed}:"),
    };
    definitions(head, found)
}

fn definitions(head: String, found: &[DefinitionInfo]) -> Answer {
    let mut answer = Answer::new(head);
    for one in found {
        let path = quote::path(&one.path);
        let (first, last) = (one.line, one.end_line);
        let mut piece = Piece::new(quote::file(&format!(
            "{path}:{first}-{last} {} {}",
            one.kind,
            one_line(&one.qualified_name),
        )));
        piece.quote(&line(first, &one.signature, &one.name));
        answer.push(piece.of(quote::source(&path, first, last)));
    }
    answer
}
