//! The edits of one text at one level, collected from its tree and its symbols.

use std::ops::Range;

use tree_sitter::Node;

use super::edit::{Edit, Marker, indent_at};
use super::marker::CommentForm;
use super::tree_facts::TreeFacts;
use super::{Compression, ElidedKind, Level, PreservedKind};
use crate::{Structure, Symbol, SymbolKind, Visibility};

/// Bytes of code with the tokens that a marker needs beyond its own length.
const MARK_COST: usize = 16;

/// State while edits are collected.
pub(super) struct Plan<'t> {
    pub(super) text: &'t str,
    pub(super) id: &'static str,
    pub(super) form: CommentForm,
    pub(super) how: Compression,
    pub(super) level: Level,
    pub(super) structure: &'t Structure,
    /// Comments, in order.
    pub(super) comments: Vec<Range<usize>>,
    /// Positions of the names of the symbols that stay, in order.
    names: Vec<usize>,
    /// Positions of the names of the symbols outside of functions, in order.
    outer_names: Vec<usize>,
    /// Spans of symbols that stay unchanged, and of preserved imports.
    pub(super) intact: Vec<Range<usize>>,
    pub(super) edits: Vec<Edit>,
}

impl<'t> Plan<'t> {
    pub(super) fn new(
        text: &'t str,
        id: &'static str,
        how: &Compression,
        level: Level,
        structure: &'t Structure,
        facts: &TreeFacts<'t>,
    ) -> Self {
        let names_of = |takes: &dyn Fn(usize) -> bool| {
            let taken = (0..structure.symbols.len()).filter(|at| takes(*at));
            let names = taken.map(|at| structure.symbols[at].name_span.start);
            let mut names: Vec<usize> = names.collect();
            names.sort_unstable();
            names
        };
        let is_outer = |at: usize| !is_local(structure, at);
        let mut comments: Vec<_> = structure.comments.iter().map(|one| one.range()).collect();
        if how.remove_comments {
            comments.extend(facts.comments.iter().cloned());
        }
        comments.sort_by_key(|range| (range.start, range.end));
        comments.dedup_by(|later, earlier| later.start < earlier.end);
        Self {
            text,
            id,
            form: CommentForm::for_language(id),
            how: *how,
            level,
            structure,
            comments,
            names: names_of(&|at| level <= Level::Balanced || is_outer(at)),
            outer_names: names_of(&is_outer),
            intact: intact(structure, how),
            edits: Vec::new(),
        }
    }

    /// Collects all edits.
    pub(super) fn run(mut self, facts: &TreeFacts<'t>) -> Self {
        self.comments();
        self.docstrings(&facts.docstrings);
        if self.level >= Level::Balanced {
            match self.id {
                "markdown" => self.prose(facts.blocks[0]),
                _ => self.code(facts),
            }
        }
        self
    }

    fn code(&mut self, facts: &TreeFacts<'t>) {
        for (_, node) in &facts.bodies {
            self.body(*node);
        }
        if !self.how.preserve.keeps(PreservedKind::Literals) {
            for node in &facts.literals {
                self.literal(*node);
            }
        }
        if self.level >= Level::Aggressive {
            for node in &facts.blocks {
                self.statements(*node);
            }
        }
    }

    /// Returns whether the span contains the name of a symbol that stays, or overlaps text that
    /// stays unchanged.
    pub(super) fn overlaps_kept(&self, span: &Range<usize>) -> bool {
        let at = self.names.partition_point(|name| *name < span.start);
        self.names.get(at).is_some_and(|name| *name < span.end)
            || self
                .intact
                .iter()
                .any(|kept| kept.start < span.end && span.start < kept.end)
    }

    /// Returns the comments in a span that are preserved at any position.
    pub(super) fn rescued(&self, span: &Range<usize>) -> Vec<&'t str> {
        let places = self.rescued_places(span).into_iter();
        places.filter_map(|place| self.text.get(place)).collect()
    }

    /// Returns the ranges of these comments, in order.
    fn rescued_places(&self, span: &Range<usize>) -> Vec<Range<usize>> {
        let first = self.comments.partition_point(|one| one.start < span.start);
        let inside = self.comments[first..].iter().cloned();
        let places = inside.take_while(|comment| comment.end <= span.end);
        let stays = |place: &Range<usize>| {
            let text = self.text.get(place.clone());
            text.is_some_and(|text| self.is_preserved(text))
        };
        places.filter(stays).collect()
    }

    /// Returns the number of lines of a span that stay because they only contain a preserved
    /// comment.
    pub(super) fn rescued_lines(&self, span: &Range<usize>) -> usize {
        let is_alone =
            |place: &Range<usize>| self.is_line_start(place.start) && self.is_line_end(place.end);
        let places = self.rescued_places(span).into_iter().filter(is_alone);
        places
            .map(|place| self.text.get(place).unwrap_or_default().lines().count())
            .sum()
    }

    /// Returns the text of a node.
    pub(super) fn text_of(&self, node: Node<'t>) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    /// Returns the indentation of the line of that position.
    pub(super) fn indent_at(&self, at: usize) -> &'t str {
        indent_at(self.text, at)
    }

    /// Returns the text of a span.
    pub(super) fn text_at(&self, span: &Range<usize>) -> &'t str {
        self.text.get(span.clone()).unwrap_or_default()
    }

    /// Returns whether the span contains the name of a symbol outside of functions.
    pub(super) fn names_outer(&self, span: &Range<usize>) -> bool {
        let at = self.outer_names.partition_point(|name| *name < span.start);
        self.outer_names
            .get(at)
            .is_some_and(|name| *name < span.end)
    }

    /// Returns whether only white space precedes that position on its line.
    pub(super) fn is_line_start(&self, at: usize) -> bool {
        let before = self.text.get(..at).unwrap_or_default();
        let line = before.rsplit('\n').next().unwrap_or_default();
        line.trim().is_empty()
    }

    /// Returns whether only white space follows that position on its line.
    pub(super) fn is_line_end(&self, at: usize) -> bool {
        let rest = self.text.get(at..).unwrap_or_default();
        let line = rest.split('\n').next().unwrap_or_default();
        line.trim().is_empty()
    }

    /// Elides a span if that saves tokens: a marker has more tokens per byte than code. `marked` is
    /// the number in the marker.
    pub(super) fn replace(
        &mut self,
        span: Range<usize>,
        new: String,
        what: ElidedKind,
        marked: usize,
    ) {
        if new.is_empty() || self.is_worth(&span, &new) {
            self.elide_always(span, new, what, marked);
        }
    }

    /// Returns whether a marker takes fewer tokens than the text that it replaces.
    pub(super) fn is_worth(&self, span: &Range<usize>, new: &str) -> bool {
        let removed = self.text_at(span).lines().map(|line| line.trim().len());
        new.len() + MARK_COST <= removed.sum()
    }

    /// Elides a span, even if that takes more tokens.
    pub(super) fn elide_always(
        &mut self,
        span: Range<usize>,
        new: String,
        what: ElidedKind,
        marked: usize,
    ) {
        let kept = self.rescued_places(&span);
        self.edits.push(Edit {
            span,
            mark: Marker::find(&new, self.form, marked),
            new,
            what,
            kept,
            marked,
        });
    }

    /// Returns a marker that replaces `span`, for that number of lines, with the preserved comments
    /// of the span on separate lines.
    pub(super) fn mark(&self, span: &Range<usize>, lines: usize) -> String {
        let rescued = self.rescued(span);
        let goes_on = !self.is_line_end(span.end);
        let indent = self.indent_at(span.start);
        let mut mark = match goes_on && rescued.is_empty() {
            true => self.form.inline(lines),
            false => self.form.line(lines),
        };
        for comment in &rescued {
            mark.push_str(self.line_ending());
            mark.push_str(indent);
            mark.push_str(comment);
        }
        let ends_line = self.form.ends_line() && mark_ends_line(self.form, &rescued);
        if goes_on && ends_line {
            mark.push_str(self.line_ending());
            mark.push_str(indent);
        }
        mark
    }

    /// Returns the line ending of the text.
    pub(super) fn line_ending(&self) -> &'static str {
        match self.text.split_inclusive('\n').next() {
            Some(line) if line.ends_with("\r\n") => "\r\n",
            _ => "\n",
        }
    }
}

/// Returns whether the line must end after the marker.
fn mark_ends_line(form: CommentForm, rescued: &[&str]) -> bool {
    !rescued.is_empty() || form != CommentForm::Slashes
}

/// Returns the number of lines that a node touches.
pub(super) fn rows(node: Node<'_>) -> usize {
    let (start, end) = (node.start_position(), node.end_position());
    let rows = end.row - start.row + 1;
    // A node that ends with a newline does not touch the next line.
    rows - usize::from(end.column == 0 && rows > 1)
}

/// Returns whether a symbol is inside a function.
pub(super) fn is_local(structure: &Structure, at: usize) -> bool {
    let mut parent = structure.symbols[at].parent;
    // A parent from an embedded text may be anywhere, so the steps are bounded.
    for _ in 0..64 {
        let Some(above) = parent.and_then(|above| structure.symbols.get(above)) else {
            return false;
        };
        if above.kind.is_function() {
            return true;
        }
        parent = above.parent;
    }
    false
}

/// Returns the spans of symbols that stay unchanged.
fn intact(structure: &Structure, how: &Compression) -> Vec<Range<usize>> {
    let keeps = |kept| how.preserve.keeps(kept);
    let stays = |at: usize, symbol: &Symbol| {
        let is_code = symbol.kind.is_function() || symbol.kind == SymbolKind::Test;
        let is_public = symbol.visibility == Visibility::Public && !is_local(structure, at);
        (keeps(PreservedKind::Public) && is_code && is_public)
            || (keeps(PreservedKind::Tests) && symbol.is_test)
            || (keeps(PreservedKind::Types) && is_plain_type(symbol.kind))
    };
    let symbols = structure.symbols.iter().enumerate();
    let mut intact: Vec<Range<usize>> = symbols
        .filter(|(at, symbol)| stays(*at, symbol))
        .map(|(_, symbol)| symbol.lead.min(symbol.span.start)..symbol.span.end)
        .collect();
    if keeps(PreservedKind::Imports) {
        intact.extend(structure.imports.iter().map(|import| import.span.range()));
    }
    intact
}

/// Returns whether a type consists only of its declaration; classes also contain code.
pub(super) fn is_plain_type(kind: SymbolKind) -> bool {
    matches!(
        kind,
        SymbolKind::Struct
            | SymbolKind::Union
            | SymbolKind::Interface
            | SymbolKind::Enum
            | SymbolKind::Type
    )
}
