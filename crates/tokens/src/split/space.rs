//! Runs of white space, which the patterns split by what follows them.

use crate::unicode::{NEWLINE, SPACE, char_at};

/// A run of white space.
pub(crate) struct Run {
    /// Its first byte.
    start: usize,
    /// The first byte of its last character.
    last: usize,
    /// The end of its last carriage return or line feed.
    newline: Option<usize>,
    /// Its end.
    end: usize,
}

impl Run {
    /// The run that begins at `start`.
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

    /// The end of the last line end, if the run holds one.
    pub(crate) fn after_newline(&self) -> Option<usize> {
        self.newline
    }

    /// Its end.
    pub(crate) fn end(&self) -> usize {
        self.end
    }

    /// Whether the text ends with the run.
    pub(crate) fn is_final(&self, text: &[u8]) -> bool {
        self.end == text.len()
    }

    /// `\s+(?!\S)|\s`: all of the run at the end of the text, else all but its
    /// last character, which goes with what follows, else that character.
    pub(crate) fn without_last(&self, text: &[u8]) -> usize {
        if self.is_final(text) || self.last == self.start {
            self.end
        } else {
            self.last
        }
    }
}
