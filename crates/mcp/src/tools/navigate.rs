//! `navigate`: from a name to where it is defined, used, implemented and called.

use infiniloom::host::{Calls, Certainty, CodePlace, Definition, Navigate, Use};
use serde_json::{Value, json};

use super::place::{self, Meant};
use super::{Call, Tool, partial, quote};
use crate::answer::{Answer, Fitted, Piece, Quoted};
use crate::one_line::one_line;
use crate::root::Live;
use crate::wrong::Wrong;

pub(super) const TOOL: Tool = Tool {
    name: "navigate",
    about: "Where a symbol is defined, used, implemented or called. `symbol` is a name, a qualified name (Parser.parse, \
            Parser::parse), FILE:LINE:COL or an id of an answer. From the syntax of files: more exact than a text search, still approximate.",
    arguments,
    required: &["symbol"],
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
    })
}

fn run(call: &Call<'_>) -> Result<Fitted, Wrong> {
    let typed = call.arguments.required("symbol")?;
    let what = call.arguments.choice("what", QUESTIONS)?;
    let depth = call.arguments.number("depth")?.unwrap_or(1).clamp(1, 5);
    if !call.is_indexed() {
        return partial::lines(call, &partial::last_name(typed), &[]);
    }
    let answer = call
        .root
        .with(call.cancel, |live| answered(call, live, typed, what, depth))??;
    Ok(call.fit(answer))
}

fn answered(
    call: &Call<'_>,
    live: &Live,
    typed: &str,
    what: &str,
    depth: usize,
) -> Result<Answer, Wrong> {
    let (meant, is_first) = place::definitions(call, live, typed)?;
    let (found, is_chosen) = match meant {
        Meant::Nothing => return Err(Wrong(format!("there is no name in {typed:?}"))),
        Meant::Named(found) => (found, false),
        Meant::Chosen(found) => (found, true),
    };
    if found.is_empty() {
        let answer = Answer::new(match is_first {
            true => format!(
                "There was no time to find a definition of {typed:?}. Give its FILE:LINE, or `search` for the text."
            ),
            false => format!(
                "No definition of {typed:?} is known. Try its last part alone, or `search` for the text."
            ),
        });
        return Ok(hasty(answer, is_first, Vec::new()));
    }
    let navigator = live.navigator(call.cancel).within(call.time_left());
    let meant = if is_chosen { &found[..1] } else { &found };
    let typed = one_line(typed);
    let mut answer = match what {
        "def" => definitions(format!("Definitions of {typed}, best first:"), &found),
        "impls" => definitions(
            format!("What implements or overrides {typed}:"),
            &navigator.implementations(meant),
        ),
        "refs" => uses(&typed, navigator.references(meant)),
        "callers" => calls(
            &format!("Calls of {typed}"),
            navigator.callers(meant, depth),
        ),
        _ => calls(
            &format!("Calls made by {typed}"),
            navigator.callees(meant, depth),
        ),
    };
    // What was found until a stop is not all.
    call.check()?;
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
    let is_cut = is_first || navigator.is_cut();
    answer = answer.more("A qualified name or FILE:LINE:COL narrows it, or raise max_tokens.");
    Ok(hasty(answer, is_cut, notes))
}

/// An answer that says whether there was time for all of it.
fn hasty(answer: Answer, is_cut: bool, mut notes: Vec<String>) -> Answer {
    if is_cut {
        notes.push(place::HASTY.to_owned());
    }
    let notes = (!notes.is_empty()).then(|| notes.join("\n"));
    answer.note(notes).cut(is_cut)
}

fn uses(typed: &str, uses: Vec<Use>) -> Answer {
    let sure = uses
        .iter()
        .filter(|one| one.certainty == Certainty::Resolved);
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
        let from = one.from.map(|from| format!(" in {}", one_line(&from)));
        let head = |path: &str| {
            let from = from.unwrap_or_default();
            quote::file(&format!(
                "{path} ({}{}{from})",
                mark(one.certainty),
                one.kind
            ))
        };
        answer.push(shown(&one.place, &one.name, &one.text, head));
    }
    answer
}

fn calls(head: &str, found: Calls) -> Answer {
    let calls = found.calls;
    let more = if found.is_cut { " and more" } else { "" };
    let mut answer = Answer::new(format!("{head}, {}{more}:", calls.len())).cut(found.is_cut);
    for call in calls {
        let caller = call
            .caller
            .unwrap_or_else(|| "(top of the file)".to_owned());
        let doubt = match call.definitions.is_empty() {
            true => mark(call.certainty),
            false => "",
        };
        let head = |path: &str| {
            let told = format!(
                "{doubt}{} → {} in {path}",
                one_line(&caller),
                one_line(&call.callee),
            );
            let step = "  ".repeat(call.step.saturating_sub(1));
            format!("{step}{}", quote::named("call", &told))
        };
        let name = call.callee.rsplit(['.', ':', '#']).next();
        answer.push(shown(
            &call.place,
            name.unwrap_or_default(),
            &call.text,
            head,
        ));
    }
    answer
}

/// The line of a place, under a line of ours that has its path.
fn shown(place: &CodePlace, name: &str, text: &str, head: impl FnOnce(&str) -> String) -> Piece {
    let path = quote::path(&place.path);
    let mut piece = Piece::new(head(&path));
    piece.quote(&line(place.line, text, name));
    piece.of(quote::source(&path, place.line, place.line))
}

/// A line with the name that it is shown for. One that was cut already says so by its
/// ends.
fn line(number: usize, text: &str, name: &str) -> Quoted {
    let at = text.find(name).map(|at| at..at + name.len());
    let mut quoted = quote::line_with(number, text, at.as_ref());
    quoted.is_cut |= text.starts_with('…') || text.ends_with('…');
    quoted
}

fn mark(certainty: Certainty) -> &'static str {
    match certainty {
        Certainty::Resolved => "",
        Certainty::Possible => "possible ",
    }
}

fn place_of(one: &Definition) -> String {
    let path = quote::path(&one.place.path);
    format!("{path}:{}:{}", one.place.line, one.place.column)
}

fn definitions(head: String, found: &[Definition]) -> Answer {
    let mut answer = Answer::new(head);
    for one in found {
        let path = quote::path(&one.place.path);
        let (first, last) = (one.place.line, one.end_line);
        let mut piece = Piece::new(quote::file(&format!(
            "{path}:{first}-{last} {} {}",
            one.kind.name(),
            one_line(&one.qualified),
        )));
        piece.quote(&line(first, &one.signature, &one.name));
        answer.push(piece.of(quote::source(&path, first, last)));
    }
    answer
}
