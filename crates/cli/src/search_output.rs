//! Prints what a search finds: for people as `rg` does, for programs as JSON. What is
//! found is printed at once and not kept.

use std::io::IsTerminal;
use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::{Path, PathBuf};

use infiniloom::host::{
    Detail, FileHits, HitLine, RankedHit, RepoPath, Searched, Source, percent_encoded, printable,
};
use infiniloom::results;
use loom_wire::FORMAT_VERSION;

use super::ui::Ui;

/// For whom an answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Text { has_column: bool },
    Json,
}

/// How paths are shown to people: as they are found from the working folder.
#[derive(Debug, Default)]
pub(super) struct ShownPaths {
    /// What stands before every path, where the current folder is not below the top.
    prefix: PathBuf,
    /// Where the current folder is below the top.
    here: Option<String>,
    /// The folder at the top, for links.
    root: Option<PathBuf>,
}

/// The way from a folder to a path, both from the top.
fn from(here: &str, path: &str) -> String {
    let folders: Vec<&str> = here.split('/').collect();
    let parts: Vec<&str> = path.split('/').collect();
    let both = folders.iter().zip(&parts[..parts.len() - 1]);
    let common = both.take_while(|(one, other)| one == other).count();
    "../".repeat(folders.len() - common) + &parts[common..].join("/")
}

impl ShownPaths {
    /// Paths that can be opened from the current folder.
    pub(super) fn new(source: &Source, paths: &[PathBuf]) -> Self {
        let roots: Vec<&Path> = source.roots().collect();
        let [root] = roots.as_slice() else {
            return Self::default();
        };
        let here = std::env::current_dir().ok();
        let here = here.and_then(|here| here.canonicalize().ok());
        let below = here
            .as_deref()
            .and_then(|here| root.strip_prefix(here).ok());
        let inside = here
            .as_deref()
            .and_then(|here| here.strip_prefix(root).ok());
        let is_root = |path: &&PathBuf| path.canonicalize().is_ok_and(|full| full == *root);
        let typed = paths.iter().find(is_root);
        let (prefix, here) = match (below, inside) {
            (Some(below), _) => (below.to_path_buf(), None),
            (None, Some(inside)) => (
                inside.components().map(|_| "..").collect(),
                inside.to_str().map(str::to_owned),
            ),
            (None, None) => (typed.map_or(root.to_path_buf(), PathBuf::clone), None),
        };
        Self {
            prefix,
            here,
            root: Some(root.to_path_buf()),
        }
    }

    fn shown(&self, path: &RepoPath) -> String {
        let path = path.display();
        let shown = match self.here.as_deref() {
            Some(here) => PathBuf::from(from(here, &path)),
            None => self.prefix.join(path.as_ref()),
        };
        printable(&shown.to_string_lossy()).into_owned()
    }

    /// A place that editors and terminals understand.
    pub(super) fn place(&self, path: &RepoPath, line: usize, column: usize, ui: Ui) -> String {
        let shown = ui.path(&self.shown(path));
        let shown = self.linked(path, line, &shown, ui);
        format!("{shown}:{}:{column}", ui.number(&line.to_string()))
    }

    /// The path as a link that terminals follow.
    fn linked(&self, path: &RepoPath, line: usize, text: &str, ui: Ui) -> String {
        match (&self.root, path.as_str()) {
            (Some(root), Some(name)) if ui.has_color() => {
                let target = percent_encoded(root.join(name).to_string_lossy().as_bytes());
                format!("\x1b]8;;file://{target}#{line}\x1b\\{text}\x1b]8;;\x1b\\")
            }
            _ => text.to_owned(),
        }
    }
}

/// Writes answers.
pub(super) struct Output {
    shape: Shape,
    detail: Detail,
    ui: Ui,
    paths: ShownPaths,
    out: BufWriter<StdoutLock<'static>>,
    /// Entries that were written.
    written: usize,
}

impl Output {
    pub(super) fn new(shape: Shape, detail: Detail, ui: Ui, paths: ShownPaths) -> Self {
        Self {
            shape,
            detail,
            ui,
            paths,
            out: BufWriter::with_capacity(1 << 16, io::stdout().lock()),
            written: 0,
        }
    }

    pub(super) fn add(&mut self, file: &FileHits) -> io::Result<()> {
        match self.shape {
            Shape::Json => self.add_json(file),
            Shape::Text { has_column } => self.add_text(file, has_column),
        }
    }

    pub(super) fn finish(mut self, met: &Searched) -> io::Result<()> {
        if self.shape == Shape::Json {
            if self.written == 0 {
                self.head()?;
            }
            self.out.write_all(b"\n],\"summary\":")?;
            serde_json::to_writer(&mut self.out, &results::search::summary(met))?;
            self.out.write_all(b"}\n")?;
        } else if met.is_cut {
            self.out.flush()?;
            let what = match self.detail {
                Detail::Lines { .. } => "lines",
                Detail::Paths | Detail::Counts => "files",
            };
            self.ui
                .hint(&format!("there is more: --limit N shows N {what}"));
        }
        self.out.flush()
    }

    fn head(&mut self) -> io::Result<()> {
        let list = match self.detail {
            Detail::Lines { .. } => "\"matches\":[",
            Detail::Paths | Detail::Counts => "\"matches\":[],\"files\":[",
        };
        write!(self.out, "{{\"format_version\":{FORMAT_VERSION},{list}")
    }

    /// An entry of the list.
    fn entry(&mut self, entry: &impl serde::Serialize) -> io::Result<()> {
        match self.written {
            0 => self.head()?,
            _ => self.out.write_all(b",")?,
        }
        self.written += 1;
        self.out.write_all(b"\n")?;
        Ok(serde_json::to_writer(&mut self.out, entry)?)
    }

    fn add_json(&mut self, file: &FileHits) -> io::Result<()> {
        match self.detail {
            Detail::Paths => self.entry(&results::search::file_info(file)),
            Detail::Counts => self.entry(&results::search::count_info(file)),
            Detail::Lines { before, after } => {
                let mut lines = results::search::line_infos(file, before, after);
                lines.try_for_each(|line| self.entry(&line))
            }
        }
    }

    fn add_text(&mut self, file: &FileHits, has_column: bool) -> io::Result<()> {
        let path = self.paths.shown(&file.path);
        let first = file.lines.first().map_or(1, |line| line.line);
        let shown = self
            .paths
            .linked(&file.path, first, &self.ui.path(&path), self.ui);
        let has_heading = self.ui.has_color();
        match self.detail {
            Detail::Paths => return writeln!(self.out, "{shown}"),
            Detail::Counts => return writeln!(self.out, "{shown}:{}", file.count),
            Detail::Lines { .. } if file.lines.is_empty() => return writeln!(self.out, "{shown}"),
            Detail::Lines { .. } => {}
        }
        let has_context =
            matches!(self.detail, Detail::Lines { before, after } if before > 0 || after > 0);
        if file.is_rest {
            // It goes on.
        } else if has_heading {
            let gap = if self.written > 0 { "\n" } else { "" };
            writeln!(self.out, "{gap}{shown}")?;
        } else if has_context && self.written > 0 {
            writeln!(self.out, "--")?;
        }
        self.written += 1;
        let mut last = None;
        for line in &file.lines {
            if has_context && last.is_some_and(|last| last + 1 < line.line) {
                writeln!(self.out, "{}", self.ui.dim("--"))?;
            }
            last = Some(line.line);
            let mark = if line.is_match { ':' } else { '-' };
            if !has_heading {
                write!(self.out, "{path}{mark}")?;
            }
            let number = self.ui.number(&line.line.to_string());
            write!(self.out, "{number}{mark}")?;
            if has_column && line.is_match {
                write!(self.out, "{}{mark}", line.column)?;
            }
            writeln!(self.out, "{}", self.painted(line))?;
        }
        Ok(())
    }

    /// The line with what was found painted. On a terminal, what would steer it is shown.
    fn painted(&self, line: &HitLine) -> String {
        if !self.ui.has_color() {
            return steered(&line.text);
        }
        let (mut out, mut at) = (String::new(), 0);
        for place in &line.places {
            out.push_str(&tame(&line.text[at..place.start]));
            out.push_str(&self.ui.found(&tame(&line.text[place.clone()])));
            at = place.end;
        }
        out.push_str(&tame(&line.text[at..]));
        out
    }
}

/// Ranked hits for people.
pub(super) fn ranked_text(hits: &[RankedHit], paths: &ShownPaths, ui: Ui) -> String {
    let mut text = String::new();
    for hit in hits {
        let path = paths.shown(&hit.path);
        let path = paths.linked(&hit.path, hit.start_line, &ui.path(&path), ui);
        let lines = ui.number(&format!("{}-{}", hit.start_line, hit.end_line));
        let symbol = hit
            .symbol
            .as_deref()
            .map(|name| format!("  {}", tame(name)));
        text.push_str(&format!("{path}:{lines}{}\n", symbol.unwrap_or_default()));
    }
    text
}

/// A text as it is for programs, and tame where it goes to a terminal.
pub(super) fn steered(text: &str) -> String {
    match std::io::stdout().is_terminal() {
        true => tame(text),
        false => text.to_owned(),
    }
}

/// A text that does not steer the terminal; tabs stay.
fn tame(text: &str) -> String {
    let parts: Vec<_> = text.split('\t').map(printable).collect();
    parts.join("\t")
}
