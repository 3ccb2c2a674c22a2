//! `context`: the code for a task or question, as lines to work with.

use std::collections::BTreeSet;

use infiniloom::wire::ContextInfo;
use infiniloom::{Context, Format, Infiniloom, Layer, Search, Settings, Snapshot};
use serde_json::{Value, json};

use super::numbers::Numbers;
use super::scope::Scope;
use super::{Call, Tool, map, partial, quote};
use crate::answer::{Answer, Fitted, Piece};
use crate::one_line::one_line;
use crate::tool_error::ToolError;

pub(super) const TOOL: Tool = Tool {
    name: "context",
    about: "Begin here with a task, issue, error or question in words: shows the code that belongs to it, best first, \
            inside the budget. Give the whole text of an issue, with its stack trace. `hot` are files being edited, `pin` what must be shown.",
    arguments,
    needs: &["query"],
    missing: "`query` is missing: the task, issue or question in words",
    tokens: 8000,
    settled_tokens,
    run,
};

/// Of the tokens, so much is for the code itself; the rest for numbers of lines, and for
/// what data takes more than text.
const CODE: f64 = 0.8;
/// Factor of the selected code if only some paths are wanted.
const NARROW: usize = 10;
/// Files that changed and are named.
const NAMED: usize = 5;

fn arguments() -> Value {
    json!({
        "query": {"type": "string"},
        "hot": {"type": "array", "items": {"type": "string"}},
        "pin": {"type": "array", "items": {"type": "string"}},
        "paths": super::paths_schema("Only these files, folders or globs"),
        "limit": {"type": "integer"},
        "numbers": super::numbers::schema(),
    })
}

/// The tokens that the user's settings say, where they say others than usual.
fn settled_tokens(settings: &Settings) -> Option<usize> {
    let own = Context::budget_of(settings);
    (own != Context::budget_of(&Infiniloom::new().settings())).then_some(own)
}

fn run(call: &Call<'_>) -> Result<Fitted, ToolError> {
    let query = call.arguments.required("query")?;
    let partial = || {
        let scope = Scope::new(call, &call.snapshot()?)?;
        partial::lines(call, &Search::particular_words(query), &scope)
    };
    if !call.is_indexed() {
        return partial();
    }
    let Some(warm) = call.warm(Layer::Context)? else {
        return partial();
    };
    let newest = call.snapshot()?;
    let files = Scope::new(call, &newest)?.files(call, &newest)?;
    let found = asked(call, query, &warm.snapshot, files.is_some())?;
    let has_code = |code: &str| found.notices.iter().find(|notice| notice.code == code);
    if let Some(notice) = has_code("no_match") {
        return map::below(&notice.message, call);
    }
    let mut answer = quoted(call, &found, &warm.snapshot)?;
    if let Some(files) = files {
        answer = answer.within(|path| files.contains(path));
        if answer.is_empty() {
            return map::below("nothing in `paths` matches the query", call);
        }
    }
    answer = answer.cut(found.truncated);
    if let Some(changed) = changed(&found) {
        answer = answer.partial(changed, super::AGAIN);
    }
    if !warm.is_current {
        answer = answer.partial(super::STALE, super::AGAIN);
    }
    let weak = has_code("weak_match").map(|notice| format!("{}.", notice.message));
    let notes: Vec<String> = weak.into_iter().chain(missing(&found)).collect();
    let answer = answer.note((!notes.is_empty()).then(|| notes.join(" ")));
    Ok(call.fit(answer.most(call.most()?)))
}

/// Selects the code that fits. For some paths it selects more, of which the rest is dropped.
fn asked(
    call: &Call<'_>,
    query: &str,
    snapshot: &Snapshot,
    is_narrow: bool,
) -> Result<ContextInfo, ToolError> {
    let paths = call.paths(&call.snapshot()?)?;
    let known = |name: &str| -> Result<Vec<String>, ToolError> {
        let typed = call.below(call.arguments.list(name)?);
        Ok(typed.iter().map(|typed| paths.known_id(typed)).collect())
    };
    // The budget of the call does not contain the reserve.
    let reserve = Context::reserve_of(&snapshot.settings());
    let budget = (call.limit as f64 * CODE) as usize;
    let budget = match is_narrow {
        true => budget.saturating_mul(NARROW),
        false => budget,
    };
    let budget = budget.saturating_add(reserve);
    let mut context = Context::new(query)
        .budget(budget)
        // As the command tells it to programs: the form with the fewest tokens.
        .format(Format::Json)
        .below(&call.root.prefix)
        .optional_pins(true)
        .map_without_match(false);
    for hot in known("hot")? {
        context = context.hot(hot);
    }
    for pin in known("pin")? {
        context = context.pin(pin);
    }
    Ok(context.run_with(snapshot, &call.control())?)
}

/// Says what was named and is not there.
fn missing(found: &ContextInfo) -> Option<String> {
    let notices = found.notices.iter();
    let missing = notices.filter(|notice| notice.code == "no_such_path");
    let missing = missing.filter_map(|notice| notice.path.as_deref());
    let missing: Vec<_> = missing.map(one_line).collect();
    (!missing.is_empty()).then(|| format!("Not here: {}", missing.join(", ")))
}

/// Says what changed while it was looked for: its lines are others by now.
fn changed(found: &ContextInfo) -> Option<String> {
    let notices = found.notices.iter();
    let all = notices.filter(|notice| notice.code == "changed");
    let all: Vec<&str> = all.filter_map(|notice| notice.path.as_deref()).collect();
    let paths = all.iter().take(NAMED).map(|path| quote::path(path));
    let paths: Vec<String> = paths.collect();
    let more = match all.len() > NAMED {
        true => ", …",
        false => "",
    };
    let told = format!(
        "left out, since changed a moment ago: {}{more}",
        paths.join(", ")
    );
    (!paths.is_empty()).then_some(told)
}

fn quoted(call: &Call<'_>, found: &ContextInfo, snapshot: &Snapshot) -> Result<Answer, ToolError> {
    let numbers = call.numbers()?;
    let mut answer =
        Answer::new("The code for this, best first:").more("raise `budget`, or `read` the files");
    for part in &found.pieces {
        let whole = format!("{}{}", call.root.prefix, part.path);
        let path = quote::path(&whole);
        let (first, last) = (part.start_line, part.end_line);
        let mut piece = Piece::new(quote::file(&format!("{path}:{first}-{last}")));
        let symbols: BTreeSet<usize> = match numbers {
            Numbers::Some => {
                let symbols = quote::symbols(call, snapshot, &whole).into_iter();
                symbols.map(|(line, _)| line).collect()
            }
            _ => BTreeSet::new(),
        };
        for (number, text) in (first..).zip(part.text.lines()) {
            let is_marked = number == first || symbols.contains(&number);
            piece.quote(&numbers.apply(quote::line(number, text), number, is_marked));
        }
        answer.push(piece.of(quote::source(&path, first, last)));
    }
    Ok(answer)
}
