//! Spans of decoded text: bytes of the UTF-8 form, and lines counted from 1.

use std::ops::Range;

/// A half-open range of bytes in the decoded UTF-8 text of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ByteSpan {
    /// First byte.
    pub start: usize,
    /// Byte after the last one.
    pub end: usize,
}

impl ByteSpan {
    /// Creates a span from `start` up to, not including, `end`.
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// Returns the number of bytes.
    pub const fn len(self) -> usize {
        self.end.saturating_sub(self.start)
    }

    /// Returns whether the span is empty.
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Returns the span as a standard range, for slicing.
    pub const fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

/// Inclusive range of lines; the first line of a file is 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineSpan {
    /// First line.
    pub first: usize,
    /// Last line, at least `first`.
    pub last: usize,
}

impl LineSpan {
    /// Creates a span of the lines `first` to `last`, both included.
    pub const fn new(first: usize, last: usize) -> Self {
        Self { first, last }
    }
}
