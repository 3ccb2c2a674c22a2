//! Runs of white space, which the patterns split by the text after them.

use crate::unicode::{NEWLINE, SPACE, char_at};

/// Run of white space.
pub(crate) struct Run {
    /// First byte.
    start: usize,
    /// First byte of its last character.
    last: usize,
    /// End of its last carriage return or line feed.
    newline: Option<usize>,
    /// End of the run.
    end: usize,
}

impl Run {
    /// Returns the run that begins at `start`.
    pub(crate) fn at(text: &[u8], start: usize) -> Self {
        let (mut last, mut end, mut newline) = (start, start, None);
        while end < text.len() {
            let (class, length) = char_at(text, end);
            if class & SPACE == 0 {
                break;
            }
            last = end;
            end += length;
            if class & NEWLINE != 0 {
                newline = Some(end);
            }
        }
        Self {
            start,
            last,
            newline,
            end,
        }
    }

    /// Returns the end of the last newline in the run, if there is one.
    pub(crate) fn after_newline(&self) -> Option<usize> {
        self.newline
    }

    /// Returns the end of the run.
    pub(crate) fn end(&self) -> usize {
        self.end
    }

    /// Returns whether the text ends with the run.
    pub(crate) fn is_final(&self, text: &[u8]) -> bool {
        self.end == text.len()
    }

    /// Returns the end of `\s+(?!\S)|\s`: all of the run at the end of the text, otherwise all but
    /// its last character, which joins the text after it, otherwise that character.
    pub(crate) fn without_last(&self, text: &[u8]) -> usize {
        if self.is_final(text) || self.last == self.start {
            self.end
        } else {
            self.last
        }
    }
}
