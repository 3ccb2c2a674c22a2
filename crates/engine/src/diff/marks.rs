//! Marks in the contents of a file that show what changed. Every line of a marked
//! text starts with one character that is not the file's: `+` for a line that was
//! added or changed, a space for one that was there. A line that starts with `-`
//! says how many lines were removed there, and is not the file's as a whole.
//!
//! Where the file does not end with a line feed and its end was removed, the last
//! line of the marked text is such a line without a line feed: then the line feed
//! before it is not the file's either.

use std::fmt::Write;

use super::lines::{Hunk, bare_hunks};

/// What changed in a file, by lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marks {
    hunks: Vec<Hunk>,
    /// The lines of the file.
    lines: usize,
    /// How its lines end.
    end: &'static str,
}

impl Marks {
    /// What changed from `old` to `new`; `None` when no line did. Line ends alone
    /// are no change.
    pub fn between(old: &str, new: &str) -> Option<Self> {
        let hunks = bare_hunks(old, new);
        let marks = Self {
            hunks,
            lines: new.split_inclusive('\n').count(),
            end: line_end(new),
        };
        (!marks.hunks.is_empty()).then_some(marks)
    }

    /// `shown` with marks. It holds lines of the file, with numbers perhaps, from the
    /// line `first` on, counted from 1.
    pub fn apply(&self, shown: &str, first: usize) -> String {
        let mut out = String::with_capacity(shown.len() + shown.len() / 16);
        let mut at = first.saturating_sub(1);
        let mut hunks = self.hunks.as_slice();
        // What was removed before a part belongs to the part before it.
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

/// The text without its marks.
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

/// How lines of a text end.
fn line_end(text: &str) -> &'static str {
    match text.split_inclusive('\n').next() {
        Some(line) if line.ends_with("\r\n") => "\r\n",
        _ => "\n",
    }
}
