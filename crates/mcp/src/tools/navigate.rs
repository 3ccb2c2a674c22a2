//! `navigate`: from a name to where it is defined, used, implemented and called.

use loom_host::{Calls, Certainty, Definition, Navigate, SyntaxNavigator, Target, Use};
use serde_json::{Value, json};

use super::{Call, Tool, partial, quote};
use crate::answer::{Answer, Fitted};
use crate::arguments::Wrong;
use crate::root::Live;

pub(super) const TOOL: Tool = Tool {
    name: "navigate",
    about: "Where a symbol is defined, used, implemented or called. `symbol` is a name, a qualified name (Parser.parse, \
            Parser::parse) or FILE:LINE:COL. From the syntax of files: more exact than a text search, still approximate.",
    arguments,
    required: &["symbol"],
    tokens: 2000,
    run,
};

const QUESTIONS: &[&str] = &["def", "refs", "impls", "callers", "callees"];

fn arguments() -> Value {
    json!({
        "symbol": {"type": "string"},
        "what": {"type": "string", "enum": QUESTIONS},
        "depth": {"type": "integer", "description": "Steps of callers or callees"},
    })
}

fn run(call: &Call<'_>) -> Result<Fitted, Wrong> {
    let typed = call.arguments.required("symbol")?;
    let target =
        Target::parse(typed).ok_or_else(|| Wrong(format!("there is no name in {typed:?}")))?;
    let what = call.arguments.choice("what", QUESTIONS)?;
    let depth = call.arguments.number("depth")?.unwrap_or(1).clamp(1, 5);
    if !call.is_indexed() {
        return partial::lines(call, &partial::last_name(typed));
    }
    let answer = call.root.with(call.cancel, |live| {
        answered(live, typed, &target, (what, depth))
    })?;
    Ok(answer.fit(call.limit, &call.root.packer().options().model))
}

fn answered(live: &Live, typed: &str, target: &Target, (what, depth): (&str, usize)) -> Answer {
    let navigator = SyntaxNavigator::new(&live.searcher);
    let found = navigator.definitions(target);
    if found.is_empty() {
        return Answer::new(format!(
            "No definition of {typed:?} is known. Try its last part alone, or `search` for the text."
        ));
    }
    let meant = match target {
        Target::Place { .. } => &found[..1],
        Target::Name(_) => &found,
    };
    let mut answer = match what {
        "def" => definitions(format!("Definitions of {typed}, best first:"), &found),
        "impls" => definitions(
            format!("What implements or overrides {typed}:"),
            &navigator.implementations(meant),
        ),
        "refs" => uses(typed, navigator.references(meant)),
        "callers" => calls(
            &format!("Calls of {typed}"),
            navigator.callers(meant, depth),
        ),
        _ => calls(
            &format!("Calls made by {typed}"),
            navigator.callees(meant, depth),
        ),
    };
    if meant.len() > 1 && what != "def" {
        let places: Vec<String> = meant.iter().take(5).map(place).collect();
        let note = format!(
            "{} definitions have this name ({}): a qualified name or FILE:LINE:COL chooses one.",
            meant.len(),
            places.join(", ")
        );
        answer = answer.note(Some(note));
    }
    answer.more("A qualified name or FILE:LINE:COL narrows it, or raise max_tokens.")
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
        let path = one.place.path.display();
        let from = one
            .from
            .map(|from| format!(" in {from}"))
            .unwrap_or_default();
        let line = one.place.line;
        let piece = format!(
            "{path} ({}{}{from})\n{}",
            mark(one.certainty),
            one.kind,
            quote::line(line, &one.text)
        );
        answer.push(piece, quote::source(&path, line, line));
    }
    answer
}

fn calls(head: &str, found: Calls) -> Answer {
    let calls = found.calls;
    let more = if found.is_cut { " and more" } else { "" };
    let mut answer = Answer::new(format!("{head}, {}{more}:", calls.len()));
    for call in calls {
        let path = call.place.path.display();
        let line = call.place.line;
        let caller = call
            .caller
            .unwrap_or_else(|| "(top of the file)".to_owned());
        let piece = format!(
            "{}{}{caller} → {} in {path}\n{}",
            "  ".repeat(call.step.saturating_sub(1)),
            if call.definitions.is_empty() {
                mark(call.certainty)
            } else {
                ""
            },
            call.callee,
            quote::line(line, &call.text)
        );
        answer.push(piece, quote::source(&path, line, line));
    }
    answer
}

fn mark(certainty: Certainty) -> &'static str {
    match certainty {
        Certainty::Resolved => "",
        Certainty::Possible => "possible ",
    }
}

fn place(one: &Definition) -> String {
    format!(
        "{}:{}:{}",
        one.place.path.display(),
        one.place.line,
        one.place.column
    )
}

fn definitions(head: String, found: &[Definition]) -> Answer {
    let mut answer = Answer::new(head);
    for one in found {
        let path = one.place.path.display();
        let (first, last) = (one.place.line, one.end_line);
        let piece = format!(
            "{path}:{first}-{last} {} {}\n{}",
            one.kind.name(),
            one.qualified,
            quote::line(first, &one.signature)
        );
        answer.push(piece, quote::source(&path, first, last));
    }
    answer
}
