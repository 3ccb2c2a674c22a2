//! Finds the matching lines of a text, and the matches in them. A `\n` ends a line; non-empty text
//! after the last newline is a line.

use std::ops::{ControlFlow, Range};

use grep_matcher::{LineMatchKind, Matcher};
use grep_regex::RegexMatcher;

/// A compiled pattern.
#[derive(Clone, Debug)]
pub struct LineMatcher {
    matcher: RegexMatcher,
    /// True if no match crosses a newline, so that many lines can be searched at once.
    is_fast: bool,
}

impl LineMatcher {
    pub(crate) fn new(matcher: RegexMatcher) -> Self {
        let is_fast = matcher.line_terminator().is_some();
        Self { matcher, is_fast }
    }

    /// Returns true if a line of `text` matches.
    pub fn is_match(&self, text: &[u8]) -> bool {
        let mut any = false;
        self.lines(text, |_| {
            any = true;
            ControlFlow::Break(())
        });
        any
    }

    /// Calls `each` with every matching line, in order and with its newline.
    pub fn lines(&self, text: &[u8], mut each: impl FnMut(Range<usize>) -> ControlFlow<()>) {
        let mut at = 0;
        while at < text.len() {
            let Some(line) = self.next(text, at) else {
                return;
            };
            at = line.end;
            if each(line).is_break() {
                return;
            }
        }
    }

    /// Returns the non-empty matches in one line.
    pub fn spans(&self, line: &[u8]) -> Vec<Range<usize>> {
        let mut spans = Vec::new();
        let line = trimmed(line);
        // The engine has no errors.
        let _ = self.matcher.find_iter(line, |found| {
            if !found.is_empty() {
                spans.push(found.start()..found.end());
            }
            true
        });
        spans
    }

    /// Returns the next matching line at or after `at`, the start of a line.
    fn next(&self, text: &[u8], mut at: usize) -> Option<Range<usize>> {
        while at < text.len() {
            if !self.is_fast {
                let line = at..end_of_line(text, at);
                if self.is_line(&text[line.clone()]) {
                    return Some(line);
                }
                at = line.end;
                continue;
            }
            let found = self.matcher.find_candidate_line(&text[at..]).ok()?;
            let (LineMatchKind::Confirmed(place) | LineMatchKind::Candidate(place)) = found?;
            let is_sure = matches!(found, Some(LineMatchKind::Confirmed(_)));
            let line = line_around(text, at + place);
            // An empty match after the last newline is not in a line.
            if line.is_empty() {
                return None;
            }
            if is_sure || self.is_line(&text[line.clone()]) {
                return Some(line);
            }
            at = line.end;
        }
        None
    }

    fn is_line(&self, line: &[u8]) -> bool {
        self.matcher.is_match(trimmed(line)).unwrap_or(false)
    }
}

fn trimmed(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\n").unwrap_or(line)
}

fn end_of_line(text: &[u8], at: usize) -> usize {
    memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |end| at + end + 1)
}

/// Returns the line around a position, with its newline.
pub(crate) fn line_around(text: &[u8], place: usize) -> Range<usize> {
    let place = place.min(text.len());
    let start = memchr::memrchr(b'\n', &text[..place]).map_or(0, |end| end + 1);
    start..end_of_line(text, place)
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use crate::{Case, Pattern, PatternKind};

    /// Compares the numbers of the matching lines.
    fn check(pattern: &str, options: &str, text: &str, expected: &[usize]) {
        let pattern = Pattern {
            text: pattern.to_owned(),
            kind: match options.contains('F') {
                true => PatternKind::Literal,
                false => PatternKind::Regex,
            },
            case: match options {
                _ if options.contains('i') => Case::Insensitive,
                _ if options.contains('S') => Case::Smart,
                _ => Case::Sensitive,
            },
            is_word: options.contains('w'),
        };
        let matcher = pattern.compile().unwrap();
        let mut found = Vec::new();
        matcher.lines(text.as_bytes(), |line| {
            found.push(1 + text[..line.start].matches('\n').count());
            ControlFlow::Continue(())
        });
        assert_eq!(found, expected, "{pattern:?}");
    }

    #[test]
    fn matching_lines_equal_ripgrep() {
        check("b", "", "a\nb\nab", &[2, 3]);
        check("B", "i", "a\nb\nab", &[2, 3]);
        check("b", "S", "B\nb", &[1, 2]);
        check("B", "S", "B\nb", &[1]);
        check("a.c", "F", "abc\na.c\n", &[2]);
        check("ab", "w", "abc\nab c\nx_ab\n", &[2]);
        check("^$", "", "a\n\nb\n", &[2]);
        check("", "", "a\n\nb\n", &[1, 2, 3]);
        check("", "", "", &[]);
        check("a\\s+b", "", "a\nb\na b\n", &[3]);
        check("[^x]b", "", "a\nb\nab\n", &[3]);
        check("a$", "", "a\r\na\n", &[2]);
        check("\\Aa", "", "a\nba\na\n", &[1, 3]);
        check("a\\z", "", "a\nab\nba\n", &[1, 3]);
        check("(?s)a.b", "", "a\nb\na-b", &[3]);
        check("é+", "i", "x\nÉé\n", &[2]);
        check("-foo", "wF", "a-foo b\nx -foo\n", &[2]);
    }

    #[test]
    fn newline_in_a_pattern_is_rejected() {
        let pattern = Pattern {
            kind: PatternKind::Regex,
            ..Pattern::literal("a\\nb")
        };
        assert!(pattern.compile().is_err());
    }

    #[test]
    fn spans_are_those_of_the_line() {
        let matcher = Pattern::literal("ab").compile().unwrap();
        assert_eq!(matcher.spans(b"ab cab\n"), [0..2, 4..6]);
    }
}
