//! The working files of a conversation, for an agent whose context was compacted: the summary does
//! not contain the files that the agent read.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use loom_host::{
    Agent, FileAccess, FileUse, InstructionRules, Transcript, is_rule, nested_instructions,
    rule_applies,
};
use loom_wire::{FORMAT_VERSION, WorkingFileInfo, WorkingSetInfo};

use super::runs;
use crate::{Control, Model, Read, Redactor, Result, Snapshot};

/// Maximum number of files; an agent works on fewer at a time.
const FILES: usize = 20;
/// Maximum number of line spans per file.
const SPANS: usize = 3;
/// Default limit in tokens.
const TOKENS: usize = 1500;

/// A query for the files that an agent used last, and the instruction files that apply to them. It
/// is not a call of [`wire`](crate::wire), because a transcript belongs to this machine.
#[derive(Clone, Debug)]
pub struct WorkingSet {
    transcript: Transcript,
    directory: PathBuf,
    tokens: usize,
    bytes: usize,
}

impl WorkingSet {
    /// Parses a transcript of Claude Code or Codex, or its end. The agent worked in `directory`.
    pub fn new(transcript: &str, directory: impl Into<PathBuf>) -> Self {
        Self {
            transcript: Transcript::read(transcript),
            directory: directory.into(),
            tokens: TOKENS,
            bytes: usize::MAX,
        }
    }

    /// Keeps the text within a number of tokens.
    #[must_use]
    pub fn tokens(mut self, tokens: usize) -> Self {
        self.tokens = tokens;
        self
    }

    /// Keeps the text within a number of bytes.
    #[must_use]
    pub fn bytes(mut self, bytes: usize) -> Self {
        self.bytes = bytes;
        self
    }

    fn answer(&self, snapshot: &Snapshot, control: &Control) -> Result<WorkingSetInfo> {
        let run = WorkingSetRun {
            query: self,
            snapshot,
            control,
            model: snapshot.model(),
            redactor: snapshot.redactor(control)?,
            paths: snapshot.files(control)?.to_vec(),
        };
        let files = run.files();
        let instructions = run.instructions(&files);
        Ok(run.text(files, instructions))
    }
}

runs!(WorkingSet => WorkingSetInfo);

/// One run of the query.
struct WorkingSetRun<'a> {
    query: &'a WorkingSet,
    snapshot: &'a Snapshot,
    control: &'a Control,
    model: Model,
    redactor: Redactor,
    /// The files of the snapshot, in order.
    paths: Vec<String>,
}

impl WorkingSetRun<'_> {
    /// Returns the files that still exist, the latest first.
    fn files(&self) -> Vec<WorkingFileInfo> {
        let mut files: Vec<WorkingFileInfo> = Vec::new();
        // A conversation uses the same file many times.
        let mut texts: BTreeMap<String, Option<String>> = BTreeMap::new();
        for used in self.query.transcript.files.iter().rev() {
            let Some(path) = self.path(&used.path) else {
                continue;
            };
            let at = files.iter().position(|file| file.path == path);
            let at = match at {
                Some(at) => at,
                None if files.len() == FILES => continue,
                None => {
                    files.push(WorkingFileInfo {
                        path,
                        edited: false,
                        lines: Vec::new(),
                    });
                    files.len() - 1
                }
            };
            let file = &mut files[at];
            file.edited |= used.access == FileAccess::Edit;
            if file.lines.len() == SPANS {
                continue;
            }
            let text = texts
                .entry(file.path.clone())
                .or_insert_with(|| self.read(&file.path));
            let span = text.as_deref().and_then(|text| span(text, used));
            if let Some(span) = span.filter(|span| !file.lines.contains(span)) {
                file.lines.push(span);
            }
        }
        files.iter_mut().for_each(|file| file.lines.sort_unstable());
        files
    }

    /// Returns the path of a file of the snapshot.
    fn path(&self, used: &str) -> Option<String> {
        let full = self.query.directory.join(used);
        let path = self.snapshot.resolve_path(full.to_str()?)?;
        self.paths.binary_search(&path).is_ok().then_some(path)
    }

    fn read(&self, path: &str) -> Option<String> {
        let read = Read::path(path).run_with(self.snapshot, self.control);
        read.ok().map(|info| info.text)
    }

    /// Returns the instruction files that the agent does not send itself.
    fn instructions(&self, files: &[WorkingFileInfo]) -> Vec<String> {
        let Some(agent) = self.query.transcript.agent else {
            return Vec::new();
        };
        let rules = match agent {
            Agent::ClaudeCode => InstructionRules::ClaudeCode,
            Agent::Codex => InstructionRules::Codex,
        };
        let directory = self.directory();
        let used = || files.iter().map(|file| file.path.as_str());
        let exists = |path: &str| {
            self.paths
                .binary_search_by(|known| known.as_str().cmp(path))
                .is_ok()
        };
        let mut found = nested_instructions(rules, &directory, used(), exists);
        if agent == Agent::ClaudeCode {
            let rules = self.paths.iter().filter(|path| is_rule(path, &directory));
            let applies = |path: &&String| {
                self.read(path)
                    .is_some_and(|rule| rule_applies(&rule, used()))
            };
            found.extend(rules.filter(applies).cloned());
        }
        found
    }

    /// Returns the directory of the agent, from the root.
    fn directory(&self) -> String {
        let path = self.query.directory.to_str();
        let path = path.and_then(|path| self.snapshot.resolve_path(path));
        path.filter(|path| Path::new(path) != Path::new("."))
            .unwrap_or_default()
    }

    /// Writes as much as fits: the files first, then the instructions.
    fn text(&self, files: Vec<WorkingFileInfo>, instructions: Vec<String>) -> WorkingSetInfo {
        let mut text = String::new();
        let mut info = WorkingSetInfo {
            format_version: FORMAT_VERSION,
            text: String::new(),
            tokens: 0,
            files: Vec::new(),
            instructions: Vec::new(),
            truncated: false,
            notices: Vec::new(),
        };
        for file in files {
            let head = match text.is_empty() {
                true => "Files of this conversation before the compaction, latest first:\n",
                false => "",
            };
            match self.appended(&text, &format!("{head}{}\n", line(&file))) {
                Some(longer) => {
                    text = longer;
                    info.files.push(file);
                }
                None => info.truncated = true,
            }
        }
        for path in instructions {
            let Some(contents) = self.read(&path) else {
                continue;
            };
            let head = format!("\nInstructions in {path}:\n");
            let whole = self.appended(&text, &format!("{head}{contents}"));
            let Some(longer) = whole.or_else(|| self.begun(&text, &head, &contents)) else {
                info.truncated = true;
                continue;
            };
            info.truncated |= !longer.ends_with(contents.as_str());
            text = longer;
            info.instructions.push(path);
        }
        info.tokens = self.model.count(&text).upper();
        info.text = text;
        info
    }

    /// Returns both texts as one without secrets; `None` if it exceeds a limit.
    fn appended(&self, text: &str, more: &str) -> Option<String> {
        let more = self.redactor.redact(more);
        let more = self.redactor.redact_known(&more).unwrap_or(more);
        let longer = format!("{text}{more}");
        let fits = longer.len() <= self.query.bytes
            && self.model.count(&longer).upper() <= self.query.tokens;
        fits.then_some(longer)
    }

    /// Appends the first lines of a file that fit.
    fn begun(&self, text: &str, head: &str, contents: &str) -> Option<String> {
        let ends: Vec<usize> = contents.match_indices('\n').map(|(at, _)| at + 1).collect();
        let with = |lines: usize| {
            let begun = &contents[..ends[lines - 1]];
            self.appended(
                text,
                &format!("{head}{begun}[truncated; read the file for the rest]\n"),
            )
        };
        let (mut low, mut high) = (0, ends.len());
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            match with(middle).is_some() {
                true => low = middle,
                false => high = middle - 1,
            }
        }
        (low > 0).then(|| with(low)).flatten()
    }
}

/// Returns the lines that were read, or that contain the new text of an edit.
fn span(text: &str, used: &FileUse) -> Option<[usize; 2]> {
    if let Some((first, last)) = used.lines {
        let total = text.lines().count();
        return Some([first.min(total), last.min(total)]);
    }
    let new = used.text.as_deref()?.trim_end();
    let at = text.find(new).filter(|_| !new.is_empty())?;
    let first = text[..at].matches('\n').count() + 1;
    Some([first, first + new.matches('\n').count()])
}

fn line(file: &WorkingFileInfo) -> String {
    let access = if file.edited { "edited" } else { "read" };
    let spans = file.lines.iter();
    let spans: Vec<String> = spans
        .map(|[first, last]| format!("{first}-{last}"))
        .collect();
    match spans.is_empty() {
        true => format!("- {} ({access})", file.path),
        false => format!("- {} ({access}, lines {})", file.path, spans.join(", ")),
    }
}
