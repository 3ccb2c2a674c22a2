//! Where the lines of a text start, and how strongly a line parts what stands before it
//! from what follows.

use std::ops::Range;

/// The lines of a text.
#[derive(Debug)]
pub(crate) struct LineStarts {
    starts: Vec<usize>,
    length: usize,
}

/// How strongly something parts two pieces: what is weak is joined first.
pub(crate) type Strength = u8;

/// The first words of lines that go on with what stands before them.
const GOING_ON: &[&str] = &[
    "end", "else", "elif", "elsif", "except", "rescue", "ensure", "finally", "catch", "then", "do",
    "fi", "done", "esac",
];

/// Deeper lines are all alike.
const DEEPEST: usize = 30;

impl LineStarts {
    pub(crate) fn of(text: &str) -> Self {
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

    /// The line that a byte lies in, the first being 1.
    pub(crate) fn line_of(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at)
    }

    /// The start of the line that a byte lies in.
    pub(crate) fn start_of(&self, at: usize) -> usize {
        let line = self.line_of(at).saturating_sub(1);
        self.starts.get(line).copied().unwrap_or(0)
    }

    /// The end of the line that a byte lies in, behind its line end.
    pub(crate) fn end_of(&self, at: usize) -> usize {
        let next = self.starts.get(self.line_of(at));
        next.copied().unwrap_or(self.length)
    }

    /// The lines of a part; the first and the last may be incomplete.
    pub(crate) fn within(&self, part: Range<usize>) -> impl Iterator<Item = Range<usize>> {
        let inner = self.starts_within(part.clone());
        let starts = std::iter::once(part.start).chain(inner.iter().copied());
        let ends = inner.iter().copied().chain(std::iter::once(part.end));
        starts.zip(ends).map(|(start, end)| start..end)
    }

    /// The starts of lines inside a part, without its own start.
    pub(crate) fn starts_within(&self, part: Range<usize>) -> &[usize] {
        let first = self.starts.partition_point(|start| *start <= part.start);
        let last = self.starts.partition_point(|start| *start < part.end);
        self.starts.get(first..last).unwrap_or_default()
    }
}

/// How strongly the start of `line` parts it from the line `before`: the less it is
/// indented, the more; still more behind an empty line. An empty line, and one that
/// closes or goes on with what was begun, belongs to what stands before it.
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
        let lines = LineStarts::of(text);
        let at: Vec<_> = (0..text.len()).map(|at| lines.line_of(at)).collect();
        assert_eq!(at, [1, 1, 2, 2, 2, 3, 4]);
        assert_eq!((lines.start_of(3), lines.end_of(3)), (2, 5));
        assert_eq!((lines.start_of(6), lines.end_of(6)), (6, 7));
        let within: Vec<_> = lines.within(1..6).collect();
        assert_eq!(within, [1..2, 2..5, 5..6]);
        assert_eq!(LineStarts::of("a\n").line_of(1), 1);
    }

    #[test]
    fn outer_lines_part_more() {
        assert!(strength("}", "fn b() {") > strength("    x;", "    y;"));
        assert!(strength("", "    y;") > strength("    x;", "    y;"));
        assert!(strength("    x;", "}") < strength("    x;", "    y;"));
        assert_eq!(strength("x", "  \n"), 0);
        assert!(strength("x", "endless = 1") > strength("x", "end"));
    }
}
