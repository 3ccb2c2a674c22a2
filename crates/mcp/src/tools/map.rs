//! `map`: the overview of a repository.

use std::path::Path;

use infiniloom::host::{
    FileEntry, Focus, Level, MapDocument, MapFormat, MapRequest, NO_MATCH_MAP_TOKENS, Packer,
    RepoPath, SecretNumbers, SecretsOptions,
};
use serde_json::{Value, json};

use super::{Call, Tool, quote};
use crate::answer::{Answer, Fitted, Piece, Quoted, Source, cleaned};
use crate::made::Got;
use crate::one_line::one_line;
use crate::root::Live;
use crate::wrong::Wrong;

pub(super) const TOOL: Tool = Tool {
    name: "map",
    about: "The overview of the repository: what it is, its most important files and symbols with signatures, how modules \
            depend on each other. `query` (a task in words), `mention` (names) and `focus` (paths worked on) bring what belongs to them forward.",
    arguments,
    required: &[],
    tokens: 2000,
    settled_tokens: |_| None,
    run,
};

/// Of the tokens, so much is for the map as the engine counts it; the rest for numbers of
/// lines.
const CHOSEN: f64 = 0.85;

fn arguments() -> Value {
    json!({
        "query": {"type": "string"},
        "mention": {"type": "array", "items": {"type": "string"}},
        "focus": {"type": "array", "items": {"type": "string"}},
    })
}

fn run(call: &Call<'_>) -> Result<Fitted, Wrong> {
    let packer = call.root.packer();
    let (files, missing) = focused(call, &packer)?;
    let focus = Focus {
        files,
        mentions: call.arguments.list("mention")?,
        query: call.arguments.text("query")?.map(str::to_owned),
    };
    let got = match call.is_indexed() {
        true => call.root.map(call.patience(), call.cancel)?,
        false => Got::Nothing,
    };
    let (repository, stale) = match got {
        Got::Current(repository) => (repository, None),
        Got::Earlier(repository) => (repository, Some(super::STALE.to_owned())),
        Got::Failed(why) => return Err(Wrong(why)),
        Got::Nothing => {
            let answer = call
                .root
                .with(call.cancel, |live| folders(live.searcher.paths()))?;
            let note = Some(call.told_partial());
            return Ok(call.fit(answer.note(note)));
        }
    };
    let notes: Vec<String> = missing.into_iter().chain(stale).collect();
    let request = MapRequest {
        budget: (call.limit as f64 * CHOSEN) as usize,
        format: MapFormat::Plain,
        focus,
        ..MapRequest::default()
    };
    call.check()?;
    let filled = packer.map(&repository, &request)?;
    call.check()?;
    let map = &filled.document;
    let about = map.description.as_deref();
    let about = call.root.with(call.cancel, |live| {
        about.and_then(|about| said_in(live, about))
    })?;
    let without_symbols = map.files.saturating_sub(repository.linked().files.len());
    let answer = drawn(map, about, without_symbols, &packer.options().secrets);
    Ok(call.fit(answer.note((!notes.is_empty()).then(|| notes.join(" ")))))
}

/// The beginning of the map below a line, for a query that nothing matches: the line
/// alone while the map is being made.
pub(super) fn below(line: &str, call: &Call<'_>) -> Result<Fitted, Wrong> {
    let packer = call.root.packer();
    let limit = call.limit.min(NO_MATCH_MAP_TOKENS);
    let mut answer = Answer::new(line);
    if let Got::Current(repository) | Got::Earlier(repository) =
        call.root.map(call.patience(), call.cancel)?
        && let Some(filled) = packer.no_match_map(&repository, limit)
    {
        let map = drawn(&filled.document, None, 0, &packer.options().secrets);
        answer = map.below(line);
    }
    Ok(call.fit_within(answer, limit))
}

/// The map as lines of ours with paths, and quoted lines. So many files are in no known
/// language: they have no place on a map, however much room there is.
fn drawn(
    map: &MapDocument,
    about: Option<Source>,
    without_symbols: usize,
    secrets: &SecretsOptions,
) -> Answer {
    let head = head(map, without_symbols);
    let is_short = |entry: &FileEntry| entry.left_out > 0;
    let others = || map.others.iter().flat_map(|(_, files)| files);
    let is_cut =
        map.left_out > without_symbols || map.signatures.iter().chain(others()).any(is_short);
    let mut answer = Answer::new(head)
        .more("Raise max_tokens, or say with `focus` or `query` what matters.")
        .cut(is_cut);
    let quoted = |label: &str, text: &str| {
        let text = cleaned(&one_line(text), secrets);
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
        let line = symbol.line as usize;
        let text = format!("{} {}", symbol.kind, symbol.name);
        piece.quote(&quoted(&line.to_string(), &text));
        answer.push(piece.of(quote::source(&path, line, line)));
    }
    for (at, entry) in map.signatures.iter().enumerate() {
        let head = if at == 0 { "Files:\n" } else { "" };
        answer.push(signatures(head, entry, &quoted));
    }
    for (at, (folder, files)) in map.others.iter().enumerate() {
        let head = if at == 0 { "More files:\n" } else { "" };
        answer.push(names(head, folder, files, &quoted));
    }
    for (at, (user, used)) in map.edges.iter().enumerate() {
        let head = if at == 0 { "Who uses whom:\n" } else { "" };
        let (user, used) = (one_line(user), one_line(used));
        let told = quote::named("uses", &format!("{user} → {used}"));
        answer.push(Piece::new(format!("{head}{told}")));
    }
    answer
}

/// How much there is, in which languages.
fn head(map: &MapDocument, without_symbols: usize) -> String {
    let languages: Vec<&str> = map
        .languages
        .iter()
        .map(|(name, _)| *name)
        .take(4)
        .collect();
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
fn said_in(live: &Live, about: &str) -> Option<Source> {
    let beginning: String = about.chars().take(24).collect();
    let mut tops = live.searcher.paths().filter(|path| {
        let name = path.display().to_lowercase();
        let is_manifest = name.ends_with(".toml") || name.ends_with(".json");
        !name.contains('/') && (is_manifest || name.starts_with("readme"))
    });
    tops.find_map(|path| {
        let numbers = &mut SecretNumbers::default();
        let shown = live
            .searcher
            .shown_text(&path.display(), Level::None, numbers)?;
        let mut lines = shown.lines.iter();
        let (line, _) = lines.find(|(_, text)| text.contains(&beginning))?;
        Some(quote::source(&quote::path(path), *line, *line))
    })
}

type Quote<'q> = &'q dyn Fn(&str, &str) -> Quoted;

/// A file with its signatures.
fn signatures(head: &str, entry: &FileEntry, quoted: Quote<'_>) -> Piece {
    let path = one_line(&entry.path);
    let mut piece = Piece::new(format!("{head}{}", quote::file(&path)));
    for line in &entry.lines {
        let text = format!("{}{}", "  ".repeat(line.depth), line.text);
        let number = line.line as usize;
        piece.quote(&quoted(&number.to_string(), &text));
        piece = piece.of(quote::source(&path, number, number));
    }
    if !entry.names.is_empty() {
        piece.quote(&quoted("also", &entry.names.join(", ")));
    }
    piece.of(Source::file(path))
}

/// Files of a folder with names alone.
fn names(head: &str, folder: &str, files: &[FileEntry], quoted: Quote<'_>) -> Piece {
    let shown = match folder {
        "" => "./".into(),
        folder => format!("{}/", one_line(folder)),
    };
    let mut piece = Piece::new(format!("{head}{}", quote::named("folder", &shown)));
    for file in files {
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
fn focused(call: &Call<'_>, packer: &Packer) -> Result<(Vec<RepoPath>, Option<String>), Wrong> {
    let top = packer.source().roots().next().unwrap_or(Path::new("/"));
    let typed = call.arguments.list("focus")?;
    call.root.with(call.cancel, |live| {
        let is_there = |file: &RepoPath| {
            let mut paths = live.searcher.paths();
            paths.any(|path| path == file || path.starts_with(file))
        };
        let (mut files, mut missing) = (Vec::new(), Vec::new());
        for typed in &typed {
            let below = |typed: &str| packer.focus_path(typed, top);
            let of_top = below(typed);
            let of_root = || below(&format!("{}{}", live.prefix, typed.trim()));
            let known = of_top.clone().filter(is_there);
            let known = known.or_else(|| of_root().filter(is_there));
            if known.is_none() {
                missing.extend(of_top.as_ref().map(quote::path));
            }
            let wrong = || Wrong(format!("{typed:?} is no path below the root"));
            files.push(known.or(of_top).ok_or_else(wrong)?);
        }
        let told = (!missing.is_empty()).then(|| format!("Not here: {}.", missing.join(", ")));
        Ok((files, told))
    })?
}

/// What there is before anything is read: folders and how many files they have.
fn folders<'p>(paths: impl Iterator<Item = &'p RepoPath>) -> Answer {
    let mut counts = std::collections::BTreeMap::<String, usize>::new();
    for path in paths {
        let path = quote::path(path);
        let folder = path.rsplit_once('/').map_or(".", |(folder, _)| folder);
        *counts.entry(folder.to_owned()).or_default() += 1;
    }
    let mut counts: Vec<(String, usize)> = counts.into_iter().collect();
    counts.sort_by(|left, right| right.1.cmp(&left.1).then_with(|| left.0.cmp(&right.0)));
    let mut answer = Answer::new("Folders by number of files:")
        .more("Ask again for the map.")
        .cut(true);
    for (folder, files) in counts {
        let piece = Piece::new(quote::named("folder", &format!("{folder}: {files}")));
        answer.push(piece.of(Source::file(folder)));
    }
    answer
}
