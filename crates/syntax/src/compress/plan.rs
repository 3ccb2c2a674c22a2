//! The edits of one text at one level, gathered from its tree and its symbols.

use std::ops::Range;

use tree_sitter::Node;

use super::edit::{Edit, Mark, indent_at};
use super::look::Look;
use super::mark::Form;
use super::{Compression, ElidedKind, Kept, Level};
use crate::{Structure, Symbol, SymbolKind, Visibility};

/// The bytes of code that take as many tokens as a mark takes beyond its own length.
const MARK_COST: usize = 16;

/// What is known on the way.
pub(super) struct Plan<'t> {
    pub(super) text: &'t str,
    pub(super) id: &'static str,
    pub(super) form: Form,
    pub(super) how: Compression,
    pub(super) level: Level,
    pub(super) structure: &'t Structure,
    /// Its comments, in order.
    pub(super) comments: Vec<Range<usize>>,
    /// Where the names of the symbols stand that stay, in order.
    names: Vec<usize>,
    /// Where the names of the symbols outside functions stand, in order.
    outer_names: Vec<usize>,
    /// Symbols that stay as they are, and imports where those do.
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
        look: &Look<'t>,
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
            comments.extend(look.comments.iter().cloned());
        }
        comments.sort_by_key(|range| (range.start, range.end));
        comments.dedup_by(|later, earlier| later.start < earlier.end);
        Self {
            text,
            id,
            form: Form::of(id),
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

    /// Gathers all edits.
    pub(super) fn run(mut self, look: &Look<'t>) -> Self {
        self.comments();
        self.docstrings(&look.docstrings);
        if self.level >= Level::Balanced {
            match self.id {
                "markdown" => self.prose(look.blocks[0]),
                _ => self.code(look),
            }
        }
        self
    }

    fn code(&mut self, look: &Look<'t>) {
        for (_, node) in &look.bodies {
            self.body(*node);
        }
        if !self.how.preserve.keeps(Kept::Literals) {
            for node in &look.literals {
                self.literal(*node);
            }
        }
        if self.level >= Level::Aggressive {
            for node in &look.blocks {
                self.statements(*node);
            }
        }
    }

    /// Whether a symbol that stays is defined in that place, or something that stays
    /// as it is.
    pub(super) fn holds(&self, span: &Range<usize>) -> bool {
        let at = self.names.partition_point(|name| *name < span.start);
        self.names.get(at).is_some_and(|name| *name < span.end)
            || self
                .intact
                .iter()
                .any(|kept| kept.start < span.end && span.start < kept.end)
    }

    /// The comments in a place that stay wherever they stand.
    pub(super) fn rescued(&self, span: &Range<usize>) -> Vec<&'t str> {
        let places = self.rescued_places(span).into_iter();
        places.filter_map(|place| self.text.get(place)).collect()
    }

    /// Where they stand, in order.
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

    /// The lines of a place that stay, because nothing but a comment that stays is in
    /// them.
    pub(super) fn rescued_lines(&self, span: &Range<usize>) -> usize {
        let is_alone =
            |place: &Range<usize>| self.is_line_start(place.start) && self.is_line_end(place.end);
        let places = self.rescued_places(span).into_iter().filter(is_alone);
        places
            .map(|place| self.text.get(place).unwrap_or_default().lines().count())
            .sum()
    }

    /// The text of a node.
    pub(super) fn of(&self, node: Node<'t>) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    /// The white space that the line of that place starts with.
    pub(super) fn indent_at(&self, at: usize) -> &'t str {
        indent_at(self.text, at)
    }

    /// The text of a place.
    pub(super) fn text_at(&self, span: &Range<usize>) -> &'t str {
        self.text.get(span.clone()).unwrap_or_default()
    }

    /// Whether a symbol outside functions is named in that place.
    pub(super) fn names_outer(&self, span: &Range<usize>) -> bool {
        let at = self.outer_names.partition_point(|name| *name < span.start);
        self.outer_names
            .get(at)
            .is_some_and(|name| *name < span.end)
    }

    /// Whether nothing but white space stands before that place in its line.
    pub(super) fn is_line_start(&self, at: usize) -> bool {
        let before = self.text.get(..at).unwrap_or_default();
        let line = before.rsplit('\n').next().unwrap_or_default();
        line.trim().is_empty()
    }

    /// Whether nothing but white space follows that place in its line.
    pub(super) fn is_line_end(&self, at: usize) -> bool {
        let rest = self.text.get(at..).unwrap_or_default();
        let line = rest.split('\n').next().unwrap_or_default();
        line.trim().is_empty()
    }

    /// Leaves a place out, where that takes fewer tokens: a mark has more of them for
    /// its bytes than code has. `marked` is the number in the mark.
    pub(super) fn replace(
        &mut self,
        span: Range<usize>,
        new: String,
        what: ElidedKind,
        marked: usize,
    ) {
        if new.is_empty() || self.is_worth(&span, &new) {
            self.leave_out(span, new, what, marked);
        }
    }

    /// Whether a mark takes fewer tokens than what it stands for.
    pub(super) fn is_worth(&self, span: &Range<usize>, new: &str) -> bool {
        let removed = self.text_at(span).lines().map(|line| line.trim().len());
        new.len() + MARK_COST <= removed.sum()
    }

    /// Leaves a place out, whatever that takes.
    pub(super) fn leave_out(
        &mut self,
        span: Range<usize>,
        new: String,
        what: ElidedKind,
        marked: usize,
    ) {
        let kept = self.rescued_places(&span);
        self.edits.push(Edit {
            span,
            mark: Mark::find(&new, self.form, marked),
            new,
            what,
            kept,
            marked,
        });
    }

    /// A mark that stands in place of `span`, for so many lines, with the comments
    /// in it that stay, each on a line of its own.
    pub(super) fn mark(&self, span: &Range<usize>, lines: usize) -> String {
        let rescued = self.rescued(span);
        let goes_on = !self.is_line_end(span.end);
        let indent = self.indent_at(span.start);
        let mut mark = match goes_on && rescued.is_empty() {
            true => self.form.inline(lines),
            false => self.form.line(lines),
        };
        for comment in &rescued {
            mark.push_str(self.line_end());
            mark.push_str(indent);
            mark.push_str(comment);
        }
        let ends_line = self.form.ends_line() && mark_ends_line(self.form, &rescued);
        if goes_on && ends_line {
            mark.push_str(self.line_end());
            mark.push_str(indent);
        }
        mark
    }

    /// How lines of the text end.
    pub(super) fn line_end(&self) -> &'static str {
        match self.text.split_inclusive('\n').next() {
            Some(line) if line.ends_with("\r\n") => "\r\n",
            _ => "\n",
        }
    }
}

/// Whether the line cannot go on after the mark.
fn mark_ends_line(form: Form, rescued: &[&str]) -> bool {
    !rescued.is_empty() || form != Form::Slashes
}

/// How many lines a place touches.
pub(super) fn rows(node: Node<'_>) -> usize {
    let (start, end) = (node.start_position(), node.end_position());
    let rows = end.row - start.row + 1;
    // One that ends with its line end does not touch the next.
    rows - usize::from(end.column == 0 && rows > 1)
}

/// Whether a symbol stands in a function.
pub(super) fn is_local(structure: &Structure, at: usize) -> bool {
    let mut parent = structure.symbols[at].parent;
    // A parent that was adopted may stand anywhere: the steps are bounded.
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

/// The symbols that stay as they are.
fn intact(structure: &Structure, how: &Compression) -> Vec<Range<usize>> {
    let keeps = |kept| how.preserve.keeps(kept);
    let stays = |at: usize, symbol: &Symbol| {
        let is_code = symbol.kind.is_function() || symbol.kind == SymbolKind::Test;
        let is_public = symbol.visibility == Visibility::Public && !is_local(structure, at);
        (keeps(Kept::Public) && is_code && is_public)
            || (keeps(Kept::Tests) && symbol.is_test)
            || (keeps(Kept::Types) && is_plain_type(symbol.kind))
    };
    let symbols = structure.symbols.iter().enumerate();
    let mut intact: Vec<Range<usize>> = symbols
        .filter(|(at, symbol)| stays(*at, symbol))
        .map(|(_, symbol)| symbol.lead.min(symbol.span.start)..symbol.span.end)
        .collect();
    if keeps(Kept::Imports) {
        intact.extend(structure.imports.iter().map(|import| import.span.range()));
    }
    intact
}

/// Whether a type is its declaration: classes hold code too.
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
