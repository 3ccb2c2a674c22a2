//! `context`: the code for a task or question, as lines to work with.

use std::collections::HashMap;

use loom_host::{ContextAnswer, ContextRequest, ContextWeights, Format, Level};
use serde_json::{Value, json};

use super::{Call, Tool, partial, quote};
use crate::answer::{Answer, Fitted};
use crate::arguments::Wrong;
use crate::made::Got;
use crate::root::Live;

pub(super) const TOOL: Tool = Tool {
    name: "context",
    about: "Begin here with a task, issue, error or question in words: shows the code that belongs to it, best first, \
            inside max_tokens. Give the whole text of an issue, with its stack trace. `hot` are files being edited, `pin` what must be shown.",
    arguments,
    required: &["query"],
    tokens: 8000,
    run,
};

/// Of the tokens, so much is for the code itself; the rest for numbers of lines.
const CODE: f64 = 0.8;

fn arguments() -> Value {
    json!({
        "query": {"type": "string"},
        "hot": {"type": "array", "items": {"type": "string"}},
        "pin": {"type": "array", "items": {"type": "string"}},
    })
}

fn run(call: &Call<'_>) -> Result<Fitted, Wrong> {
    let query = call.arguments.required("query")?;
    if !call.is_indexed() {
        return partial::lines(call, &partial::words(query));
    }
    let request = ContextRequest {
        query: query.to_owned(),
        budget: (call.limit as f64 * CODE) as usize,
        format: Format::Plain,
        weights: ContextWeights::default(),
        hot: call.arguments.list("hot")?,
        previous: Vec::new(),
        embedder: None,
        pins: call.arguments.list("pin")?,
        top: None,
        threshold: f64::NEG_INFINITY,
    };
    let Some((found, is_current)) = found(call, &request)? else {
        return partial::lines(call, &partial::words(query));
    };
    let missing =
        (!found.missing.is_empty()).then(|| format!("Not here: {}", found.missing.join(", ")));
    let pieces: Vec<(String, usize, usize)> = found
        .fitted
        .pieces
        .iter()
        .map(|piece| {
            let path = piece.path.display().into_owned();
            (path, piece.first as usize, piece.last as usize)
        })
        .collect();
    let answer = call.root.with(call.cancel, |live| quoted(live, &pieces))?;
    let stale = (!is_current).then(|| super::STALE.to_owned());
    let notes: Vec<String> = missing.into_iter().chain(stale).collect();
    Ok(answer
        .note((!notes.is_empty()).then(|| notes.join(" ")))
        .fit(call.limit, &call.root.packer().options().model))
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
            Got::Nothing => return Ok(None),
        };
        if let Some(answer) = contexts.ask(request.clone(), call.cancel) {
            return Ok(Some((answer?, is_current)));
        }
        call.root.forget_contexts();
    }
    Ok(None)
}

fn quoted(live: &Live, pieces: &[(String, usize, usize)]) -> Answer {
    let mut answer = Answer::new("The code for this, best first:")
        .more("Raise max_tokens, or `read` the files.");
    let mut texts = HashMap::new();
    for (path, first, last) in pieces {
        let shown = texts
            .entry(path)
            .or_insert_with(|| live.searcher.shown_text(path, Level::None));
        let Some(shown) = shown else {
            continue;
        };
        let mut piece = format!("{path}:{first}-{last}");
        for (number, text) in &shown.lines {
            if (first..=last).contains(&number) {
                piece.push('\n');
                piece.push_str(&quote::line(*number, text));
            }
        }
        answer.push(piece, quote::source(path, *first, *last));
    }
    answer
}
