//! `pack`: whole files in one text, within the budget.

use infiniloom::wire::PackFilesInfo;
use infiniloom::{Level, Pack};
use serde_json::{Value, json};

use super::{Call, PATIENCE, Tool, quote};
use crate::answer::{Answer, Fitted, Piece};
use crate::tool_error::ToolError;

pub(super) const TOOL: Tool = Tool {
    name: "pack",
    about: "Many whole files in one text, the most important that fit into the budget. \
            Name them with `paths`: folders, or globs such as src/auth/**. For a task `context` is better.",
    arguments,
    needs: &[],
    missing: "",
    tokens: 8000,
    settled_tokens: |_| None,
    run,
};

/// Files without room that are named.
const NAMED: usize = 8;

fn arguments() -> Value {
    json!({
        "paths": {"type": "array", "items": {"type": "string"}},
        "exclude": {"type": "array", "items": {"type": "string"}},
        "limit": {"type": "integer"},
        "compress": super::levels(),
    })
}

fn run(call: &Call<'_>) -> Result<Fitted, ToolError> {
    let level = super::level(call)?;
    let answer = match selected(call, level)? {
        Some(selected) => quoted(&selected, level),
        None => Answer::new("No file.").partial(
            "there was no time to read all files",
            "ask again in a few seconds, or name fewer with `paths`",
        ),
    };
    Ok(call.fit(answer.most(call.most()?)))
}

/// Tokens of a pack's head that an answer does not have. What is too much is left out when
/// the answer is counted.
const FRAME: usize = 60;

/// The files that fit; `None` if there is no time to read all. Each line counts with its number,
/// as it is shown.
fn selected(call: &Call<'_>, level: Level) -> Result<Option<PackFilesInfo>, ToolError> {
    let snapshot = call.snapshot()?;
    let mut pack = Pack::new().compress(level).budget(call.limit + FRAME);
    for glob in globs(call, "paths")? {
        pack = pack.include(glob);
    }
    for glob in globs(call, "exclude")? {
        pack = pack.exclude(glob);
    }
    let control = call.control().with_timeout(PATIENCE);
    match pack.files(&snapshot, &control) {
        Ok(selected) => Ok(Some(selected)),
        Err(error) if error.code() == "deadline" => Ok(None),
        Err(error) if error.code() == "invalid_glob" => Err(ToolError(error.to_string())),
        Err(error) => Err(error.into()),
    }
}

fn globs(call: &Call<'_>, name: &str) -> Result<Vec<String>, ToolError> {
    let typed = call.below(call.arguments.list(name)?);
    let prefix = &call.root.prefix;
    let is_all = |glob: &String| matches!(glob.as_str(), "" | "." | "./");
    if typed.iter().any(is_all) {
        return Ok(Vec::new());
    }
    let globs = typed.iter().flat_map(|glob| both_ways(glob, prefix));
    Ok(globs.collect())
}

/// A glob from the top of the repository and, where the root lies deeper, from that too.
fn both_ways(glob: &str, prefix: &str) -> Vec<String> {
    let inner = glob.strip_prefix("./").unwrap_or(glob);
    match prefix.is_empty() {
        true => vec![glob.to_owned()],
        false => vec![glob.to_owned(), format!("{prefix}{inner}")],
    }
}

fn quoted(selected: &PackFilesInfo, level: Level) -> Answer {
    let without_room = &selected.over_budget;
    let files = selected.selected;
    let all = files + without_room.len();
    let withheld = withheld(selected);
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
    .more("raise `budget`, name fewer with `paths`, or use `compress`")
    .cut(!without_room.is_empty() || selected.files.len() < files);
    for file in &selected.files {
        let path = quote::path(&file.path);
        let mut piece = Piece::new(quote::file(&format!("{path} ({} lines)", file.total_lines)));
        for line in &file.lines {
            piece.quote(&quote::line(line.line, &line.text));
        }
        answer = answer.cut(level == Level::None && !file.is_whole);
        answer.push(piece.of(quote::source(&path, 1, file.last_line.max(1))));
    }
    let notes = [no_room(without_room), withheld];
    let notes: Vec<String> = notes.into_iter().flatten().collect();
    answer.note((!notes.is_empty()).then(|| notes.join("\n")))
}

/// Names what is there and is not shown for what it is: no text, or too large.
fn withheld(selected: &PackFilesInfo) -> Option<String> {
    let skipped = selected.skipped.iter();
    let skipped: Vec<String> = skipped
        .map(|file| format!("{} ({})", quote::path(&file.path), file.reason))
        .collect();
    let (more, named) = (
        skipped.len().saturating_sub(NAMED),
        skipped.iter().take(NAMED),
    );
    let named = named.map(String::as_str).collect::<Vec<_>>().join(", ");
    let more = match more {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    (!skipped.is_empty()).then(|| format!("Not shown: {named}{more}."))
}

/// Names what has no room.
fn no_room(paths: &[String]) -> Option<String> {
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
    (!paths.is_empty()).then(|| format!("No room for {named}{more}."))
}

#[cfg(test)]
mod tests;
