//! `context`: the code for a task or question, as lines to work with.

use infiniloom::host::{ContextAnswer, ContextRequest, Format, context_request, no_match_message};
use loom_settings::Settings;
use serde_json::{Value, json};

use super::{Call, Tool, map, partial, place, quote};
use crate::answer::{Answer, Fitted, Piece};
use crate::made::Got;
use crate::one_line::one_line;
use crate::wrong::Wrong;

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
const CODE: f64 = 0.7;
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
    let budget = |settings: &Settings| context_request(settings, String::new()).budget;
    let own = budget(settings);
    (own != budget(&Settings::default())).then_some(own)
}

fn run(call: &Call<'_>) -> Result<Fitted, Wrong> {
    let query = call.arguments.required("query")?;
    if !call.is_indexed() {
        return partial::lines(call, &partial::words(query), &[]);
    }
    let request = ContextRequest {
        budget: (call.limit as f64 * CODE) as usize,
        // As the command tells it to programs: the form with the fewest tokens.
        format: Format::Json,
        below: call.root.with(call.cancel, |live| live.prefix.clone())?,
        hot: places(call, "hot")?,
        pins: places(call, "pin")?,
        // The server asks nobody else: nothing leaves the machine.
        embedder: None,
        ..context_request(&call.root.settings(), query.to_owned())
    };
    let Some((found, is_current)) = found(call, &request)? else {
        return partial::lines(call, &partial::words(query), &[]);
    };
    if found.has_no_match {
        return map::below(&no_match_message(found.files), call);
    }
    let missing = (!found.missing.is_empty()).then(|| {
        let missing = found.missing.iter().map(|name| one_line(name));
        format!("Not here: {}", missing.collect::<Vec<_>>().join(", "))
    });
    let fitted = &found.fitted;
    let shown: usize = fitted.pieces.iter().map(|piece| piece.parts.len()).sum();
    let answer = quoted(&found);
    let stale = (!is_current).then(|| super::STALE.to_owned());
    let changed = changed(&found);
    let is_short = shown < found.selection.parts.len() || changed.is_some();
    let notes: Vec<String> = missing.into_iter().chain(changed).chain(stale).collect();
    Ok(call.fit(
        answer
            .note((!notes.is_empty()).then(|| notes.join(" ")))
            .cut(is_short),
    ))
}

/// Paths and ids as the files have them.
fn places(call: &Call<'_>, name: &str) -> Result<Vec<String>, Wrong> {
    let typed = call.below(call.arguments.list(name)?);
    let known = call.root.with(call.cancel, |live| {
        let known = typed.iter().map(|typed| place::known_id(live, typed));
        known.collect()
    })?;
    Ok(known)
}

/// What fits, and whether it was looked for in the files as they are now. `None` while
/// they are being read.
fn found(
    call: &Call<'_>,
    request: &ContextRequest,
) -> Result<Option<(ContextAnswer, bool)>, Wrong> {
    // What was read may be given back between getting and asking, once.
    for _ in 0..2 {
        let (contexts, is_current) = match call.root.contexts(call.patience(), call.cancel)? {
            Got::Current(contexts) => (contexts, true),
            Got::Earlier(contexts) => (contexts, false),
            Got::Failed(why) => return Err(Wrong(why)),
            Got::Nothing => return Ok(None),
        };
        let run = call
            .root
            .with(call.cancel, |live| live.searcher.begin_run())?;
        if let Some(answer) = contexts.ask(request.clone(), run, call.cancel) {
            return Ok(Some((answer?, is_current)));
        }
        call.root.forget_contexts();
    }
    Ok(None)
}

/// Says what changed while it was looked for: its lines are others by now.
fn changed(found: &ContextAnswer) -> Option<String> {
    let paths = found.changed.iter().take(NAMED).map(quote::path);
    let paths: Vec<String> = paths.collect();
    let more = match found.changed.len() > NAMED {
        true => ", …",
        false => "",
    };
    let told = format!(
        "Left out, since changed a moment ago: {}{more}. Ask again for the newest.",
        paths.join(", ")
    );
    (!paths.is_empty()).then_some(told)
}

fn quoted(found: &ContextAnswer) -> Answer {
    let mut answer = Answer::new("The code for this, best first:")
        .more("Raise max_tokens, or `read` the files.");
    for part in &found.fitted.pieces {
        let path = quote::path(&part.path);
        let (first, last) = (part.first as usize, part.last as usize);
        let mut piece = Piece::new(quote::file(&format!("{path}:{first}-{last}")));
        for (number, text) in (first..).zip(found.text(part).lines()) {
            piece.quote(&quote::line(number, text));
        }
        answer.push(piece.of(quote::source(&path, first, last)));
    }
    answer
}
