//! Marks of changes in the contents of a file. Every line of a marked text starts with one
//! additional character: `+` for an added or changed line, a space for an unchanged one. A line
//! that starts with `-` states the number of lines removed there, and is not part of the file.
//!
//! If the file does not end with a newline and its end was removed, the last line of the marked
//! text is such a line without a newline; then the newline before it is not part of the file
//! either.

use std::fmt::Write;

use super::lines::{Hunk, bare_hunks};

/// Changes in a file, by lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marks {
    hunks: Vec<Hunk>,
    /// Number of lines of the file.
    lines: usize,
    /// Its line ending.
    end: &'static str,
}

impl Marks {
    /// Returns the changes from `old` to `new`; `None` if no line changed. Ignores line endings.
    pub fn between(old: &str, new: &str) -> Option<Self> {
        let hunks = bare_hunks(old, new);
        let marks = Self {
            hunks,
            lines: new.split_inclusive('\n').count(),
            end: line_end(new),
        };
        (!marks.hunks.is_empty()).then_some(marks)
    }

    /// Adds marks to `shown`, which contains lines of the file, optionally with numbers, starting
    /// at the line `first`, counted from 1.
    pub fn apply(&self, shown: &str, first: usize) -> String {
        let mut out = String::with_capacity(shown.len() + shown.len() / 16);
        let mut at = first.saturating_sub(1);
        let mut hunks = self.hunks.as_slice();
        // Lines removed before a part belong to the previous part.
        hunks =
            &hunks[hunks.partition_point(|hunk| hunk.after.end.max(hunk.after.start + 1) <= at)..];
        for line in shown.split_inclusive('\n') {
            let hunk = hunks.first().filter(|hunk| hunk.after.start <= at);
            if let Some(hunk) = hunk.filter(|hunk| hunk.after.start == at) {
                self.removal(hunk, &mut out);
            }
            let is_new = hunk.is_some_and(|hunk| hunk.after.contains(&at));
            out.push(if is_new { '+' } else { ' ' });
            out.push_str(line);
            at += 1;
            hunks = &hunks
                [hunks.partition_point(|hunk| hunk.after.end <= at && hunk.after.start < at)..];
        }
        if at == self.lines {
            hunks.iter().for_each(|hunk| self.removal(hunk, &mut out));
        }
        out
    }

    fn removal(&self, hunk: &Hunk, out: &mut String) {
        let count = hunk.before.len();
        if count == 0 {
            return;
        }
        let is_open = !out.is_empty() && !out.ends_with('\n');
        if is_open {
            out.push('\n');
        }
        let lines = if count == 1 { "line" } else { "lines" };
        // Writing to a string cannot fail.
        let _ = write!(out, "-({count} {lines} removed)");
        if !is_open {
            out.push_str(self.end);
        }
    }
}

/// Removes the marks.
pub fn unmark(marked: &str) -> String {
    let mut text = String::with_capacity(marked.len());
    for line in marked.split_inclusive('\n') {
        let mut rest = line.chars();
        match rest.next() {
            Some('-') if line.ends_with('\n') => {}
            Some('-') => {
                text.pop();
            }
            _ => text.push_str(rest.as_str()),
        }
    }
    text
}

/// Returns the line ending of a text.
fn line_end(text: &str) -> &'static str {
    match text.split_inclusive('\n').next() {
        Some(line) if line.ends_with("\r\n") => "\r\n",
        _ => "\n",
    }
}
