//! Elides data literals after their first elements, which show the form.

use tree_sitter::Node;

use super::ElidedKind;
use super::bodies::named;
use super::marker::CommentForm;
use super::plan::{Plan, rows};

/// Minimum number of lines that are worth a marker.
const FEWEST: usize = 2;

impl<'t> Plan<'t> {
    /// Elides the later elements of a literal, if it is long.
    pub(super) fn literal(&mut self, node: Node<'t>) {
        if rows(node) <= self.level.longest_literal() || node.has_error() {
            return;
        }
        let children = named(node);
        let mut shown = 0;
        let kept: Vec<bool> = children
            .iter()
            .map(|child| {
                let stays = self.overlaps_kept(&child.byte_range());
                shown += usize::from(!child.is_extra());
                stays || shown <= self.level.shown_elements()
            })
            .collect();
        match self.form {
            CommentForm::Data => self.data_runs(&children, &kept),
            _ => self.runs(&children, &kept, ElidedKind::Literal, FEWEST),
        }
    }

    /// Elides elements in a language without comments: the marker is an element.
    fn data_runs(&mut self, children: &[Node<'t>], kept: &[bool]) {
        let mut at = 0;
        while at < children.len() {
            let first = at;
            while at < children.len() && !kept[at] {
                at += 1;
            }
            if let [start, .., end] = &children[first..at] {
                let span = start.start_byte()..end.end_byte();
                let lines = self.text[span.clone()].lines().count();
                let is_pair = start.kind() == "pair";
                let new = match is_pair {
                    true => format!("\"…\": \"{lines} lines\""),
                    false => self.form.inline(lines),
                };
                if lines >= FEWEST {
                    self.replace(span, new, ElidedKind::Literal, lines);
                }
            }
            at += 1;
        }
    }
}
