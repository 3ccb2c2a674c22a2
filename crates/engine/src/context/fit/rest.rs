//! Summaries of files that are not shown, or not completely: declarations of their other parts, or
//! a description. They use the budget that pieces leave.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use super::super::corpus::CorpusPart;
use super::choose::Fitting;
use super::{DisplayText, Draft, Summaries, Written};
use crate::FolderSummary;

/// Maximum number of files with a summary.
const MOST: usize = 60;
/// Maximum number of declarations per file.
const DECLARED: usize = 8;
/// Maximum bytes of a declaration.
const LONGEST: usize = 90;
/// Maximum lines of a declaration.
const MOST_LINES: u32 = 6;

/// Number of file summaries before the summary of the project.
const FIRST: usize = 1;
/// Prefix of placeholders of secrets.
const REDACTED: &str = "[REDACTED:";

/// Number of directory summaries, for the directories of the best files.
const FOLDERS: usize = 3;

/// A one-line summary of a file or directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rest {
    /// Displayed path; that of a directory ends with `/`.
    pub path: String,
    /// The summary with line numbers.
    pub text: String,
    /// Path and summary as written.
    pub(super) line: String,
}

impl Rest {
    /// Creates the summary of a path below the directory of the query.
    fn new(path: String, text: String, below: &str) -> Self {
        let shown = match path.strip_prefix(below).unwrap_or(&path) {
            "" => "./",
            shown => shown,
        };
        // A name may contain newlines.
        let name = shown.replace(['\n', '\r'], " ");
        let line = format!("{name}: {text}\n");
        Self { path, text, line }
    }
}

/// Removes the numbers of placeholders: a summary has its own numbering, which differs from that of
/// the output.
fn without_numbers(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(REDACTED) {
        let (before, found) = rest.split_at(at);
        out.push_str(before);
        let end = found.find(']').unwrap_or(found.len());
        let (mark, behind) = found.split_at(end);
        let kind = mark.rsplit_once(':').filter(|(kind, number)| {
            kind.len() > REDACTED.len() && number.bytes().all(|byte| byte.is_ascii_digit())
        });
        out.push_str(kind.map_or(mark, |(kind, _)| kind));
        rest = behind;
    }
    out.push_str(rest);
    out
}

/// Returns the declaration of a part on one line, up to its closing bracket.
fn signature(lines: &DisplayText, part: &CorpusPart) -> String {
    let mut last = part.name_line;
    let is_open = |last: u32| {
        let text = lines.lines(part.name_line..=last);
        text.matches(['(', '[']).count() > text.matches([')', ']']).count()
    };
    let limit = part.last.min(part.name_line + MOST_LINES);
    while last < limit && is_open(last) {
        last += 1;
    }
    if is_open(last) {
        // A bracket in a string, or a very long declaration.
        last = part.name_line;
    }
    let text = lines.lines(part.name_line..=last).trim();
    let text = crate::map::one_line(text.trim_end_matches(['{', ':']), LONGEST);
    text.trim_end().to_owned()
}

impl Fitting<'_> {
    /// Adds summaries while they fit.
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
        // The frame of the section needs tokens, too: the loop drops summaries until all fit.
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

    /// Returns the summaries of files, in the order of files.
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
        let mut found: Vec<Rest> = Vec::new();
        for file in self.selection.files.iter().take(MOST) {
            let text = match shown.get(&file.number) {
                Some(_) => self.declared(file.number, others.get(&file.number)),
                None => without_numbers(&summaries(file.number).unwrap_or_default()),
            };
            let path = self.corpus.files[file.number as usize].path.display();
            if !text.is_empty() {
                found.push(Rest::new(path.into_owned(), text, &self.options.below));
            }
        }
        let at = FIRST.min(found.len());
        found.splice(at..at, self.folders());
        found
    }

    /// Returns the summaries of the project, and of the directories of the best files.
    fn folders(&self) -> Vec<Rest> {
        let top = self.options.below.trim_end_matches('/');
        let mut found: Vec<Rest> = vec![self.folder(top)];
        for file in self.selection.files.iter().take(2 * FOLDERS) {
            let path = self.corpus.files[file.number as usize].path.display();
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            let is_listed = |one: &Rest| one.path.trim_end_matches('/') == folder;
            if found.len() <= FOLDERS && folder != top && !found.iter().any(is_listed) {
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
            "" => String::new(),
            folder => format!("{folder}/"),
        };
        Rest::new(name, summary.line(), &self.options.below)
    }

    /// Lists the declarations of the parts that are not shown, the best first.
    fn declared(&self, file: u32, others: Option<&Vec<u32>>) -> String {
        let mut text = String::new();
        let Some(lines) = (self.texts)(file) else {
            return text;
        };
        let others = others.into_iter().flatten();
        let named = others.filter(|number| self.corpus.parts[**number as usize].name_line > 0);
        for number in named.take(DECLARED) {
            let part = &self.corpus.parts[*number as usize];
            let signature = signature(&lines, part);
            if !signature.is_empty() {
                let gap = if text.is_empty() { "" } else { "; " };
                let (around, first, last) = (self.enclosing_type(*number), part.first, part.last);
                let _ = write!(text, "{gap}{around}{signature} ({first}-{last})");
            }
        }
        text
    }

    /// Returns the type of a method as a prefix of its name.
    fn enclosing_type(&self, part: u32) -> String {
        let program = &self.corpus.program;
        let definition = self.corpus.definition_of(part);
        let parent = definition.and_then(|id| program.parent(id));
        let parent = parent.filter(|id| program.definition(*id).kind.is_type());
        parent.map_or(String::new(), |id| format!("{}: ", program.name(id)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_placeholders_are_removed() {
        for (text, expected) in [
            (
                "a [REDACTED:aws-access-key:2] b",
                "a [REDACTED:aws-access-key] b",
            ),
            ("[REDACTED:a:1][REDACTED:b:22]", "[REDACTED:a][REDACTED:b]"),
            ("[REDACTED:a]", "[REDACTED:a]"),
            ("[REDACTED:", "[REDACTED:"),
            ("[REDACTED:x:y:3", "[REDACTED:x:y"),
        ] {
            assert_eq!(without_numbers(text), expected);
        }
    }
}
