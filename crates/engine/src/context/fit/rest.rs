//! What is told about files that are not shown, or not as a whole: how their other parts
//! are declared, or what they are about. It takes the room that pieces leave.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use super::super::corpus::CorpusPart;
use super::choose::Fitting;
use super::{Draft, Shown, Summaries, Written};
use crate::FolderSummary;

/// Files that are told about, at most.
const MOST: usize = 60;
/// Declarations that are told of one file.
const DECLARED: usize = 8;
/// Bytes of a declaration.
const LONGEST: usize = 90;
/// Lines that a declaration goes on for.
const MOST_LINES: u32 = 6;

/// Folders that are told about, those of the best files.
const FOLDERS: usize = 3;

/// A line about a file or a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rest {
    /// Its path as it is shown; that of a folder ends with `/`.
    pub path: String,
    /// What is told, with the lines it tells about.
    pub text: String,
    /// Both as written.
    pub(super) line: String,
}

impl Rest {
    fn new(path: String, text: String) -> Self {
        // A name may hold what ends a line.
        let name = path.replace(['\n', '\r'], " ");
        let line = format!("{name}: {text}\n");
        Self { path, text, line }
    }
}

/// How a part is declared, on one line: up to where its brackets close.
fn signature(lines: &Shown, part: &CorpusPart) -> String {
    let mut last = part.name_line;
    let is_open = |last: u32| {
        let text = lines.lines(part.name_line..=last);
        text.matches(['(', '[']).count() > text.matches([')', ']']).count()
    };
    while last < part.last.min(part.name_line + MOST_LINES) && is_open(last) {
        last += 1;
    }
    let text = lines.lines(part.name_line..=last).trim();
    let text = crate::map::one_line(text.trim_end_matches(['{', ':']), LONGEST);
    text.trim_end().to_owned()
}

impl Fitting<'_> {
    /// Adds lines while they fit.
    pub(super) fn with_rest(&self, pieces: Written, summaries: Summaries<'_>) -> Draft {
        let Written { fitted, choices } = pieces;
        let tokenizer = self.options.tokenizer;
        let mut room = self.options.budget.saturating_sub(fitted.tokens);
        let mut rest: Vec<Rest> = Vec::new();
        for one in self.rest_of(&fitted, summaries) {
            let tokens = tokenizer.count(&one.line).upper();
            if tokens > room {
                continue;
            }
            room -= tokens;
            rest.push(one);
        }
        // The frame of the section counts too: what it takes is given back.
        let mut best = fitted;
        while !rest.is_empty() {
            let tried = self.write(&choices, &rest);
            if tried.tokens <= self.options.budget {
                best = tried;
                break;
            }
            rest.truncate(rest.len() - (rest.len() / 8).max(1));
        }
        best
    }

    /// Lines about files, in the order of files.
    fn rest_of(&self, fitted: &Draft, summaries: Summaries<'_>) -> Vec<Rest> {
        let mut shown: HashMap<u32, HashSet<u32>> = HashMap::new();
        for piece in &fitted.pieces {
            shown.entry(piece.file).or_default().extend(&piece.parts);
        }
        let mut others: HashMap<u32, Vec<u32>> = HashMap::new();
        for one in &self.selection.parts {
            let file = self.corpus.parts[one.number as usize].file;
            if let Some(parts) = shown.get(&file)
                && !parts.contains(&one.number)
            {
                others.entry(file).or_default().push(one.number);
            }
        }
        let mut found = self.folders();
        for file in self.selection.files.iter().take(MOST) {
            let text = match shown.get(&file.number) {
                Some(_) => self.declared(file.number, others.get(&file.number)),
                None => summaries(file.number).unwrap_or_default(),
            };
            let path = self.corpus.files[file.number as usize].path.display();
            if !text.is_empty() {
                found.push(Rest::new(path.into_owned(), text));
            }
        }
        found
    }

    /// What the project is, and what the folders of the best files hold.
    fn folders(&self) -> Vec<Rest> {
        let mut found: Vec<Rest> = vec![self.folder("")];
        for file in self.selection.files.iter().take(2 * FOLDERS) {
            let path = self.corpus.files[file.number as usize].path.display();
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            let is_told = |one: &Rest| one.path.strip_suffix('/') == Some(folder);
            if found.len() <= FOLDERS && !folder.is_empty() && !found.iter().any(is_told) {
                found.push(self.folder(folder));
            }
        }
        found
    }

    fn folder(&self, folder: &str) -> Rest {
        let files = self.corpus.files.iter();
        let files = files.map(|file| (&file.path, file.lines as usize));
        let mut summary = FolderSummary::of(folder, files);
        if let Some(number) = summary.introduced_by
            && let Some(shown) = (self.texts)(number as u32)
        {
            summary = summary.introduced(&self.corpus.files[number].path, &shown.text);
        }
        let name = match folder {
            "" => "./".to_owned(),
            folder => format!("{folder}/"),
        };
        Rest::new(name, summary.line())
    }

    /// How the parts of a file that are not shown are declared, the best first.
    fn declared(&self, file: u32, others: Option<&Vec<u32>>) -> String {
        let mut text = String::new();
        let Some(lines) = (self.texts)(file) else {
            return text;
        };
        for number in others.into_iter().flatten().take(DECLARED) {
            let part = &self.corpus.parts[*number as usize];
            if part.name_line == 0 {
                continue;
            }
            let signature = signature(&lines, part);
            if !signature.is_empty() {
                let gap = if text.is_empty() { "" } else { "; " };
                let (around, first, last) = (self.around(*number), part.first, part.last);
                let _ = write!(text, "{gap}{around}{signature} ({first}-{last})");
            }
        }
        text
    }

    /// The type that a method is of, as it is told before it.
    fn around(&self, part: u32) -> String {
        let program = &self.corpus.program;
        let definition = self.corpus.definition_of(part);
        let parent = definition.and_then(|id| program.parent(id));
        parent.map_or(String::new(), |id| format!("{}: ", program.name(id)))
    }
}
