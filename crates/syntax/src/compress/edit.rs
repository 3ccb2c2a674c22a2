//! The edits that elide parts of a text, and the remaining text: lines with their original numbers.

use std::ops::Range;

use loom_base::LineSpan;

use super::lines::LineMap;
use super::marker::CommentForm;
use super::space::Space;
use super::{Compressed, Elided, ElidedKind};

/// Replacement of a span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edit {
    pub(super) span: Range<usize>,
    pub(super) new: String,
    pub(super) what: ElidedKind,
    /// Ranges in it, in order, whose lines are also in `new`.
    pub(super) kept: Vec<Range<usize>>,
    /// Number of lines in the marker of `new`; 0 without one.
    pub(super) marked: usize,
    /// Position and form of that marker in `new`, if it may be joined with similar markers.
    pub(super) mark: Option<Marker>,
}

/// Marker in the replacement of a span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Marker {
    at: Range<usize>,
    form: CommentForm,
    goes_on: bool,
}

impl Marker {
    /// Finds the marker for that number of lines in `new`, if there is one.
    #[cfg(feature = "grammars")]
    pub(super) fn find(new: &str, form: CommentForm, lines: usize) -> Option<Self> {
        let find = |mark: String, goes_on: bool| {
            let start = new.find(&mark).filter(|_| lines > 0)?;
            let at = start..start + mark.len();
            Some(Self { at, form, goes_on })
        };
        find(form.inline(lines), true).or_else(|| find(form.line(lines), false))
    }

    fn write(&self, lines: usize) -> String {
        match self.goes_on {
            true => self.form.inline(lines),
            false => self.form.line(lines),
        }
    }
}

/// Joins two edits with only white space between them into one with one marker; returns `None` if
/// they must stay separate.
fn joined(text: &str, first: &Edit, next: &Edit) -> Option<Edit> {
    let (one, other) = (first.mark.as_ref()?, next.mark.as_ref()?);
    let is_space = |part: &str| part.trim().is_empty();
    let (before, after) = (&first.new[..one.at.start], &first.new[one.at.end..]);
    let (inner, rest) = (&next.new[..other.at.start], &next.new[other.at.end..]);
    let between = text.get(first.span.end..next.span.start)?;
    let is_bare = first.kept.is_empty() && next.kept.is_empty() && one.form == other.form;
    if !is_bare || !is_space(after) || !is_space(between) || !is_space(inner) {
        return None;
    }
    // Both are on their own lines, and belong to the same block.
    let is_apart = [after, between, inner]
        .iter()
        .any(|part| part.contains('\n'))
        && indent_at(text, first.span.start) == indent_at(text, next.span.start);
    let marked = first.marked + next.marked;
    let mark = other.write(marked);
    is_apart.then(|| Edit {
        span: first.span.start..next.span.end,
        new: format!("{before}{mark}{rest}"),
        what: first.what,
        kept: Vec::new(),
        marked,
        mark: Some(Marker {
            at: before.len()..before.len() + mark.len(),
            ..other.clone()
        }),
    })
}

/// Returns the indentation of the line of a position.
pub(super) fn indent_at(text: &str, at: usize) -> &str {
    let before = text.get(..at).unwrap_or_default();
    let line = &text[before.rfind('\n').map_or(0, |end| end + 1)..];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// Resolves overlaps: returns edits in order, none inside another, and none in an intact range.
#[cfg(feature = "grammars")]
pub(super) fn settled(mut edits: Vec<Edit>, intact: &[Range<usize>]) -> Vec<Edit> {
    edits.retain(|edit| !edit.span.is_empty() && !is_inside(&edit.span, intact));
    // The larger of two overlapping edits wins.
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

/// Returns whether a span overlaps one of the ranges.
#[cfg(feature = "grammars")]
fn is_inside(span: &Range<usize>, places: &[Range<usize>]) -> bool {
    places
        .iter()
        .any(|place| span.start < place.end && place.start < span.end)
}

/// Applies the edits and cleans white space. Newlines in the ordered `protected` ranges are part of
/// the text.
pub(super) fn apply(
    text: &str,
    edits: &[Edit],
    protected: &[Range<usize>],
    space: Space,
) -> Compressed {
    let mut draft = Draft::new(text, protected);
    let mut elided = Vec::new();
    let mut edits = edits.iter().peekable();
    while let Some(edit) = edits.next() {
        draft.copy(edit.span.start);
        elided.push(draft.elided(edit));
        let mut whole = edit.clone();
        while let Some(more) = edits.peek().and_then(|next| joined(text, &whole, next)) {
            whole = more;
            elided.extend(edits.next().map(|next| draft.elided(next)));
        }
        draft.replace(&whole);
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

/// Line of the result.
struct Line {
    end: usize,
    /// Number of the original line.
    original: usize,
    /// True if its newline is part of a string.
    is_hard: bool,
}

struct Draft<'a> {
    text: &'a str,
    protected: &'a [Range<usize>],
    at: usize,
    /// Number of the line at `at`.
    line: usize,
    out: String,
    lines: Vec<Line>,
    /// Number of the line that is being written, after its first text.
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

    /// Returns the elided part of an edit at or after the current position.
    fn elided(&self, edit: &Edit) -> Elided {
        let first = self.line + self.newlines(self.at..edit.span.start);
        let removed = self.text.get(edit.span.clone()).unwrap_or_default();
        let lines = removed.lines().count().max(1);
        Elided {
            what: edit.what,
            lines: LineSpan::new(first, first + lines - 1),
            marked: edit.marked,
        }
    }

    fn replace(&mut self, edit: &Edit) {
        let last = self.line + self.newlines(edit.span.clone());
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

    /// Returns the lines of a replaced range that stay, with their numbers.
    fn kept_lines(&self, edit: &Edit) -> Vec<(&'a str, usize)> {
        let mut found = Vec::new();
        for place in &edit.kept {
            let first = self.line + self.newlines(edit.span.start..place.start);
            let lines = self.text.get(place.clone()).unwrap_or_default().lines();
            found.extend(lines.map(str::trim).zip(first..));
        }
        found
    }

    fn newlines(&self, span: Range<usize>) -> usize {
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
                // White space after the last newline is not a line.
                if text.len() > length {
                    map.push(line.original);
                }
            }
            (start, after_hard) = (line.end, line.is_hard);
        }
        (text, map)
    }
}
