//! The starts of the lines of a text, and how strongly a line separates the text before it from the
//! text after it.

use std::ops::Range;

/// Starts of the lines of a text.
#[derive(Debug)]
pub(crate) struct LineStarts {
    starts: Vec<usize>,
    length: usize,
}

/// Strength of a boundary: weak ones are joined first.
pub(crate) type Strength = u8;

/// First words of lines that continue the line before.
const GOING_ON: &[&str] = &[
    "end", "else", "elif", "elsif", "except", "rescue", "ensure", "finally", "catch", "then", "do",
    "fi", "done", "esac",
];

/// Indentation that counts as the deepest level.
const DEEPEST: usize = 30;

impl LineStarts {
    pub(crate) fn new(text: &str) -> Self {
        let behind = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let mut starts: Vec<usize> = std::iter::once(0)
            .chain(behind.map(|(at, _)| at + 1))
            .collect();
        if text.ends_with('\n') {
            starts.pop();
        }
        Self {
            starts,
            length: text.len(),
        }
    }

    /// Returns the line of a byte, counted from 1.
    pub(crate) fn line_of(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at)
    }

    /// Returns the start of the line that contains a byte.
    pub(crate) fn start_of(&self, at: usize) -> usize {
        let line = self.line_of(at).saturating_sub(1);
        self.starts.get(line).copied().unwrap_or(0)
    }

    /// Returns the end of the line that contains a byte, after its newline.
    pub(crate) fn end_of(&self, at: usize) -> usize {
        let next = self.starts.get(self.line_of(at));
        next.copied().unwrap_or(self.length)
    }

    /// Returns the lines of a range; the first and the last may be incomplete.
    pub(crate) fn within(&self, part: Range<usize>) -> impl Iterator<Item = Range<usize>> {
        let inner = self.starts_within(part.clone());
        let starts = std::iter::once(part.start).chain(inner.iter().copied());
        let ends = inner.iter().copied().chain(std::iter::once(part.end));
        starts.zip(ends).map(|(start, end)| start..end)
    }

    /// Returns the starts of lines inside a range, without its own start.
    pub(crate) fn starts_within(&self, part: Range<usize>) -> &[usize] {
        let first = self.starts.partition_point(|start| *start <= part.start);
        let last = self.starts.partition_point(|start| *start < part.end);
        self.starts.get(first..last).unwrap_or_default()
    }
}

/// Returns how strongly the start of `line` separates it from the line `before`. Less indentation
/// and an empty line before make it stronger. An empty line, or a line that closes or continues a
/// block, belongs to the text before it.
pub(crate) fn strength(before: &str, line: &str) -> Strength {
    let words = line.trim();
    if words.is_empty() {
        return 0;
    }
    let first = words.split(|c: char| !c.is_alphanumeric()).next();
    if words.starts_with([')', ']', '}']) || first.is_some_and(|word| GOING_ON.contains(&word)) {
        return 1;
    }
    let indent: usize = line
        .bytes()
        .take_while(u8::is_ascii_whitespace)
        .map(|byte| if byte == b'\t' { 4 } else { 1 })
        .sum();
    let outer = 2 * (DEEPEST - indent.min(DEEPEST));
    2 + outer as Strength + Strength::from(before.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_found() {
        let text = "a\nbc\n\nd";
        let lines = LineStarts::new(text);
        let at: Vec<_> = (0..text.len()).map(|at| lines.line_of(at)).collect();
        assert_eq!(at, [1, 1, 2, 2, 2, 3, 4]);
        assert_eq!((lines.start_of(3), lines.end_of(3)), (2, 5));
        assert_eq!((lines.start_of(6), lines.end_of(6)), (6, 7));
        let within: Vec<_> = lines.within(1..6).collect();
        assert_eq!(within, [1..2, 2..5, 5..6]);
        assert_eq!(LineStarts::new("a\n").line_of(1), 1);
    }

    #[test]
    fn outer_lines_are_stronger_boundaries() {
        assert!(strength("}", "fn b() {") > strength("    x;", "    y;"));
        assert!(strength("", "    y;") > strength("    x;", "    y;"));
        assert!(strength("    x;", "}") < strength("    x;", "    y;"));
        assert_eq!(strength("x", "  \n"), 0);
        assert!(strength("x", "endless = 1") > strength("x", "end"));
    }
}
