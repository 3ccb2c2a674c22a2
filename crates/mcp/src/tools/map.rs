//! `map`: the overview of a repository.

use std::path::Path;

use loom_host::{Focus, MapFormat, MapRequest, RepoPath, count};
use serde_json::{Value, json};

use super::{Call, Tool};
use crate::answer::{Answer, Fitted};
use crate::arguments::Wrong;
use crate::made::Got;

pub(super) const TOOL: Tool = Tool {
    name: "map",
    about: "The overview of the repository: what it is, its most important files and symbols with signatures, how modules \
            depend on each other. `query` (a task in words), `mention` (names) and `focus` (paths worked on) bring what belongs to them forward.",
    arguments,
    required: &[],
    tokens: 2000,
    run,
};

fn arguments() -> Value {
    json!({
        "query": {"type": "string"},
        "mention": {"type": "array", "items": {"type": "string"}},
        "focus": {"type": "array", "items": {"type": "string"}},
    })
}

fn run(call: &Call<'_>) -> Result<Fitted, Wrong> {
    let packer = &call.root.packer();
    let path = |path: String| {
        let top = packer.source().roots().next().unwrap_or(Path::new("/"));
        let found = packer.focus_path(&path, top);
        found.ok_or_else(|| Wrong(format!("{path:?} is no path below the root")))
    };
    let files: Result<_, _> = call
        .arguments
        .list("focus")?
        .into_iter()
        .map(path)
        .collect();
    let focus = Focus {
        files: files?,
        mentions: call.arguments.list("mention")?,
        query: call.arguments.text("query")?.map(str::to_owned),
    };
    let packer = call.root.packer();
    let model = &packer.options().model;
    let got = match call.is_indexed() {
        true => call.root.map(call.patience(), call.cancel)?,
        false => Got::Nothing,
    };
    let missing = not_there(call, &focus.files)?;
    let (repository, stale) = match got {
        Got::Current(repository) => (repository, None),
        Got::Earlier(repository) => (repository, Some(super::STALE.to_owned())),
        Got::Nothing => {
            let answer = call
                .root
                .with(call.cancel, |live| folders(live.searcher.paths()))?;
            let note = Some(call.told_partial());
            return Ok(answer.note(note).fit(call.limit, model));
        }
    };
    let notes: Vec<String> = missing.into_iter().chain(stale).collect();
    let note = (!notes.is_empty()).then(|| notes.join(" "));
    // What is said besides has to fit too.
    let said = note
        .as_ref()
        .map_or(0, |note| count(note, model).upper() + 2);
    let request = MapRequest {
        budget: call.limit.saturating_sub(said),
        format: MapFormat::Markdown,
        focus,
        ..MapRequest::default()
    };
    let filled = packer.map(&repository, &request)?;
    Ok(Answer::new(filled.text).note(note).fit(call.limit, model))
}

/// Says which of the paths that somebody works on are not there.
fn not_there(call: &Call<'_>, files: &[RepoPath]) -> Result<Option<String>, Wrong> {
    let missing = call.root.with(call.cancel, |live| {
        let known = |file: &RepoPath| {
            live.searcher
                .paths()
                .any(|path| path == file || path.starts_with(file))
        };
        let missing = files.iter().filter(|file| !known(file));
        missing
            .map(|file| file.display().into_owned())
            .collect::<Vec<_>>()
    })?;
    Ok((!missing.is_empty()).then(|| format!("Not here: {}.", missing.join(", "))))
}

/// What there is before anything is read: folders and how many files they have.
fn folders<'p>(paths: impl Iterator<Item = &'p RepoPath>) -> Answer {
    let mut counts = std::collections::BTreeMap::<String, usize>::new();
    for path in paths {
        let path = path.display();
        let folder = path.rsplit_once('/').map_or(".", |(folder, _)| folder);
        *counts.entry(folder.to_owned()).or_default() += 1;
    }
    let mut counts: Vec<(String, usize)> = counts.into_iter().collect();
    counts.sort_by(|left, right| right.1.cmp(&left.1).then_with(|| left.0.cmp(&right.0)));
    let mut answer = Answer::new("Folders by number of files:").more("Ask again for the map.");
    for (folder, files) in counts {
        answer.push(format!("{folder}: {files}"), None);
    }
    answer
}
