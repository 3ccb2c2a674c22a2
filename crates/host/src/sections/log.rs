//! The last commits as text: author, date, message, and the changed files with their line counts.
//! It omits the email addresses of authors. The caller redacts the messages.

use std::fmt::Write;

use loom_engine::{LineCounts, count_changes};
use loom_source::{Change, History, HistoryError, LogEntry, Version, VersionKind, decode};

use crate::past::{Moved, join_renames};

/// Maximum number of files that are listed for one commit. The first commit of a large project has
/// tens of thousands.
const NAMED: usize = 100;

/// Maximum number of comparisons of similar files in the whole log.
const COMPARISONS: usize = 2_000;

/// Number of bytes in which git looks for binary contents.
const HEAD: usize = 8000;

/// Returns the last `count` commits, or a note in a repository without commits. Returns `None` for
/// a nested repository without commits.
pub(super) fn text(
    history: &History,
    count: usize,
    limit: u64,
) -> Result<Option<String>, HistoryError> {
    let Some(head) = history.head()? else {
        return Ok((!history.is_inner()).then(|| "(no commits yet)\n".to_owned()));
    };
    let mut text = String::new();
    let mut comparisons = COMPARISONS;
    for entry in history.log(head, count)? {
        push(history, entry, limit, &mut comparisons, &mut text);
    }
    Ok((!text.is_empty()).then_some(text))
}

// Writing to a string cannot fail.
fn push(history: &History, entry: LogEntry, limit: u64, comparisons: &mut usize, out: &mut String) {
    if !out.is_empty() {
        out.push('\n');
    }
    let _ = writeln!(out, "commit {}", entry.id);
    if let [_, _, ..] = entry.parents.as_slice() {
        let parents = entry.parents.iter().map(ToString::to_string);
        let _ = writeln!(out, "Merge: {}", parents.collect::<Vec<_>>().join(" "));
    }
    let date = entry.date.as_deref().unwrap_or("unknown");
    let _ = writeln!(out, "Author: {}\nDate: {date}", entry.author);
    let message = entry.message.trim_end();
    if !message.is_empty() {
        out.push('\n');
    }
    for line in message.lines() {
        match line.is_empty() {
            true => out.push('\n'),
            false => out.extend(["    ", line, "\n"]),
        }
    }
    if entry.is_cut {
        out.push_str("\n(a shallow clone: what this commit changed is not known)\n");
    } else {
        let files = join_renames(entry.files, comparisons, |change| {
            let version = change.old.or(change.new)?;
            Some(decode(history.stored(&version, limit)?).ok()?.text)
        });
        push_files(history, &files.moved, limit, out);
    }
}

fn push_files(history: &History, files: &[Moved], limit: u64, out: &mut String) {
    if !files.is_empty() {
        out.push('\n');
    }
    for Moved { from, change } in files.iter().take(NAMED) {
        let path = match *from == change.path {
            true => change.path.in_patch().to_string(),
            false => format!("{} => {}", from.in_patch(), change.path.in_patch()),
        };
        let _ = match counts(history, change, limit) {
            Some(counts) => writeln!(out, "{}\t{}\t{path}", counts.added, counts.removed),
            None => writeln!(out, "-\t-\t{path}"),
        };
    }
    if files.len() > NAMED {
        let _ = writeln!(out, "(and {} more files)", files.len() - NAMED);
    }
}

/// Counts the lines that a change adds and removes; `None` if a side is not text.
fn counts(history: &History, change: &Change, limit: u64) -> Option<LineCounts> {
    let contents = |version: Option<Version>| match version {
        None => Some(Vec::new()),
        Some(version) if version.kind == VersionKind::Submodule => Some(b"commit\n".to_vec()),
        Some(version) => history
            .stored(&version, limit)
            .filter(|bytes| is_text(bytes)),
    };
    let (old, new) = (contents(change.old)?, contents(change.new)?);
    let is_submodule = |version: Option<Version>| {
        version.is_some_and(|version| version.kind == VersionKind::Submodule)
    };
    if is_submodule(change.old) && is_submodule(change.new) {
        // Git shows the commit of a submodule as one line.
        return Some(LineCounts {
            added: 1,
            removed: 1,
        });
    }
    Some(count_changes(&old, &new))
}

fn is_text(bytes: &[u8]) -> bool {
    !bytes[..bytes.len().min(HEAD)].contains(&0)
}
