//! `pack`: whole files in one text, within the budget.

use loom_host::{
    Compression, Filter, FilterKind, Fit, Format, Level, NoProgress, Packer, Reason, RepoPath,
    Source, Survey,
};
use serde_json::{Value, json};

use super::{Call, Tool, quote};
use crate::answer::{Answer, Fitted, Piece};
use crate::arguments::Wrong;
use crate::root::Live;

pub(super) const TOOL: Tool = Tool {
    name: "pack",
    about: "Many whole files in one text, the most important that fit into max_tokens. \
            Name them with `include` globs such as src/auth/**. For a task `context` is better.",
    arguments,
    required: &[],
    tokens: 8000,
    settled_tokens: |_| None,
    run,
};

/// Files without room that are named.
const NAMED: usize = 8;

fn arguments() -> Value {
    json!({
        "include": {"type": "array", "items": {"type": "string"}},
        "exclude": {"type": "array", "items": {"type": "string"}},
        "compress": super::levels(),
    })
}

fn run(call: &Call<'_>) -> Result<Fitted, Wrong> {
    let level = super::level(call)?;
    let survey = surveyed(call, level)?;
    let answer = call
        .root
        .with(call.cancel, |live| quoted(live, &survey, level))?;
    Ok(call.fit(answer))
}

/// The files that fit. Each line counts with its number, as it is shown.
fn surveyed(call: &Call<'_>, level: Level) -> Result<Survey, Wrong> {
    let known = &call.root.packer();
    let mut options = known.options().clone();
    for (kind, name) in [
        (FilterKind::Include, "include"),
        (FilterKind::Exclude, "exclude"),
    ] {
        for glob in call.below(call.arguments.list(name)?) {
            let filter = Filter::new(kind, &glob).map_err(|error| Wrong(error.to_string()))?;
            options.scan.filters.push(filter);
        }
    }
    options.format = Format::Markdown;
    options.template = None;
    options.line_numbers = true;
    options.shorten.how = Compression::at(level);
    options.shorten.fit = Fit::Drop;
    // The folder that is served, not the repository that it lies in.
    let root = [call.root.path()];
    let source = Source::open(&root).map_err(|error| Wrong(error.to_string()))?;
    let packer = Packer::new(source, options);
    let survey = packer.survey(&NoProgress, call.cancel)?;
    Ok(packer.fit(survey, call.limit, &NoProgress, call.cancel)?)
}

fn quoted(live: &Live, survey: &Survey, level: Level) -> Answer {
    let without_room: Vec<&RepoPath> = survey
        .left_out
        .iter()
        .filter(|left| left.reason == Reason::OverBudget)
        .map(|left| &left.path)
        .collect();
    let files = survey.files().len();
    let all = files + without_room.len();
    let mut answer = Answer::new(match (files, without_room.is_empty()) {
        (0, true) => {
            "No file is at these paths: `map` shows what there is, and `**` stands for any folders."
                .to_owned()
        }
        (0, false) => format!("None of {all} files fits."),
        (1, true) => "1 file:".to_owned(),
        (_, true) => format!("{files} files:"),
        (_, false) => format!("{files} of {all} files, the most important that fit:"),
    })
    .more("Raise max_tokens, name fewer with `include`, or use `compress`.")
    .cut(!without_room.is_empty());
    for file in survey.files() {
        let path = quote::path(&file.path);
        let Some(shown) = live.searcher.shown_text(&file.path.display(), level) else {
            answer = answer.cut(true);
            continue;
        };
        let mut piece = Piece::new(quote::file(&format!("{path} ({} lines)", shown.total)));
        // Of a file that does not fit as a whole, only its beginning was taken.
        let last = file.first_line + file.lines.max(1) - 1;
        let is_whole = level != Level::None || last >= shown.total;
        for (number, text) in &shown.lines {
            if is_whole || *number <= last {
                piece.quote(&quote::line(*number, text));
            }
        }
        let last = if is_whole { shown.total } else { last };
        answer = answer.cut(!is_whole);
        answer.push(piece.of(quote::source(&path, 1, last.max(1))));
    }
    answer.note(no_room(&without_room))
}

/// Names what has no room.
fn no_room(paths: &[&RepoPath]) -> Option<String> {
    let named: Vec<String> = paths
        .iter()
        .take(NAMED)
        .map(|path| quote::path(path))
        .collect();
    let more = match paths.len() > NAMED {
        true => format!(" and {} more", paths.len() - NAMED),
        false => String::new(),
    };
    let named = named.join(", ");
    (!paths.is_empty()).then(|| {
        format!("No room for {named}{more}: raise max_tokens, name fewer with `include`, or use `compress`.")
    })
}
