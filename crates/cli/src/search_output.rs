//! Prints matches: for people as `rg` does, for programs as JSON. Each match is printed at once.

use std::io::IsTerminal;
use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::PathBuf;

use infiniloom::{FileMatches, FoundLine, file_url};
use loom_base::{RepoPath, printable};
use loom_wire::{FORMAT_VERSION, RankedHitInfo, SearchInfo};

use super::notice_json;
use super::ui::Ui;

/// Audience of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Text { has_column: bool },
    Json,
}

/// Paths for people, relative to the current directory.
#[derive(Debug, Default)]
pub(super) struct ShownPaths {
    /// Prefix of every path, if the current directory is not below the top.
    prefix: PathBuf,
    /// Path from the top to the current directory, if it is below.
    here: Option<String>,
    /// The top directory, for links.
    root: Option<PathBuf>,
}

/// Returns the relative path from a directory to a path; both start at the top.
fn from(here: &str, path: &str) -> String {
    let folders: Vec<&str> = here.split('/').collect();
    let parts: Vec<&str> = path.split('/').collect();
    let both = folders.iter().zip(&parts[..parts.len() - 1]);
    let common = both.take_while(|(one, other)| one == other).count();
    "../".repeat(folders.len() - common) + &parts[common..].join("/")
}

impl ShownPaths {
    /// Returns paths that can be opened from the current directory.
    pub(super) fn new(roots: &[PathBuf], paths: &[PathBuf]) -> Self {
        let [root] = roots else {
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
            (None, None) => (typed.map_or(root.clone(), PathBuf::clone), None),
        };
        Self {
            prefix,
            here,
            root: Some(root.clone()),
        }
    }

    fn shown(&self, path: &str) -> String {
        let shown = match self.here.as_deref() {
            Some(here) => PathBuf::from(from(here, path)),
            None => self.prefix.join(path),
        };
        printable(&shown.to_string_lossy()).into_owned()
    }

    /// Returns a location that editors and terminals understand.
    pub(super) fn place(&self, path: &str, line: usize, column: usize, ui: Ui) -> String {
        let shown = ui.path(&self.shown(path));
        let shown = self.linked(path, line, &shown, ui);
        format!("{shown}:{}:{column}", ui.number(&line.to_string()))
    }

    /// Returns the path as a link that terminals follow.
    fn linked(&self, path: &str, line: usize, text: &str, ui: Ui) -> String {
        if !ui.has_color() {
            return text.to_owned();
        }
        let path = RepoPath::from_display(path).ok();
        match (&self.root, path.as_ref().and_then(RepoPath::as_str)) {
            (Some(root), Some(name)) => {
                let target = file_url(&root.join(name));
                format!("\x1b]8;;{target}#{line}\x1b\\{text}\x1b]8;;\x1b\\")
            }
            _ => text.to_owned(),
        }
    }
}

/// Detail for each file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    /// Lines, with or without some around them.
    Lines {
        has_context: bool,
    },
    Paths,
    Counts,
}

/// Writer of results.
pub(super) struct Output {
    shape: Shape,
    detail: Detail,
    ui: Ui,
    paths: ShownPaths,
    out: BufWriter<StdoutLock<'static>>,
    /// Number of written entries.
    written: usize,
    /// True if there are lines, and not only paths or numbers.
    has_lines: bool,
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
            has_lines: matches!(detail, Detail::Lines { .. }),
        }
    }

    pub(super) fn add(&mut self, file: FileMatches) -> io::Result<()> {
        // A query of paths only matches files, not lines.
        self.has_lines = file.has_lines();
        match self.shape {
            Shape::Json => self.add_json(&file),
            Shape::Text { has_column } => self.add_text(file, has_column),
        }
    }

    pub(super) fn finish(mut self, info: &SearchInfo) -> io::Result<()> {
        let summary = &info.summary;
        if self.shape == Shape::Json {
            if self.written == 0 {
                self.head()?;
            }
            self.out.write_all(b"\n],\"summary\":")?;
            serde_json::to_writer(&mut self.out, summary)?;
            notice_json::write(&mut self.out, &info.notices)?;
            self.out.write_all(b"}\n")?;
        } else if summary.cut {
            self.out.flush()?;
            let what = match self.has_lines {
                true => "lines",
                false => "files",
            };
            self.ui
                .hint(&format!("there is more: --limit N shows N {what}"));
        }
        self.out.flush()
    }

    fn head(&mut self) -> io::Result<()> {
        let list = match self.has_lines {
            true => "\"matches\":[",
            false => "\"matches\":[],\"files\":[",
        };
        write!(self.out, "{{\"format_version\":{FORMAT_VERSION},{list}")
    }

    /// Writes an entry of the list.
    fn entry(&mut self, entry: &impl serde::Serialize) -> io::Result<()> {
        match self.written {
            0 => self.head()?,
            _ => self.out.write_all(b",")?,
        }
        self.written += 1;
        self.out.write_all(b"\n")?;
        Ok(serde_json::to_writer(&mut self.out, entry)?)
    }

    fn add_json(&mut self, file: &FileMatches) -> io::Result<()> {
        match file.has_lines() {
            true => file.matches().iter().try_for_each(|line| self.entry(line)),
            false => self.entry(&file.info()),
        }
    }

    fn add_text(&mut self, file: FileMatches, has_column: bool) -> io::Result<()> {
        let (path, count, continues) = (file.path(), file.count(), file.continues());
        let has_lines = file.has_lines();
        let lines = file.into_lines();
        let plain = self.paths.shown(&path);
        let first = lines.first().map_or(1, |line| line.line);
        let shown = self.ui.path(&plain);
        let shown = self.paths.linked(&path, first, &shown, self.ui);
        match self.detail {
            Detail::Counts if !has_lines => {
                return match count {
                    0 => writeln!(self.out, "{shown}"),
                    count => writeln!(self.out, "{shown}:{count}"),
                };
            }
            _ if !has_lines || lines.is_empty() => return writeln!(self.out, "{shown}"),
            _ => {}
        }
        let has_context = matches!(self.detail, Detail::Lines { has_context: true });
        if !continues {
            self.heading(&shown, has_context)?;
        }
        self.written += 1;
        let mut last = None;
        for line in &lines {
            if has_context && last.is_some_and(|last| last + 1 < line.line) {
                writeln!(self.out, "{}", self.ui.dim("--"))?;
            }
            last = Some(line.line);
            self.line(&plain, line, has_column)?;
        }
        Ok(())
    }

    /// Writes the path above its lines, or the separator after the previous file.
    fn heading(&mut self, shown: &str, has_context: bool) -> io::Result<()> {
        if self.ui.has_color() {
            let gap = if self.written > 0 { "\n" } else { "" };
            writeln!(self.out, "{gap}{shown}")
        } else if has_context && self.written > 0 {
            writeln!(self.out, "--")
        } else {
            Ok(())
        }
    }

    fn line(&mut self, path: &str, line: &FoundLine, has_column: bool) -> io::Result<()> {
        let mark = if line.is_match { ':' } else { '-' };
        if !self.ui.has_color() {
            write!(self.out, "{path}{mark}")?;
        }
        let number = self.ui.number(&line.line.to_string());
        write!(self.out, "{number}{mark}")?;
        if has_column && line.is_match {
            write!(self.out, "{}{mark}", line.column)?;
        }
        writeln!(self.out, "{}", self.painted(line))
    }

    /// Writes the line with the matches in colour. On a terminal it escapes control characters.
    fn painted(&self, line: &FoundLine) -> String {
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

/// Writes ranked hits for people.
pub(super) fn ranked_text(hits: &[RankedHitInfo], paths: &ShownPaths, ui: Ui) -> String {
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

/// Returns a text unchanged for programs, and without control characters for a terminal.
pub(super) fn steered(text: &str) -> String {
    match std::io::stdout().is_terminal() {
        true => tame(text),
        false => text.to_owned(),
    }
}

/// Escapes characters that control a terminal; tabs stay.
fn tame(text: &str) -> String {
    let parts: Vec<_> = text.split('\t').map(printable).collect();
    parts.join("\t")
}
