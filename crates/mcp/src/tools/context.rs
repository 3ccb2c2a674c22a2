//! `context`: the code for a task or question, as lines to work with.

use infiniloom::wire::ContextInfo;
use infiniloom::{Context, Format, Infiniloom, Layer, Search, Settings, Snapshot};
use serde_json::{Value, json};

use super::{Call, Tool, map, partial, quote};
use crate::answer::{Answer, Fitted, Piece};
use crate::one_line::one_line;
use crate::tool_error::ToolError;

pub(super) const TOOL: Tool = Tool {
    name: "context",
    about: "Begin here with a task, issue, error or question in words: shows the code that belongs to it, best first, \
            inside max_tokens. Give the whole text of an issue, with its stack trace. `hot` are files being edited, `pin` what must be shown.",
    arguments,
    required: &["query"],
    tokens: 8000,
    settled_tokens,
    run,
};

/// Of the tokens, so much is for the code itself; the rest for numbers of lines, and for
/// what data takes more than text.
const CODE: f64 = 0.8;
/// Files that changed and are named.
const NAMED: usize = 5;

fn arguments() -> Value {
    json!({
        "query": {"type": "string"},
        "hot": {"type": "array", "items": {"type": "string"}},
        "pin": {"type": "array", "items": {"type": "string"}},
    })
}

/// The tokens that the user's settings say, where they say others than usual.
fn settled_tokens(settings: &Settings) -> Option<usize> {
    let own = Context::budget_of(settings);
    (own != Context::budget_of(&Infiniloom::new().settings())).then_some(own)
}

fn run(call: &Call<'_>) -> Result<Fitted, ToolError> {
    let query = call.arguments.required("query")?;
    if !call.is_indexed() {
        return partial::lines(call, &Search::particular_words(query), &[]);
    }
    let Some(warm) = call.warm(Layer::Context)? else {
        return partial::lines(call, &Search::particular_words(query), &[]);
    };
    let found = asked(call, query, &warm.snapshot)?;
    let has_code = |code: &str| found.notices.iter().find(|notice| notice.code == code);
    if let Some(notice) = has_code("no_match") {
        return map::below(&notice.message, call);
    }
    let weak = has_code("weak_match").map(|notice| format!("{}.", notice.message));
    let missing = missing(&found);
    let answer = quoted(call, &found);
    let stale = (!warm.is_current).then(|| super::STALE.to_owned());
    let changed = changed(&found);
    let is_short = found.truncated || changed.is_some();
    let notes = weak.into_iter().chain(missing).chain(changed).chain(stale);
    let notes: Vec<String> = notes.collect();
    Ok(call.fit(
        answer
            .note((!notes.is_empty()).then(|| notes.join(" ")))
            .cut(is_short),
    ))
}

/// What fits.
fn asked(call: &Call<'_>, query: &str, snapshot: &Snapshot) -> Result<ContextInfo, ToolError> {
    let paths = call.paths(&call.snapshot()?)?;
    let known = |name: &str| -> Result<Vec<String>, ToolError> {
        let typed = call.below(call.arguments.list(name)?);
        Ok(typed.iter().map(|typed| paths.known_id(typed)).collect())
    };
    // `max_tokens` is for the answer alone.
    let reserve = Context::reserve_of(&snapshot.settings());
    let budget = ((call.limit as f64 * CODE) as usize).saturating_add(reserve);
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
        "Left out, since changed a moment ago: {}{more}. Ask again for the newest.",
        paths.join(", ")
    );
    (!paths.is_empty()).then_some(told)
}

fn quoted(call: &Call<'_>, found: &ContextInfo) -> Answer {
    let mut answer = Answer::new("The code for this, best first:")
        .more("Raise max_tokens, or `read` the files.");
    for part in &found.pieces {
        let path = quote::path(&format!("{}{}", call.root.prefix, part.path));
        let (first, last) = (part.start_line, part.end_line);
        let mut piece = Piece::new(quote::file(&format!("{path}:{first}-{last}")));
        for (number, text) in (first..).zip(part.text.lines()) {
            piece.quote(&quote::line(number, text));
        }
        answer.push(piece.of(quote::source(&path, first, last)));
    }
    answer
}
