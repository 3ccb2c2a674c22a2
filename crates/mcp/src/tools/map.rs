//! `map`: the overview of a repository.

use std::collections::HashSet;

use infiniloom::wire::{MapDirectory, MapDocumentInfo, MapEntry};
use infiniloom::{Format, Layer, Map, Read, Redactor, Snapshot};
use serde_json::{Value, json};

use super::place::Paths;
use super::scope::Scope;
use super::{Call, Tool, quote};
use crate::answer::{Answer, Fitted, Piece, Quoted, Source};
use crate::one_line::one_line;
use crate::tool_error::ToolError;

pub(super) const TOOL: Tool = Tool {
    name: "map",
    about: "The overview of the repository: what it is, its most important files and symbols with signatures, how modules \
            depend on each other. `query` (a task in words), `mention` (names) and `focus` (paths worked on) bring what belongs to them forward.",
    arguments,
    needs: &[],
    missing: "",
    tokens: 2000,
    settled_tokens: |_| None,
    run,
};

/// Of the tokens, so much is for the map as the engine counts it; the rest for numbers of
/// lines.
const CHOSEN: f64 = 0.85;
/// Factor of the map's tokens if only some paths are wanted.
const NARROW: usize = 10;

fn arguments() -> Value {
    json!({
        "query": {"type": "string"},
        "mention": {"type": "array", "items": {"type": "string"}},
        "focus": {"type": "array", "items": {"type": "string"}},
        "paths": super::paths_schema("Only these files, folders or globs"),
        "limit": {"type": "integer"},
    })
}

fn run(call: &Call<'_>) -> Result<Fitted, ToolError> {
    let newest = call.snapshot()?;
    let (focus, missing) = focused(call, &newest)?;
    let mentions = call.arguments.list("mention")?;
    let query = call.arguments.text("query")?;
    let warm = match call.is_indexed() {
        true => call.warm(Layer::Map)?,
        false => None,
    };
    let Some(warm) = warm else {
        return Ok(call.fit_partial(folders(&call.paths(&newest)?)));
    };
    let files = Scope::new(call, &newest)?.files(call, &newest)?;
    let budget = (call.limit as f64 * CHOSEN) as usize;
    let mut asked = drawable(match files {
        // The rest of the map is dropped.
        Some(_) => budget.saturating_mul(NARROW),
        None => budget,
    });
    for path in focus {
        asked = asked.focus(path);
    }
    for name in mentions {
        asked = asked.mention(name);
    }
    if let Some(query) = query {
        asked = asked.query(query);
    }
    call.check()?;
    let map = asked.document(&warm.snapshot, &call.control())?;
    call.check()?;
    let about = map.description.as_deref();
    let about = match about {
        Some(about) => said_in(call, about)?,
        None => None,
    };
    let map = match files {
        Some(files) => narrowed(map, &files),
        None => map,
    };
    let mut answer = drawn(&map, about, &call.root.repository().redactor());
    if !warm.is_current {
        answer = answer.partial(super::STALE, super::AGAIN);
    }
    Ok(call.fit(answer.note(missing).most(call.most()?)))
}

/// Returns the part of a map about some files.
fn narrowed(mut map: MapDocumentInfo, files: &HashSet<String>) -> MapDocumentInfo {
    map.key_symbols
        .retain(|symbol| files.contains(&symbol.path));
    map.signatures.retain(|entry| files.contains(&entry.path));
    for folder in &mut map.others {
        let path = &folder.path;
        let whole = |name: &str| match path.as_str() {
            "" => name.to_owned(),
            path => format!("{path}/{name}"),
        };
        folder
            .files
            .retain(|file| files.contains(&whole(&file.path)));
    }
    map.others.retain(|folder| !folder.files.is_empty());
    map.edges.clear();
    let others = map.others.iter().map(|folder| folder.files.len());
    let shown = map.signatures.len() + others.sum::<usize>();
    if shown >= files.len() {
        map.files_not_shown = map.files_without_symbols;
    }
    map
}

/// A map that the server draws itself.
fn drawable(budget: usize) -> Map {
    Map::new().budget(budget).format(Format::Plain)
}

/// The beginning of the map below a line, for a query that nothing matches: the line
/// alone while the map is being made.
pub(super) fn below(line: &str, call: &Call<'_>) -> Result<Fitted, ToolError> {
    let limit = call.limit.min(Map::NO_MATCH_BUDGET);
    let mut answer = Answer::new(line);
    if let Some(warm) = call.warm(Layer::Map)?
        && let Ok(mut map) = drawable(limit).document(&warm.snapshot, &call.control())
    {
        map.files_without_symbols = 0;
        answer = drawn(&map, None, &call.root.repository().redactor()).below(line);
    }
    Ok(call.fit_within(answer, limit))
}

/// The map as lines of ours with paths, and quoted lines. Files in no known language have no
/// place on a map, however much room there is.
fn drawn(map: &MapDocumentInfo, about: Option<Source>, redactor: &Redactor) -> Answer {
    let without_symbols = map.files_without_symbols;
    let head = head(map, without_symbols);
    let is_short = |entry: &MapEntry| entry.not_shown > 0;
    let others = || map.others.iter().flat_map(|folder| &folder.files);
    let is_cut = map.files_not_shown > without_symbols
        || map.signatures.iter().chain(others()).any(is_short);
    let mut answer = Answer::new(head)
        .more("raise `budget`, or say with `focus` or `query` what matters")
        .cut(is_cut);
    let quoted = |label: &str, text: &str| {
        let text = redactor.redact(&one_line(text));
        Quoted {
            text: format!("{label}| {text}"),
            is_cut: false,
        }
    };
    if let Some(description) = &map.description {
        let mut piece = Piece::default();
        piece.quote(&quoted("about", description));
        answer.push(about.into_iter().fold(piece, Piece::of));
    }
    for (at, symbol) in map.key_symbols.iter().enumerate() {
        let path = one_line(&symbol.path);
        let head = if at == 0 { "Key symbols:\n" } else { "" };
        let mut piece = Piece::new(format!("{head}{}", quote::file(&path)));
        let line = symbol.line;
        let text = format!("{} {}", symbol.kind, symbol.name);
        piece.quote(&quoted(&line.to_string(), &text));
        answer.push(piece.of(quote::source(&path, line, line)));
    }
    for (at, entry) in map.signatures.iter().enumerate() {
        let head = if at == 0 { "Files:\n" } else { "" };
        answer.push(signatures(head, entry, &quoted));
    }
    for (at, folder) in map.others.iter().enumerate() {
        let head = if at == 0 { "More files:\n" } else { "" };
        answer.push(names(head, folder, &quoted));
    }
    for (at, edge) in map.edges.iter().enumerate() {
        let head = if at == 0 { "Who uses whom:\n" } else { "" };
        let (user, used) = (one_line(&edge.from), one_line(&edge.to));
        let told = quote::named("uses", &format!("{user} → {used}"));
        answer.push(Piece::new(format!("{head}{told}")));
    }
    answer
}

/// How much there is, in which languages.
fn head(map: &MapDocumentInfo, without_symbols: usize) -> String {
    let languages = map.languages.iter().map(String::as_str);
    let languages: Vec<&str> = languages.take(4).collect();
    let others = match without_symbols {
        0 => String::new(),
        some => format!(" and {some} files in no known language, which a map does not show"),
    };
    format!(
        "Map: {} files, {} lines, {}{others}. Lines with a number are where it stands in the file above them.",
        map.files,
        map.lines,
        languages.join(", ")
    )
}

/// The line at the top of the repository that says what it is.
fn said_in(call: &Call<'_>, about: &str) -> Result<Option<Source>, ToolError> {
    let snapshot = call.snapshot()?;
    let beginning: String = about.chars().take(24).collect();
    let paths = snapshot.files(&call.control())?;
    let tops = paths.iter().filter(|path| {
        let name = path.to_lowercase();
        let is_manifest = name.ends_with(".toml") || name.ends_with(".json");
        !name.contains('/') && (is_manifest || name.starts_with("readme"))
    });
    for path in tops {
        let Ok(text) = Read::path(path).run_with(&snapshot, &call.control()) else {
            continue;
        };
        let mut lines = text.lines.iter();
        if let Some(found) = lines.find(|line| line.text.contains(&beginning)) {
            return Ok(Some(quote::source(
                &quote::path(path),
                found.line,
                found.line,
            )));
        }
    }
    Ok(None)
}

type Quote<'q> = &'q dyn Fn(&str, &str) -> Quoted;

/// A file with its signatures.
fn signatures(head: &str, entry: &MapEntry, quoted: Quote<'_>) -> Piece {
    let path = one_line(&entry.path);
    let mut piece = Piece::new(format!("{head}{}", quote::file(&path)));
    for line in &entry.lines {
        let text = format!("{}{}", "  ".repeat(line.depth), line.text);
        let number = line.line;
        piece.quote(&quoted(&number.to_string(), &text));
        piece = piece.of(quote::source(&path, number, number));
    }
    if !entry.names.is_empty() {
        piece.quote(&quoted("also", &entry.names.join(", ")));
    }
    piece.of(Source::file(path))
}

/// Files of a folder with names alone.
fn names(head: &str, directory: &MapDirectory, quoted: Quote<'_>) -> Piece {
    let folder = directory.path.as_str();
    let shown = match folder {
        "" => "./".into(),
        folder => format!("{}/", one_line(folder)),
    };
    let mut piece = Piece::new(format!("{head}{}", quote::named("folder", &shown)));
    for file in &directory.files {
        let told = format!("{}: {}", file.path, file.names.join(", "));
        piece.quote(&quoted("file", told.trim_end_matches(": ")));
        let path = match folder {
            "" => file.path.clone(),
            folder => format!("{folder}/{}", file.path),
        };
        piece = piece.of(Source::file(one_line(&path)));
    }
    piece
}

/// The paths that somebody works on, and what is said of those that are not there. Those
/// of a root within a repository go from the top of that, or from the root.
fn focused(
    call: &Call<'_>,
    snapshot: &Snapshot,
) -> Result<(Vec<String>, Option<String>), ToolError> {
    let typed = call.arguments.list("focus")?;
    let (mut files, mut missing) = (Vec::new(), Vec::new());
    if typed.is_empty() {
        return Ok((files, None));
    }
    let paths = call.paths(snapshot)?;
    for typed in &typed {
        let of_top = snapshot.resolve_path(typed);
        let inner = format!("{}{}", paths.prefix, typed.trim());
        let of_root = || snapshot.resolve_path(&inner);
        let is_there = |path: &String| paths.has(path);
        let known = of_top.clone().filter(is_there);
        let known = known.or_else(|| of_root().filter(is_there));
        if known.is_none() {
            missing.extend(of_top.as_deref().map(quote::path));
        }
        let wrong = || ToolError(format!("{typed:?} is no path below the root"));
        files.push(known.or(of_top).ok_or_else(wrong)?);
    }
    let told = (!missing.is_empty()).then(|| format!("Not here: {}.", missing.join(", ")));
    Ok((files, told))
}

/// What there is before anything is read: folders and how many files they have.
fn folders(paths: &Paths<'_>) -> Answer {
    let mut counts = std::collections::BTreeMap::<String, usize>::new();
    for path in paths.files.iter() {
        let path = quote::path(path);
        let folder = path.rsplit_once('/').map_or(".", |(folder, _)| folder);
        *counts.entry(folder.to_owned()).or_default() += 1;
    }
    let mut counts: Vec<(String, usize)> = counts.into_iter().collect();
    counts.sort_by(|left, right| right.1.cmp(&left.1).then_with(|| left.0.cmp(&right.0)));
    let mut answer = Answer::new("Folders by number of files:").more("ask again for the map");
    for (folder, files) in counts {
        let piece = Piece::new(quote::named("folder", &format!("{folder}: {files}")));
        answer.push(piece.of(Source::file(folder)));
    }
    answer
}

#[cfg(test)]
mod tests;
