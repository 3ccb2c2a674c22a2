//! `read`: a file, some of its lines, or a symbol.

use std::ops::RangeInclusive;

use infiniloom::wire::{DefinitionInfo, ReadInfo};
use infiniloom::{Error, Level, Navigate, Read, Snapshot};
use serde_json::{Value, json};

use super::place::{self, Paths};
use super::{Call, Tool, navigate, partial, quote};
use crate::answer::{Answer, Fitted, Piece};
use crate::one_line::one_line;
use crate::tool_error::ToolError;

pub(super) const TOOL: Tool = Tool {
    name: "read",
    about: "Shows a file (`path`), some of it (`lines`: 120-180) or one definition (`symbol`), with line numbers. \
            `compress` leaves out bodies: aggressive keeps signatures and documentation, extreme one line a symbol.",
    arguments,
    required: &[],
    tokens: 4000,
    settled_tokens: |_| None,
    run,
};

fn arguments() -> Value {
    json!({
        "path": {"type": "string", "description": "Also with lines: src/a.rs:10-40"},
        "symbol": {"type": "string", "description": "Instead of path: a name as for navigate"},
        "lines": {"type": "string", "description": "Such as 10-40 or 10-"},
        "compress": super::levels(),
    })
}

fn run(call: &Call<'_>) -> Result<Fitted, ToolError> {
    let level = super::level(call)?;
    let lines = call.arguments.text_or_number("lines")?;
    let lines = lines.as_deref().map(span).transpose()?;
    let (path, symbol) = (call.arguments.text("path")?, call.arguments.text("symbol")?);
    if let Some(symbol) = symbol
        && !call.is_indexed()
    {
        return partial::lines(call, &partial::last_name(symbol), &[]);
    }
    let snapshot = call.snapshot()?;
    let reader = Reader {
        call,
        paths: call.paths(&snapshot)?,
        snapshot,
        level,
    };
    let answer = match (path, symbol) {
        (Some(path), None) => reader.file(path, lines),
        (None, Some(symbol)) => reader.definition(symbol, lines),
        _ => Err(ToolError::new(
            "pass exactly one of `path` (a file) and `symbol` (a name)",
        )),
    }?;
    Ok(call.fit(answer))
}

/// `10-40`, `10-` or `10`.
fn span(text: &str) -> Result<(usize, usize), ToolError> {
    let wrong = || ToolError(format!("`lines` must be like 10-40, not {text:?}"));
    let number = |text: &str| text.trim().parse::<usize>().map_err(|_| wrong());
    let (first, last) = match text.split_once('-') {
        Some((first, last)) if last.trim().is_empty() => (number(first)?, usize::MAX),
        Some((first, last)) => (number(first)?, number(last)?),
        None => (number(text)?, number(text)?),
    };
    match first >= 1 && first <= last {
        true => Ok((first, last)),
        false => Err(wrong()),
    }
}

/// Who reads, and from where.
struct Reader<'c> {
    call: &'c Call<'c>,
    snapshot: Snapshot,
    paths: Paths<'c>,
    level: Level,
}

impl Reader<'_> {
    fn file(&self, typed: &str, lines: Option<(usize, usize)>) -> Result<Answer, ToolError> {
        let (path, own) = self.paths.parse(typed);
        let path = self.paths.known(path);
        let shown = self.text(&path).map_err(|error| match error.code() {
            "no_such_path" => {
                let near = self.near(&path);
                ToolError(format!("there is no text at {typed:?}{near}"))
            }
            _ => error.into(),
        })?;
        let asked = lines.or(own);
        let (first, last) = asked.unwrap_or((1, usize::MAX));
        if first > shown.total_lines.max(1) {
            let last = shown.total_lines;
            return Err(ToolError(format!(
                "{path} has {last} lines: ask for some of 1-{last}"
            )));
        }
        Ok(quoted(&shown, first..=last, asked.is_some()))
    }

    fn text(&self, path: &str) -> Result<ReadInfo, Error> {
        let read = Read::path(path).compress(self.level);
        read.run_with(&self.snapshot, &self.call.control())
    }

    /// Paths that somebody may have meant.
    fn near(&self, path: &str) -> String {
        let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
        let same = |known: &String| {
            let own = known.rsplit('/').next();
            own.is_some_and(|own| own.to_lowercase() == name)
        };
        let all = self.paths.files.iter().map(|path| quote::path(path));
        let found: Vec<String> = all.filter(same).take(5).collect();
        match found.is_empty() {
            true => ": `search` or `map` tell what there is".to_owned(),
            false => format!("; there is {}", found.join(", ")),
        }
    }

    /// A definition, or those of its lines that were asked for by their numbers in the file.
    fn definition(&self, symbol: &str, asked: Option<(usize, usize)>) -> Result<Answer, ToolError> {
        let target = self.paths.known_id(symbol.trim());
        let definitions = Navigate::definitions(target).ids(true);
        let info = navigate::found(self.call, symbol, definitions, &self.snapshot)?;
        let is_cut = place::is_hasty(&info);
        let mut found = info.definitions;
        found.truncate(info.candidates);
        let Some(one) = found.first() else {
            // An id of lines in which nothing is defined.
            if let (path, Some(lines)) = self.paths.parse(symbol) {
                return self.file(path, Some(asked.unwrap_or(lines)));
            }
            return Err(ToolError(format!(
                "no definition of {symbol:?} is known; `search` finds text"
            )));
        };
        let shown = self.text(&one.path);
        self.call.check()?;
        let shown = shown.map_err(|_| ToolError(format!("{} cannot be read", one.path)))?;
        let note = others(&found[1..], is_cut);
        let (first, last) = (one.line, one.end_line);
        let (from, to) = asked.unwrap_or((first, last));
        let (from, to) = (from.max(first), to.min(last));
        if from > to {
            let path = quote::path(&one.path);
            return Err(ToolError(format!(
                "{symbol:?} is {path}:{first}-{last}: ask for `lines` of those"
            )));
        }
        Ok(quoted(&shown, from..=to, true).note(note))
    }
}

/// Says what else has the name, and whether there was time for all.
fn others(found: &[DefinitionInfo], is_cut: bool) -> Option<String> {
    let others: Vec<String> = found
        .iter()
        .take(5)
        .map(|one| {
            format!(
                "{} at {}:{}",
                one_line(&one.qualified_name),
                quote::path(&one.path),
                one.line
            )
        })
        .collect();
    let more = found.len() - others.len();
    let more = match more {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let others =
        (!others.is_empty()).then(|| format!("Also of this name: {}{more}", others.join(", ")));
    let note = others
        .into_iter()
        .chain(is_cut.then(|| place::HASTY.to_owned()));
    let note: Vec<String> = note.collect();
    (!note.is_empty()).then(|| note.join("\n"))
}

/// The lines of a file; those that were asked for by their numbers are shown longer.
fn quoted(shown: &ReadInfo, lines: RangeInclusive<usize>, is_asked: bool) -> Answer {
    let path = quote::path(&shown.path);
    let language = shown
        .language
        .as_deref()
        .map(|language| format!(", {language}"))
        .unwrap_or_default();
    let mut answer = Answer::new(quote::file(&format!(
        "{path} ({} lines{language})",
        shown.total_lines
    )))
    .more("Ask for the other `lines`, or with `compress`.");
    let quoted = match is_asked {
        true => quote::asked_line,
        false => quote::line,
    };
    for line in &shown.lines {
        if lines.contains(&line.line) {
            let mut piece = Piece::default();
            piece.quote(&quoted(line.line, &line.text));
            answer.push(piece.of(quote::source(&path, line.line, line.line)));
        }
    }
    match is_asked {
        true => answer.long("Of a line at most 20,000 characters are shown."),
        false => answer,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_people_write_them() {
        assert_eq!(span("10-40"), Ok((10, 40)));
        assert_eq!(span(" 7 "), Ok((7, 7)));
        assert_eq!(span("3-"), Ok((3, usize::MAX)));
        for wrong in ["", "0", "5-3", "a-b", "-4", "1-2-3"] {
            assert!(span(wrong).is_err(), "{wrong}");
        }
    }
}
