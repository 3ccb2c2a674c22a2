//! `pack`: whole files in one text, within the budget.

use infiniloom::host::{
    Compression, Filter, FilterKind, Fit, Format, Level, NoProgress, Reason, RepoPath,
    SecretNumbers, Survey,
};
use serde_json::{Value, json};

use super::{Call, Tool, quote};
use crate::answer::{Answer, Fitted, Piece};
use crate::root::Live;
use crate::wrong::Wrong;

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
    let answer = call.root.with(call.cancel, |live| {
        let survey = surveyed(call, live, level)?;
        Ok(quoted(live, &survey, level))
    })?;
    answer.map(|answer| call.fit(answer))
}

/// Tokens of a pack's head that an answer does not have. What is too much is left out when
/// the answer is counted.
const FRAME: usize = 60;

/// The files that fit. Each line counts with its number, as it is shown.
fn surveyed(call: &Call<'_>, live: &Live, level: Level) -> Result<Survey, Wrong> {
    let known = live.searcher.packer();
    let mut options = known.options().clone();
    // The form with the least around a file: the answer has as little.
    options.format = Format::Compact;
    options.template = None;
    options.line_numbers = true;
    options.shorten.how = Compression::at(level);
    options.shorten.fit = Fit::Drop;
    let packer = known.with_options(options);
    let filters = filters(call, &live.prefix)?;
    let is_include = |filter: &Filter| filter.kind() == FilterKind::Include;
    let is_wanted = |path: &RepoPath| {
        let mut last_first = filters.iter().rev();
        let decides = last_first.find(|filter| filter.covers(path));
        decides.map_or_else(|| !filters.iter().any(is_include), is_include)
    };
    let survey = packer.survey_among(&live.searcher, is_wanted, call.cancel)?;
    Ok(packer.fit(survey, call.limit + FRAME, &NoProgress, call.cancel)?)
}

/// What the call says is wanted, and what is not.
fn filters(call: &Call<'_>, prefix: &str) -> Result<Vec<Filter>, Wrong> {
    let mut filters = Vec::new();
    for (kind, name) in [
        (FilterKind::Include, "include"),
        (FilterKind::Exclude, "exclude"),
    ] {
        for glob in call.below(call.arguments.list(name)?) {
            for glob in both_ways(&glob, prefix) {
                let filter = Filter::new(kind, &glob);
                filters.push(filter.map_err(|error| Wrong(error.to_string()))?);
            }
        }
    }
    Ok(filters)
}

/// A glob from the top of the repository and, where the root lies deeper, from that too.
fn both_ways(glob: &str, prefix: &str) -> Vec<String> {
    let inner = glob.strip_prefix("./").unwrap_or(glob);
    match prefix.is_empty() {
        true => vec![glob.to_owned()],
        false => vec![glob.to_owned(), format!("{prefix}{inner}")],
    }
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
    let withheld = withheld(survey);
    let mut answer = Answer::new(match (files, without_room.is_empty()) {
        (0, true) if withheld.is_some() => "No text is at these paths.".to_owned(),
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
    let mut numbers = SecretNumbers::default();
    for file in survey.files() {
        let path = quote::path(&file.path);
        let typed = file.path.display();
        let Some(shown) = live.searcher.shown_text(&typed, level, &mut numbers) else {
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
    let notes = [no_room(&without_room), withheld];
    let notes: Vec<String> = notes.into_iter().flatten().collect();
    answer.note((!notes.is_empty()).then(|| notes.join("\n")))
}

/// Names what is there and is not shown for what it is: no text, or too large.
fn withheld(survey: &Survey) -> Option<String> {
    let is_meant = |reason: &Reason| *reason != Reason::OverBudget;
    let left_out = survey.left_out.iter().filter(|left| is_meant(&left.reason));
    let left_out: Vec<String> = left_out
        .map(|left| format!("{} ({})", quote::path(&left.path), left.reason))
        .collect();
    let (more, named) = (
        left_out.len().saturating_sub(NAMED),
        left_out.iter().take(NAMED),
    );
    let named = named.map(String::as_str).collect::<Vec<_>>().join(", ");
    let more = match more {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    (!left_out.is_empty()).then(|| format!("Not shown: {named}{more}."))
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
