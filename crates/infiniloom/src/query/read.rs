//! The redacted text of a file or of a definition.

use std::ops::RangeInclusive;
use std::sync::Arc;

use loom_host::{
    Cancel, Definition, IndexUse, Navigate as _, Searcher, SecretNumbers, ShownText,
    SyntaxNavigator, Target,
};
use loom_wire::{FORMAT_VERSION, LinesCall, ReadCall, ReadInfo, ReadLine};

use super::call::{callable, choice};
use super::runs;
use crate::choices::Level;
use crate::layers::{Remarks, SearchLayer};
use crate::session::{Choices, Session};
use crate::{Control, Error, ErrorKind, Infiniloom, Result, Snapshot};

/// A query for the redacted text of a file, of some lines, or of a definition.
#[derive(Clone, Debug)]
pub struct Read {
    choices: Choices,
    target: ReadTarget,
    lines: Option<RangeInclusive<usize>>,
    level: Level,
}

#[derive(Clone, Debug)]
enum ReadTarget {
    Path(String),
    Symbol(String),
}

impl Read {
    fn new(target: ReadTarget) -> Self {
        Self {
            choices: Choices::default(),
            target,
            lines: None,
            level: Level::None,
        }
    }

    /// Reads a file. Its path starts at the root.
    pub fn path(path: impl Into<String>) -> Self {
        Self::new(ReadTarget::Path(path.into()))
    }

    /// Reads the first definition of a name, or the definition at a location.
    pub fn symbol(symbol: impl Into<String>) -> Self {
        Self::new(ReadTarget::Symbol(symbol.into()))
    }

    /// Reads only these lines of the file, from 1.
    #[must_use]
    pub fn lines(mut self, lines: RangeInclusive<usize>) -> Self {
        self.lines = Some(lines);
        self
    }

    /// Compresses the text.
    #[must_use]
    pub fn compress(mut self, level: Level) -> Self {
        self.level = level;
        self
    }

    fn answer(&self, snapshot: &Snapshot, control: &Control) -> Result<ReadInfo> {
        self.check()?;
        let session = snapshot.session(&self.choices, control)?;
        match &self.target {
            ReadTarget::Path(path) => {
                let searcher = snapshot.lines(&session, IndexUse::Auto)?;
                let lines = self.lines.clone().unwrap_or(1..=usize::MAX);
                self.file(snapshot, &session, &searcher, path, lines)
            }
            ReadTarget::Symbol(symbol) => {
                let searcher = snapshot.lines(&session, IndexUse::Update)?;
                let one = definition(&searcher, symbol)?;
                let wanted = self.lines.clone().unwrap_or(1..=usize::MAX);
                let first = one.place.line.max(*wanted.start());
                let last = one.end_line.min(*wanted.end());
                let path = one.place.path.display();
                let info = self.file(snapshot, &session, &searcher, &path, first..=last)?;
                Ok(ReadInfo {
                    symbol: Some(one.qualified),
                    ..info
                })
            }
        }
    }

    fn check(&self) -> Result<()> {
        let Some(lines) = &self.lines else {
            return Ok(());
        };
        match *lines.start() >= 1 && lines.start() <= lines.end() {
            true => Ok(()),
            false => {
                let (first, last) = (lines.start(), lines.end());
                let message = format!("expected lines from 1, found {first} to {last}");
                Err(Error::invalid("invalid_lines", message))
            }
        }
    }

    fn file(
        &self,
        snapshot: &Snapshot,
        session: &Session,
        searcher: &SearchLayer,
        path: &str,
        lines: RangeInclusive<usize>,
    ) -> Result<ReadInfo> {
        let level = loom_host::Level::from_name(self.level.name()).unwrap_or_default();
        let shown = searcher.shown_text(path, level, &mut SecretNumbers::default());
        let shown = shown.ok_or_else(|| missing(searcher, path))?;
        if *lines.start() > shown.total.max(1) {
            let message = format!("{path} has {} lines", shown.total);
            return Err(Error::invalid("invalid_lines", message));
        }
        let mut info = info(&shown, &lines);
        let remarks = Remarks {
            unread: Vec::new(),
            warnings: searcher.warnings(),
        };
        info.notices = snapshot.notices(session, remarks);
        Ok(info)
    }
}

runs!(Read => ReadInfo);
callable!(Read => ReadInfo);

impl Read {
    fn call(&self) -> Result<ReadCall> {
        let Self {
            choices: _, // no setter of `Read` sets one
            target,
            lines,
            level,
        } = self;
        let (path, symbol) = match target {
            ReadTarget::Path(path) => (Some(path.clone()), None),
            ReadTarget::Symbol(symbol) => (None, Some(symbol.clone())),
        };
        Ok(ReadCall {
            path,
            symbol,
            lines: lines.as_ref().map(|lines| LinesCall {
                first: *lines.start(),
                last: *lines.end(),
            }),
            compress: (*level != Level::None).then(|| level.name().to_owned()),
        })
    }

    fn of_call(call: &ReadCall, _: &Infiniloom) -> Result<Self> {
        let ReadCall {
            path,
            symbol,
            lines,
            compress,
        } = call;
        let target = match (path, symbol) {
            (Some(path), None) => ReadTarget::Path(path.clone()),
            (None, Some(symbol)) => ReadTarget::Symbol(symbol.clone()),
            _ => {
                let message = "expected either `path` or `symbol`";
                return Err(Error::invalid("invalid_values", message));
            }
        };
        Ok(Self {
            choices: Choices::default(),
            target,
            lines: lines.map(|lines| lines.first..=lines.last),
            level: choice(compress.as_ref())?.unwrap_or(Level::None),
        })
    }
}

fn info(shown: &ShownText, lines: &RangeInclusive<usize>) -> ReadInfo {
    let wanted = shown.lines.iter();
    let wanted = wanted.filter(|(number, _)| lines.contains(number));
    let lines: Vec<ReadLine> = wanted
        .map(|(line, text)| ReadLine {
            line: *line,
            text: text.clone(),
        })
        .collect();
    let text = lines.iter().map(|line| format!("{}\n", line.text));
    ReadInfo {
        format_version: FORMAT_VERSION,
        path: shown.path.display().into_owned(),
        language: shown.language.map(str::to_owned),
        total_lines: shown.total,
        symbol: None,
        text: text.collect(),
        lines,
        notices: Vec::new(),
    }
}

fn missing(searcher: &Searcher, path: &str) -> Error {
    let (code, message) = match searcher.why_no_text(path) {
        Some(reason) => ("no_text", format!("{path} is not shown: {reason}")),
        None => ("no_such_path", format!("there is no text at {path:?}")),
    };
    Error::with_message(ErrorKind::NotFound, code, message)
}

fn definition(searcher: &SearchLayer, symbol: &str) -> Result<Definition> {
    let Some(target) = Target::parse(symbol) else {
        let message = format!("no name in {symbol:?}");
        return Err(Error::invalid("bad_query", message));
    };
    let syntax = Arc::clone(&searcher.syntax);
    let navigator = SyntaxNavigator::with(searcher, syntax, &Cancel::new());
    let found = navigator.definitions(&target);
    found.into_iter().next().ok_or_else(|| {
        let message = format!("no definition of {symbol:?} is known");
        Error::with_message(ErrorKind::NotFound, "no_such_symbol", message)
    })
}
