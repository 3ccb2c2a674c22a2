//! What is left out of a text, as places with what stands there instead, and the text
//! that remains: lines with the numbers they had.

use std::ops::Range;

use loom_base::LineSpan;

use super::lines::LineMap;
use super::mark::Form;
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
    /// Where that mark stands in `new` and how it is written, where marks of the same
    /// kind may be joined with it.
    pub(super) mark: Option<Mark>,
}

/// A mark in what stands in a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    at: Range<usize>,
    form: Form,
    goes_on: bool,
}

impl Mark {
    /// The mark for so many lines in `new`, where there is one.
    pub(super) fn find(new: &str, form: Form, lines: usize) -> Option<Self> {
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

/// Edits that follow each other with nothing but space between, as one with one mark;
/// `None` where they stay two.
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
    // Both stand on lines of their own, and belong to the same block.
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
        mark: Some(Mark {
            at: before.len()..before.len() + mark.len(),
            ..other.clone()
        }),
    })
}

/// The white space that the line of a place starts with.
pub(super) fn indent_at(text: &str, at: usize) -> &str {
    let before = text.get(..at).unwrap_or_default();
    let line = &text[before.rfind('\n').map_or(0, |end| end + 1)..];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
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

    /// What an edit at or behind this place leaves out.
    fn elided(&self, edit: &Edit) -> Elided {
        let first = self.line + self.line_ends(self.at..edit.span.start);
        let removed = self.text.get(edit.span.clone()).unwrap_or_default();
        let lines = removed.lines().count().max(1);
        Elided {
            what: edit.what,
            lines: LineSpan::new(first, first + lines - 1),
            marked: edit.marked,
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
