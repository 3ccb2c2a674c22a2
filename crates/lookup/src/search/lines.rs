//! The lines of a search result: matching lines and their context, with secrets redacted.

use std::ops::Range;

use loom_search::LineMatch;
use loom_secrets::Finding;
use loom_syntax::Symbol;

/// A line of a search result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HitLine {
    /// Line number, counted from 1.
    pub line: usize,
    /// The character at which the first match begins, counted from 1.
    pub column: usize,
    /// The displayed line, without its line ending.
    pub text: String,
    /// The matches, as byte ranges of `text`. A match inside a redacted secret has none.
    pub places: Vec<Range<usize>>,
    /// Qualified name of the enclosing symbol, if requested.
    pub symbol: Option<String>,
    /// True for a matching line, false for a context line.
    pub is_match: bool,
    /// True if the line contains a secret, hidden or not.
    pub has_secret: bool,
}

/// A text with the data that its displayed lines need.
#[derive(Clone, Copy, Debug)]
pub struct LineSource<'a> {
    /// The text of a file.
    pub text: &'a str,
    /// Its secrets.
    pub findings: &'a [Finding],
    /// True if secrets are hidden.
    pub hides: bool,
    /// Its symbols, if each line names its enclosing symbol; else empty.
    pub symbols: &'a [Symbol],
}

impl LineSource<'_> {
    /// Returns the displayed line, and whether it contains a secret, hidden or not.
    pub(crate) fn line(&self, span: Range<usize>) -> (String, bool) {
        let has_secret = self.has_secret(&span);
        (self.shown(span, &[]).0, has_secret)
    }

    /// Returns the matching lines with their context, each line once.
    pub fn lines(&self, matches: &[LineMatch], before: usize, after: usize) -> Vec<HitLine> {
        let mut shown: Vec<HitLine> = Vec::with_capacity(matches.len());
        for (at, found) in matches.iter().enumerate() {
            let last = shown.last().map_or(0, |line| line.line);
            let earlier = self.before(
                found.span.start,
                found.line,
                before.min(found.line - 1 - last),
            );
            shown.extend(earlier);
            shown.push(self.matched(found));
            let next = matches.get(at + 1).map_or(usize::MAX, |next| next.line);
            shown.extend(self.after(found.span.end, found.line, after.min(next - 1 - found.line)));
        }
        shown
    }

    fn before(&self, start: usize, line: usize, count: usize) -> Vec<HitLine> {
        let mut lines = Vec::new();
        let mut end = start;
        for back in 1..=count {
            let text = &self.text[..end - 1];
            let start = text.rfind('\n').map_or(0, |at| at + 1);
            lines.push(self.context(line - back, start..end - 1));
            end = start;
        }
        lines.reverse();
        lines
    }

    fn after(&self, end: usize, line: usize, count: usize) -> Vec<HitLine> {
        let mut lines = Vec::new();
        let mut start = end + 1;
        for next in 1..=count {
            if start >= self.text.len() {
                break;
            }
            let end = self.text[start..]
                .find('\n')
                .map_or(self.text.len(), |at| start + at);
            lines.push(self.context(line + next, start..end));
            start = end + 1;
        }
        lines
    }

    fn context(&self, line: usize, span: Range<usize>) -> HitLine {
        let has_secret = self.has_secret(&span);
        let (text, _) = self.shown(span, &[]);
        HitLine {
            has_secret,
            line,
            column: 1,
            text,
            places: Vec::new(),
            symbol: None,
            is_match: false,
        }
    }

    fn matched(&self, found: &LineMatch) -> HitLine {
        let first = found.places.first().map_or(0, |place| place.start);
        let line = &self.text.as_bytes()[found.span.clone()];
        let column = 1 + String::from_utf8_lossy(&line[..first]).chars().count();
        let (text, places) = self.shown(found.span.clone(), &found.places);
        HitLine {
            line: found.line,
            column,
            text,
            places,
            symbol: self.around(found.span.start + first),
            is_match: true,
            has_secret: self.has_secret(&found.span),
        }
    }

    fn secrets_in<'s>(&'s self, span: &'s Range<usize>) -> impl Iterator<Item = &'s Finding> {
        let findings = self.findings.iter();
        findings.filter(|one| one.span.start < span.end && span.start < one.span.end)
    }

    fn has_secret(&self, span: &Range<usize>) -> bool {
        self.secrets_in(span).next().is_some()
    }

    /// Returns the displayed line, and the ranges of `places` in it.
    fn shown(&self, span: Range<usize>, places: &[Range<usize>]) -> (String, Vec<Range<usize>>) {
        let hidden = self.secrets_in(&span).filter(|_| self.hides);
        let hidden: Vec<&Finding> = hidden.collect();
        let line = self.text[span.clone()].trim_end_matches('\r');
        // A pattern on bytes can match inside a character; such a match has no range.
        let on_text = |place: &&Range<usize>| line.get((*place).clone()).is_some();
        if hidden.is_empty() {
            return (
                line.to_owned(),
                places.iter().filter(on_text).cloned().collect(),
            );
        }
        let (mut out, mut kept, mut at) = (String::new(), Vec::new(), 0);
        let mut take = |out: &mut String, from: usize, to: usize| {
            let inside = places.iter().filter(on_text);
            let inside = inside.filter(|place| from <= place.start && place.end <= to);
            kept.extend(inside.map(|place| {
                let start = out.len() + place.start - from;
                start..start + place.len()
            }));
            out.push_str(line.get(from..to).unwrap_or_default());
        };
        for finding in hidden {
            let start = finding.span.start.saturating_sub(span.start).max(at);
            take(&mut out, at, start);
            out.push_str(&format!("[REDACTED:{}]", finding.kind));
            at = (finding.span.end.min(span.end) - span.start).max(at);
        }
        take(&mut out, at.min(line.len()), line.len());
        (out, kept)
    }

    /// Returns the qualified name of the innermost symbol around a byte.
    fn around(&self, place: usize) -> Option<String> {
        let before = self.symbols.partition_point(|symbol| symbol.lead <= place);
        let mut at = before.checked_sub(1);
        while let Some(number) = at {
            let symbol = &self.symbols[number];
            if place < symbol.span.end {
                return Some(symbol.qualified.clone());
            }
            at = match symbol.parent {
                Some(parent) if parent < number => Some(parent),
                _ => number.checked_sub(1).filter(|_| symbol.parent.is_none()),
            };
        }
        None
    }
}

/// Truncates `lines` to the first `count` matching lines, the context before them, and `after`
/// lines of context after the last one.
pub(super) fn cut_lines(lines: &mut Vec<HitLine>, count: usize, after: usize) {
    let mut matching = lines.iter().filter(|line| line.is_match);
    let Some(last) = matching.nth(count.saturating_sub(1)).map(|line| line.line) else {
        return;
    };
    let next = matching.next().map_or(usize::MAX, |line| line.line);
    let end =
        lines.partition_point(|line| line.line <= last.saturating_add(after) && line.line < next);
    lines.truncate(end);
}

#[cfg(test)]
mod tests {
    use loom_search::{Document, Program, Query, QueryOptions};
    use loom_secrets::Confidence;

    use super::*;

    fn lines(text: &str, query: &str, around: usize, hidden: &[Range<usize>]) -> Vec<HitLine> {
        let query = Query::literal(query, &QueryOptions::default()).unwrap();
        let program = Program::new(&query).unwrap();
        let found = program
            .run(&Document::new(b"a", None, text.as_bytes()), usize::MAX)
            .unwrap();
        let findings: Vec<_> = hidden
            .iter()
            .map(|span| Finding {
                span: span.clone(),
                kind: "key",
                confidence: Confidence::High,
                reasons: Vec::new(),
            })
            .collect();
        let shown = LineSource {
            text,
            findings: &findings,
            hides: true,
            symbols: &[],
        };
        shown.lines(&found.lines, around, around)
    }

    #[test]
    fn lines_around_are_shown_once() {
        let shown = lines("1\nx\n3\nx\n5\n6\n7\n8\nx", "x", 1, &[]);
        let numbers: Vec<_> = shown
            .iter()
            .map(|line| (line.line, line.is_match))
            .collect();
        assert_eq!(
            numbers,
            [
                (1, false),
                (2, true),
                (3, false),
                (4, true),
                (5, false),
                (8, false),
                (9, true)
            ]
        );
    }

    #[test]
    fn secrets_are_not_shown() {
        let shown = lines(
            "a = 'sesame' # a\nb",
            "a",
            1,
            std::slice::from_ref(&(5..11)),
        );
        assert_eq!(shown[0].text, "a = '[REDACTED:key]' # a");
        assert_eq!(shown[0].places, [0..1, 23..24]);
        let shown = lines("k\nsecret\nend", "k", 2, std::slice::from_ref(&(2..8)));
        assert_eq!(shown[1].text, "[REDACTED:key]");
    }
}
