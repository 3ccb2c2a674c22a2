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

/// `shown` with marks, where `shown` has the lines of `new` (with numbers, perhaps).
/// `None` when no line changed: nothing is marked then. Line ends alone are no
/// change.
pub fn mark_changes(old: &str, new: &str, shown: &str) -> Option<String> {
    let hunks = bare_hunks(old, new);
    if hunks.is_empty() {
        return None;
    }
    let mut marked = Marked {
        out: String::with_capacity(shown.len() + shown.len() / 16),
        end: line_end(new),
    };
    let mut hunks = hunks.iter().peekable();
    let mut changed = 0..0;
    for (at, line) in shown.split_inclusive('\n').enumerate() {
        if let Some(hunk) = hunks.next_if(|hunk| hunk.after.start == at) {
            marked.removal(hunk);
            changed = hunk.after.clone();
        }
        marked.line(if changed.contains(&at) { '+' } else { ' ' }, line);
    }
    hunks.for_each(|hunk| marked.removal(hunk));
    Some(marked.out)
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

struct Marked {
    out: String,
    end: &'static str,
}

impl Marked {
    fn line(&mut self, mark: char, line: &str) {
        self.out.push(mark);
        self.out.push_str(line);
    }

    fn removal(&mut self, hunk: &Hunk) {
        let count = hunk.before.len();
        if count == 0 {
            return;
        }
        let is_open = !self.out.is_empty() && !self.out.ends_with('\n');
        if is_open {
            self.out.push('\n');
        }
        let lines = if count == 1 { "line" } else { "lines" };
        // Writing to a string cannot fail.
        let _ = write!(self.out, "-({count} {lines} removed)");
        if !is_open {
            self.out.push_str(self.end);
        }
    }
}
