//! `read`: files, some of their lines, the files of a directory, or a symbol.

mod directory;

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use infiniloom::wire::{DefinitionInfo, ReadInfo};
use infiniloom::{Error, Level, Navigate, Read, Snapshot};
use serde_json::{Value, json};

use super::numbers::Numbers;
use super::place::{self, Paths};
use super::scope::Scope;
use super::{Call, Tool, navigate, partial, quote};
use crate::answer::{Answer, Fitted, Piece};
use crate::one_line::one_line;
use crate::tool_error::ToolError;

pub(super) const TOOL: Tool = Tool {
    name: "read",
    about: "Shows files (`paths`), some lines (`lines`: 120-180) or one definition (`symbol`), with line numbers; \
            of a directory the list of files. \
            `compress` leaves out bodies: aggressive keeps signatures and documentation, extreme one line a symbol.",
    arguments,
    needs: &["paths", "symbol"],
    missing: "pass `paths` (files) or `symbol` (a name)",
    tokens: 4000,
    settled_tokens: |_| None,
    run,
};

/// Files that are read at most.
const FILES: usize = 20;

fn arguments() -> Value {
    json!({
        "paths": {"type": "array", "items": {"type": "string"}, "description": "Also with lines: src/a.rs:10-40"},
        "symbol": {"type": "string", "description": "Instead of paths: a name as for navigate"},
        "lines": {"type": "string", "description": "Such as 10-40 or 10-"},
        "compress": super::levels(),
        "numbers": super::numbers::schema(),
    })
}

fn run(call: &Call<'_>) -> Result<Fitted, ToolError> {
    let level = super::level(call)?;
    let lines = call.arguments.text_or_number("lines")?;
    let lines = lines.as_deref().map(span).transpose()?;
    let (paths, symbol) = (
        call.arguments.list("paths")?,
        call.arguments.text("symbol")?,
    );
    if let Some(symbol) = symbol
        && !call.is_indexed()
    {
        return partial::lines(call, &partial::last_name(symbol), &Scope::default());
    }
    let snapshot = call.snapshot()?;
    let reader = Reader {
        call,
        paths: call.paths(&snapshot)?,
        numbers: call.numbers()?,
        snapshot,
        level,
    };
    let answer = match (paths.as_slice(), symbol) {
        (_, Some(symbol)) => reader.definition(symbol, lines),
        ([path], None) => reader.path(path, lines),
        (paths, None) => reader.files(paths, lines),
    }?;
    Ok(call.fit(answer))
}

/// Reads lines as people write them: `10-40`, `10-`, `10`, `L10-L40`, `10:40` or `10,40`.
fn span(text: &str) -> Result<(usize, usize), ToolError> {
    let wrong = || ToolError(format!("`lines` must be like 10-40, not {text:?}"));
    let number = |text: &str| {
        let digits = text.trim().trim_start_matches(['L', 'l']);
        digits.parse::<usize>().map_err(|_| wrong())
    };
    let ends = ["..", "-", "–", ":", ","].iter();
    let ends = ends.filter_map(|between| text.split_once(between)).next();
    let (first, last) = match ends {
        Some((first, last)) if last.trim().is_empty() => (number(first)?, usize::MAX),
        Some((first, last)) => (number(first)?, number(last)?),
        None => (number(text)?, number(text)?),
    };
    match first >= 1 && first <= last {
        true => Ok((first, last)),
        false => Err(wrong()),
    }
}

/// A call with the state of the files that it reads.
struct Reader<'c> {
    call: &'c Call<'c>,
    snapshot: Snapshot,
    paths: Paths<'c>,
    level: Level,
    numbers: Numbers,
}

/// Lines of a file.
struct FileLines {
    info: ReadInfo,
    lines: RangeInclusive<usize>,
    /// True if the caller named the lines, which are shown longer then.
    is_asked: bool,
}

impl Reader<'_> {
    /// Reads a file, or lists a directory.
    fn path(&self, typed: &str, lines: Option<(usize, usize)>) -> Result<Answer, ToolError> {
        if let Some(directory) = self.directory(typed) {
            return self.listed(&directory);
        }
        let shown = self.file_lines(typed, lines)?;
        let path = quote::path(&shown.info.path);
        let answer = Answer::new(head(&shown.info));
        let mut answer = answer.outline(self.outline(&shown));
        self.quoted(&shown, &path, None)
            .into_iter()
            .for_each(|piece| answer.push(piece));
        Ok(match shown.is_asked {
            true => answer.long(LONGEST_ASKED),
            false => answer,
        })
    }

    /// Reads several files. A path without a file does not stop the others.
    fn files(&self, typed: &[String], lines: Option<(usize, usize)>) -> Result<Answer, ToolError> {
        let (mut files, mut missing) = (Vec::new(), Vec::new());
        for path in typed.iter().take(FILES) {
            match self.file_lines(path, lines) {
                Ok(shown) => files.push(shown),
                Err(error) => missing.push(error.0),
            }
            self.call.check()?;
        }
        if files.is_empty() {
            return Err(ToolError(missing.join("\n")));
        }
        let mut answer = Answer::new(match files.len() {
            1 => "1 file:".to_owned(),
            more => format!("{more} files:"),
        });
        for shown in &files {
            let path = quote::path(&shown.info.path);
            let head = head(&shown.info);
            for piece in self.quoted(shown, &path, Some(&head)) {
                answer.push(piece);
            }
        }
        if files.iter().any(|shown| shown.is_asked) {
            answer = answer.long(LONGEST_ASKED);
        }
        if typed.len() > FILES {
            let why = format!("more than {FILES} paths");
            answer = answer.partial(why, "`read` the others, or `pack` them");
        }
        let missing = missing.join("\n");
        Ok(answer.note((!missing.is_empty()).then_some(missing)))
    }

    fn file_lines(
        &self,
        typed: &str,
        lines: Option<(usize, usize)>,
    ) -> Result<FileLines, ToolError> {
        let (path, own) = self.paths.parse(typed);
        let path = self.paths.known(path);
        let info = self.text(&path, self.level);
        let info = info.map_err(|error| match error.code() {
            "no_such_path" => {
                let near = self.near(&path);
                ToolError(format!("there is no text at {typed:?}{near}"))
            }
            _ => error.into(),
        })?;
        let asked = lines.or(own);
        let (first, last) = asked.unwrap_or((1, usize::MAX));
        if first > info.total_lines.max(1) {
            let last = info.total_lines;
            return Err(ToolError(format!(
                "{path} has {last} lines: ask for some of 1-{last}"
            )));
        }
        Ok(FileLines {
            info,
            lines: first..=last,
            is_asked: asked.is_some(),
        })
    }

    fn text(&self, path: &str, level: Level) -> Result<ReadInfo, Error> {
        let read = Read::path(path).compress(level);
        read.run_with(&self.snapshot, &self.call.control())
    }

    /// Returns the lines at which symbols of a file begin, in the order of the file. A file in an
    /// unknown language has none.
    fn symbols(&self, shown: &FileLines) -> Vec<(usize, String)> {
        let path = &shown.info.path;
        quote::symbols(self.call, &self.snapshot, path)
    }

    /// Returns the symbols of the lines that the caller asked for.
    fn outline(&self, shown: &FileLines) -> Vec<Piece> {
        if shown.info.lines.len() < LONG {
            return Vec::new();
        }
        let path = quote::path(&shown.info.path);
        let symbols = self.symbols(shown).into_iter();
        let symbols = symbols.filter(|(line, _)| shown.lines.contains(line));
        let piece = |(line, text): (usize, String)| {
            let mut piece = Piece::default();
            piece.quote(&quote::line(line, &text));
            piece.of(quote::source(&path, line, line))
        };
        symbols.map(piece).collect()
    }

    /// Returns the lines as pieces, the first one below a line about the file.
    fn quoted(&self, shown: &FileLines, path: &str, head: Option<&str>) -> Vec<Piece> {
        let quoted = match shown.is_asked {
            true => quote::asked_line,
            false => quote::line,
        };
        let symbols: BTreeSet<usize> = match self.numbers {
            Numbers::Some => self.symbols(shown).iter().map(|(line, _)| *line).collect(),
            _ => BTreeSet::new(),
        };
        let mut head = head.map(Piece::new);
        let lines = shown.info.lines.iter();
        let lines = lines.filter(|line| shown.lines.contains(&line.line));
        let piece = |line: &infiniloom::wire::ReadLine| {
            let mut piece = head.take().unwrap_or_default();
            let text = quoted(line.line, &line.text);
            let is_symbol = symbols.contains(&line.line);
            piece.quote(&self.numbers.apply(text, line.line, is_symbol));
            piece
                .of(quote::source(path, line.line, line.line))
                .of_file(shown.info.total_lines)
        };
        let mut pieces: Vec<Piece> = lines.map(piece).collect();
        // An empty file is named, too.
        pieces.extend(head);
        pieces
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
        let scope = Scope::new(self.call, &self.snapshot)?;
        if let Some(files) = scope.files(self.call, &self.snapshot)? {
            found.retain(|one| files.contains(&one.path));
        }
        let Some(one) = found.first() else {
            // An id of lines in which nothing is defined.
            if let (path, Some(lines)) = self.paths.parse(symbol) {
                return self.path(path, Some(asked.unwrap_or(lines)));
            }
            return Err(ToolError(format!(
                "no definition of {symbol:?} is known; `search` finds text"
            )));
        };
        let info = self.text(&one.path, self.level);
        self.call.check()?;
        let info = info.map_err(|_| ToolError(format!("{} cannot be read", one.path)))?;
        let (first, last) = (one.line, one.end_line);
        let (from, to) = asked.unwrap_or((first, last));
        let (from, to) = (from.max(first), to.min(last));
        let path = quote::path(&one.path);
        if from > to {
            return Err(ToolError(format!(
                "{symbol:?} is {path}:{first}-{last}: ask for `lines` of those"
            )));
        }
        let mut answer = Answer::new(head(&info)).long(LONGEST_ASKED);
        let shown = FileLines {
            info,
            lines: from..=to,
            is_asked: true,
        };
        for piece in self.quoted(&shown, &path, None) {
            answer.push(piece);
        }
        let answer = answer.note(others(&found[1..]));
        Ok(place::hasty(answer, is_cut))
    }
}

/// Advice on lines of which a part is shown although they were asked for.
const LONGEST_ASKED: &str = "of a line at most 20,000 characters are shown";

/// Lines of a file that gets an outline if it does not fit.
const LONG: usize = 20;

/// Returns the line about a file.
fn head(info: &ReadInfo) -> String {
    let path = quote::path(&info.path);
    let language = info.language.as_deref();
    let language = language.map(|language| format!(", {language}"));
    let language = language.unwrap_or_default();
    quote::file(&format!("{path} ({} lines{language})", info.total_lines))
}

/// Names the other definitions of a name.
fn others(found: &[DefinitionInfo]) -> Option<String> {
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
    (!others.is_empty()).then(|| format!("Also of this name: {}{more}", others.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_people_write_them() {
        assert_eq!(span("10-40"), Ok((10, 40)));
        assert_eq!(span(" 7 "), Ok((7, 7)));
        assert_eq!(span("3-"), Ok((3, usize::MAX)));
        for same in ["L10-L40", "10:40", "10, 40", "10..40", "10 – 40"] {
            assert_eq!(span(same), Ok((10, 40)), "{same}");
        }
        for wrong in ["", "0", "5-3", "a-b", "-4", "1-2-3"] {
            assert!(span(wrong).is_err(), "{wrong}");
        }
    }
}
