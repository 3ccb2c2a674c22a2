//! Spans of decoded text: bytes of the UTF-8 form, and lines counted from 1.

use std::ops::Range;

/// A half-open range of bytes in the decoded UTF-8 text of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ByteSpan {
    /// The first byte.
    pub start: usize,
    /// The byte after the last one.
    pub end: usize,
}

impl ByteSpan {
    /// A span from `start` up to, not including, `end`.
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// How many bytes it covers.
    pub const fn len(self) -> usize {
        self.end.saturating_sub(self.start)
    }

    /// Whether it covers nothing.
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The same as a standard range, for slicing.
    pub const fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

/// An inclusive range of lines, the first line of a file being 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineSpan {
    /// The first line.
    pub first: usize,
    /// The last line, at least `first`.
    pub last: usize,
}

impl LineSpan {
    /// Lines `first` to `last`, both included.
    pub const fn new(first: usize, last: usize) -> Self {
        Self { first, last }
    }
}
