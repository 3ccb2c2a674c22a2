//! Elides bodies of functions: completely, or only between the definitions inside.

use std::ops::Range;

use tree_sitter::Node;

use super::ElidedKind;
use super::docstrings::is_docstring;
use super::plan::{Plan, rows};

/// Minimum number of lines that are worth a marker.
const FEWEST: usize = 2;

impl<'t> Plan<'t> {
    /// Elides a body if it is long.
    pub(super) fn body(&mut self, node: Node<'t>) {
        if rows(node) <= self.level.longest_body() || node.has_error() {
            return;
        }
        let text = self.text_of(node);
        // Braces in these languages enclose a value, not a block.
        let has_blocks = !matches!(self.id, "python" | "ruby");
        let is_braced = has_blocks && text.starts_with('{') && text.ends_with('}');
        let children = self.children(node);
        // Index of the first child that is not a comment: a body may begin with thousands.
        let first = children.iter().position(|child| !child.is_extra());
        let first = first.unwrap_or(children.len());
        let kept: Vec<bool> = children
            .iter()
            .enumerate()
            .map(|(at, child)| self.stays_in_body(at <= first, *child))
            .collect();
        if is_braced && !kept.contains(&true) {
            self.braced(node);
        } else if is_braced || !has_blocks {
            self.runs(&children, &kept, ElidedKind::Body, FEWEST);
        } else if node
            .parent()
            .is_some_and(|parent| parent.kind() == "arrow_function")
            && !self.overlaps_kept(&node.byte_range())
        {
            self.expression(node);
        }
    }

    /// Elides all of `{ … }`.
    fn braced(&mut self, node: Node<'t>) {
        let span = node.byte_range();
        let text = self.text_of(node);
        let inner = text[1..text.len() - 1].trim();
        let inside = span.start + 1..span.end - 1;
        let lines = inner.lines().count();
        let lines = lines.saturating_sub(self.rescued_lines(&inside));
        if lines == 0 {
            return;
        }
        let (outer, end) = (self.indent_at(span.start), self.line_ending());
        let rescued = self.rescued(&inside);
        if self.id == "bash" || !rescued.is_empty() {
            let filler = if self.id == "bash" { ": " } else { "" };
            let mut new = format!("{end}{outer}  {filler}{}", self.form.line(lines));
            for comment in rescued {
                new.push_str(&format!("{end}{outer}  {comment}"));
            }
            // A bracket on its own line stays there, with its line number.
            let last = text[..text.len() - 1].rfind('\n').map_or(0, |at| at + 1);
            let is_alone = last > 0 && text[last..text.len() - 1].trim().is_empty();
            let (stop, close) = match is_alone {
                true => (span.start + last, end.to_owned()),
                false => (span.end - 1, format!("{end}{outer}")),
            };
            self.replace(span.start + 1..stop, new + &close, ElidedKind::Body, lines);
            return;
        }
        let new = format!("{{ {} }}", self.form.inline(lines));
        self.replace(span, new, ElidedKind::Body, lines);
    }

    /// Elides a body without braces, as in `() => value`; the marker adds them.
    fn expression(&mut self, node: Node<'t>) {
        let span = node.byte_range();
        if self.rescued(&span).is_empty() {
            let new = format!("{{ {} }}", self.form.inline(rows(node)));
            self.replace(span, new, ElidedKind::Body, rows(node));
        }
    }

    fn stays_in_body(&self, is_first: bool, child: Node<'t>) -> bool {
        let is_doc = is_first && self.id == "python" && is_docstring(child);
        self.overlaps_kept(&child.byte_range()) || (is_doc && !self.drops_docstring(child))
    }

    /// Returns the statements or elements of a node, through nodes that only contain them.
    pub(super) fn children(&self, node: Node<'t>) -> Vec<Node<'t>> {
        let mut container = node;
        for _ in 0..8 {
            let children = named(container);
            match children.as_slice() {
                [only] if is_container(only.kind()) => container = *only,
                _ => return children,
            }
        }
        named(container)
    }

    /// Elides the runs of children that are not kept, if a run has at least `fewest` lines.
    pub(super) fn runs(
        &mut self,
        children: &[Node<'t>],
        kept: &[bool],
        what: ElidedKind,
        fewest: usize,
    ) {
        let stays = |at: usize| kept.get(at).copied().unwrap_or(true);
        let is_filled = children
            .iter()
            .enumerate()
            .any(|(at, child)| stays(at) && !child.is_extra());
        let mut at = 0;
        while at < children.len() {
            if stays(at) {
                at += 1;
                continue;
            }
            let first = at;
            while at < children.len() && !stays(at) {
                at += 1;
            }
            let run = &children[first..at];
            let rows = rows_of(run);
            if rows >= fewest && !run.iter().all(tree_sitter::Node::is_extra) {
                let span = self.run_span(run);
                let lines = rows.saturating_sub(self.rescued_lines(&span));
                let mut new = self.mark(&span, lines);
                if self.id == "python" && !is_filled && what != ElidedKind::Literal {
                    new.insert_str(0, "...  ");
                }
                self.replace(span, new, what, lines);
            }
        }
    }

    /// Returns the span of a run, including the separator after its last part.
    fn run_span(&self, run: &[Node<'t>]) -> Range<usize> {
        let start = run.first().map_or(0, tree_sitter::Node::start_byte);
        let last = run.last().map_or(start, tree_sitter::Node::end_byte);
        let part = self.text.get(start..last).unwrap_or_default();
        // Some statements include their newline.
        let end = start + part.trim_end_matches(['\n', '\r', ' ', '\t']).len();
        let rest = self.text.get(end..).unwrap_or_default();
        let after = rest.trim_start_matches([' ', '\t']);
        match after.starts_with([',', ';']) {
            true => start..end + (rest.len() - after.len()) + 1,
            false => start..end,
        }
    }
}

/// Returns the named children of a node.
pub(super) fn named<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).collect()
}

/// Returns the number of lines that a run touches.
fn rows_of(run: &[Node<'_>]) -> usize {
    match (run.first(), run.last()) {
        (Some(first), Some(last)) => {
            last.start_position().row - first.start_position().row + rows(*last)
        }
        _ => 0,
    }
}

/// Returns whether a node is only a container of statements.
fn is_container(kind: &str) -> bool {
    matches!(
        kind,
        "statements" | "statement_list" | "block" | "body_statement" | "block_body"
    )
}
