//! What is left out of a text, as places with what stands there instead, and the text
//! that remains: lines with the numbers they had.

use std::ops::Range;

use loom_base::LineSpan;

use super::lines::LineMap;
use super::space::Space;
use super::{Compressed, Elided, ElidedKind};

/// A place that is replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edit {
    pub(super) span: Range<usize>,
    pub(super) new: String,
    pub(super) what: ElidedKind,
    /// Places in it, in order, whose lines `new` has too.
    pub(super) kept: Vec<Range<usize>>,
    /// The number of lines that the mark in `new` names; 0 without one.
    pub(super) marked: usize,
}

/// The edits that are made: in order, none inside another, and none in a place that
/// is to stay.
pub(super) fn settled(mut edits: Vec<Edit>, intact: &[Range<usize>]) -> Vec<Edit> {
    edits.retain(|edit| !edit.span.is_empty() && !is_inside(&edit.span, intact));
    // The larger of two at one place takes the other in.
    edits.sort_by_key(|edit| (edit.span.start, usize::MAX - edit.span.end));
    let mut settled: Vec<Edit> = Vec::with_capacity(edits.len());
    for edit in edits {
        match settled.last_mut() {
            Some(last) if last.span.end > edit.span.start => {
                if edit.span.len() > last.span.len() {
                    *last = edit;
                }
            }
            _ => settled.push(edit),
        }
    }
    settled
}

/// Whether a place lies in one of those, or cuts into one.
fn is_inside(span: &Range<usize>, places: &[Range<usize>]) -> bool {
    places
        .iter()
        .any(|place| span.start < place.end && place.start < span.end)
}

/// The text with the edits made and its white space cleaned. Line ends in the
/// `protected` places, which are in order, are part of the text.
pub(super) fn apply(
    text: &str,
    edits: &[Edit],
    protected: &[Range<usize>],
    space: Space,
) -> Compressed {
    let mut draft = Draft::new(text, protected);
    let mut elided = Vec::new();
    for edit in edits {
        draft.copy(edit.span.start);
        let first = draft.line;
        draft.replace(edit);
        let removed = &text[edit.span.clone()];
        let lines = removed.lines().count().max(1);
        elided.push(Elided {
            what: edit.what,
            lines: LineSpan::new(first, first + lines - 1),
            marked: edit.marked,
        });
    }
    draft.copy(text.len());
    let (text, lines) = draft.finish(space);
    Compressed {
        text,
        lines,
        elided,
        level: super::Level::None,
        gentler: None,
    }
}

/// A line of the result.
struct Line {
    end: usize,
    /// The line it was.
    original: usize,
    /// Whether its line end is part of a string.
    is_hard: bool,
}

struct Draft<'a> {
    text: &'a str,
    protected: &'a [Range<usize>],
    at: usize,
    /// The number of the line at `at`.
    line: usize,
    out: String,
    lines: Vec<Line>,
    /// The number of the line that is being written, once something is in it.
    current: Option<usize>,
}

impl<'a> Draft<'a> {
    fn new(text: &'a str, protected: &'a [Range<usize>]) -> Self {
        Self {
            text,
            protected,
            at: 0,
            line: 1,
            out: String::with_capacity(text.len()),
            lines: Vec::new(),
            current: None,
        }
    }

    fn copy(&mut self, end: usize) {
        let Some(part) = self.text.get(self.at..end) else {
            return;
        };
        for piece in part.split_inclusive('\n') {
            let original = *self.current.get_or_insert(self.line);
            self.out.push_str(piece);
            self.at += piece.len();
            if piece.ends_with('\n') {
                let is_hard = self.is_protected(self.at - 1);
                self.close(original, is_hard);
                self.line += 1;
            }
        }
    }

    fn replace(&mut self, edit: &Edit) {
        let last = self.line + self.line_ends(edit.span.clone());
        let mut kept = self.kept_lines(edit).into_iter().peekable();
        let had_kept = kept.peek().is_some();
        for piece in edit.new.split_inclusive('\n') {
            let found = kept.next_if(|(line, _)| *line == piece.trim());
            let number = match found {
                Some((_, number)) => number,
                None if had_kept && kept.peek().is_none() => last,
                None => self.line,
            };
            let original = *self.current.get_or_insert(number);
            self.out.push_str(piece);
            if piece.ends_with('\n') {
                self.close(original, false);
            }
        }
        self.line = last;
        self.at = edit.span.end;
    }

    /// The lines that stay of a place that is replaced, with their numbers.
    fn kept_lines(&self, edit: &Edit) -> Vec<(&'a str, usize)> {
        let mut found = Vec::new();
        for place in &edit.kept {
            let first = self.line + self.line_ends(edit.span.start..place.start);
            let lines = self.text.get(place.clone()).unwrap_or_default().lines();
            found.extend(lines.map(str::trim).zip(first..));
        }
        found
    }

    fn line_ends(&self, span: Range<usize>) -> usize {
        self.text
            .get(span)
            .unwrap_or_default()
            .matches('\n')
            .count()
    }

    fn close(&mut self, original: usize, is_hard: bool) {
        self.lines.push(Line {
            end: self.out.len(),
            original,
            is_hard,
        });
        self.current = None;
    }

    fn is_protected(&mut self, at: usize) -> bool {
        while self.protected.first().is_some_and(|span| span.end <= at) {
            self.protected = &self.protected[1..];
        }
        self.protected.first().is_some_and(|span| span.start <= at)
    }

    fn finish(mut self, space: Space) -> (String, LineMap) {
        if let Some(original) = self.current {
            self.close(original, false);
        }
        let mut text = String::with_capacity(self.out.len());
        let mut map = LineMap::default();
        let (mut start, mut after_hard, mut blanks) = (0, false, 0);
        for line in &self.lines {
            let content = &self.out[start..line.end];
            let is_blank = content.trim().is_empty() && !line.is_hard && !after_hard;
            blanks = if is_blank { blanks + 1 } else { 0 };
            if !is_blank || blanks <= space.blank_lines {
                let content = match line.is_hard {
                    true => content.to_owned(),
                    false => space.trimmed(content),
                };
                let length = text.len();
                match after_hard {
                    true => text.push_str(&content),
                    false => text.extend([space.indent(&content), space.unindented(&content)]),
                }
                // Nothing but space after the last line end is no line.
                if text.len() > length {
                    map.push(line.original);
                }
            }
            (start, after_hard) = (line.end, line.is_hard);
        }
        (text, map)
    }
}
