//! What is told about files that are not shown, or not as a whole: how their other parts
//! are declared, or what they are about. It takes the room that pieces leave.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use super::choose::Fitting;
use super::{Draft, Summaries, Written};
use crate::FolderSummary;

/// Files that are told about, at most.
const MOST: usize = 60;
/// Declarations that are told of one file.
const DECLARED: usize = 8;
/// Bytes of a declaration.
const LONGEST: usize = 90;

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

    /// What the folders of the best files hold.
    fn folders(&self) -> Vec<Rest> {
        let mut found: Vec<Rest> = Vec::new();
        for file in self.selection.files.iter().take(2 * FOLDERS) {
            let path = self.corpus.files[file.number as usize].path.display();
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            let name = match folder {
                "" => "./".to_owned(),
                folder => format!("{folder}/"),
            };
            if found.len() >= FOLDERS || found.iter().any(|one| one.path == name) {
                continue;
            }
            let files = self.corpus.files.iter();
            let files = files.map(|file| (&file.path, file.lines as usize));
            found.push(Rest::new(name, FolderSummary::of(folder, files).line()));
        }
        found
    }

    /// How the parts of a file that are not shown are declared, the best first.
    fn declared(&self, file: u32, others: Option<&Vec<u32>>) -> String {
        let mut text = String::new();
        let Some(lines) = (self.texts)(file) else {
            return text;
        };
        for part in others.into_iter().flatten().take(DECLARED) {
            let part = &self.corpus.parts[*part as usize];
            if part.name_line == 0 {
                continue;
            }
            let line = lines.lines(part.name_line..=part.name_line).trim();
            let line = crate::map::one_line(line.trim_end_matches(['{', ':']), LONGEST);
            if !line.is_empty() {
                let gap = if text.is_empty() { "" } else { "; " };
                let _ = write!(
                    text,
                    "{gap}{} ({}-{})",
                    line.trim_end(),
                    part.first,
                    part.last
                );
            }
        }
        text
    }
}
