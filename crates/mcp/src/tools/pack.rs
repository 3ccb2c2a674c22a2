//! `pack`: whole files in one text, within the budget.

use loom_host::{Compression, Filter, FilterKind, Fit, Format, Level, NoProgress, Packer, Source};
use serde_json::{Value, json};

use super::{Call, Tool};
use crate::answer::{Answer, Fitted};
use crate::arguments::Wrong;

pub(super) const TOOL: Tool = Tool {
    name: "pack",
    about: "Many whole files in one text (Markdown), the most important first, as far as max_tokens allow. \
            Name them with `include` globs such as src/auth/**. For a task `context` is better.",
    arguments,
    required: &[],
    tokens: 8000,
    run,
};

const LEVELS: &[&str] = &["none", "minimal", "balanced", "aggressive", "extreme"];

fn arguments() -> Value {
    json!({
        "include": {"type": "array", "items": {"type": "string"}},
        "exclude": {"type": "array", "items": {"type": "string"}},
        "compress": {"type": "string", "enum": LEVELS},
    })
}

fn run(call: &Call<'_>) -> Result<Fitted, Wrong> {
    let known = &call.root.packer();
    let mut options = known.options().clone();
    for (kind, name) in [
        (FilterKind::Include, "include"),
        (FilterKind::Exclude, "exclude"),
    ] {
        for glob in call.arguments.list(name)? {
            let filter = Filter::new(kind, &glob).map_err(|error| Wrong(error.to_string()))?;
            options.scan.filters.push(filter);
        }
    }
    options.format = Format::Markdown;
    options.template = None;
    options.line_numbers = true;
    let level = call.arguments.choice("compress", LEVELS)?;
    let level = Level::from_name(level).unwrap_or(Level::None);
    options.shorten.how = Compression::at(level);
    options.shorten.fit = Fit::Drop;
    let roots: Vec<_> = known.source().roots().collect();
    let source = Source::open(&roots).map_err(|error| Wrong(error.to_string()))?;
    let packer = Packer::new(source, options);
    let survey = packer.survey(&NoProgress, call.cancel)?;
    let survey = packer.fit(survey, call.limit, &NoProgress, call.cancel)?;
    let mut out = Vec::new();
    packer.write(&survey, &mut out, &NoProgress, call.cancel)?;
    let text = String::from_utf8_lossy(&out).into_owned();
    Ok(Answer::new(text).fit(call.limit, &packer.options().model))
}
