//! Elides parts of documents: the ends of long examples, and everything in a section but its
//! heading and first paragraph.

use tree_sitter::Node;

use super::bodies::named;
use super::marker::CommentForm;
use super::plan::{Plan, rows};
use super::{ElidedKind, Level};
use crate::embedded;

/// Number of lines of an example that stay.
const SHOWN: usize = 8;

/// Minimum number of lines that are worth a marker.
const FEWEST: usize = 2;

impl<'t> Plan<'t> {
    /// Elides long parts of a document.
    pub(super) fn prose(&mut self, root: Node<'t>) {
        let mut sections = vec![root];
        while let Some(section) = sections.pop() {
            let children = named(section);
            sections.extend(children.iter().filter(|child| child.kind() == "section"));
            if self.level >= Level::Aggressive {
                self.section(&children);
            }
            for child in &children {
                self.long_block(*child);
            }
        }
    }

    fn section(&mut self, children: &[Node<'t>]) {
        let mut texts = 0;
        let kept: Vec<bool> = children
            .iter()
            .map(|child| {
                let kind = child.kind();
                let is_frame =
                    kind == "section" || kind.contains("heading") || kind.contains("metadata");
                texts += usize::from(!is_frame);
                is_frame || texts <= 1
            })
            .collect();
        self.runs(children, &kept, ElidedKind::Prose, FEWEST);
    }

    /// Elides an example, a list or a table after its first lines.
    fn long_block(&mut self, node: Node<'t>) {
        let longest = match self.level {
            Level::Balanced => 2 * SHOWN,
            _ => SHOWN,
        };
        let is_example = node.kind() == "fenced_code_block";
        let is_long = is_example || matches!(node.kind(), "list" | "pipe_table");
        let is_wanted = is_long && (is_example || self.level >= Level::Aggressive);
        let is_kept = self.level == Level::Balanced && self.overlaps_kept(&node.byte_range());
        if !is_wanted || is_kept || rows(node) <= longest + 1 {
            return;
        }
        let text = self.text_of(node).trim_end();
        let mut ends = text.match_indices('\n').map(|(at, _)| at);
        let Some(start) = ends.nth(SHOWN - 1) else {
            return;
        };
        let last = match is_example && text.lines().last().is_some_and(is_fence) {
            true => text.rfind('\n').unwrap_or(text.len()),
            false => text.len(),
        };
        if last <= start {
            return;
        }
        let lines = text[start + 1..last].lines().count();
        let form = if is_example {
            fence_form(text)
        } else {
            self.form
        };
        // The line before the marker keeps its newline, so that the marker has the number of the
        // first elided line.
        let base = node.start_byte();
        let span = base + start + 1..base + last;
        if lines >= FEWEST {
            self.replace(span, form.line(lines), ElidedKind::Prose, lines);
        }
    }
}

fn is_fence(line: &str) -> bool {
    let line = line.trim();
    line.starts_with("```") || line.starts_with("~~~")
}

/// Returns the comment form of the language that a fence names.
fn fence_form(text: &str) -> CommentForm {
    let line = text.lines().next().unwrap_or_default();
    let word = line.trim().trim_start_matches(['`', '~']).trim();
    let word = word.split([' ', ',', '{']).next().unwrap_or_default();
    embedded::named(word).map_or(CommentForm::Bare, CommentForm::for_language)
}
