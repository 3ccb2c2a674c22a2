//! Helpers for nodes and their text.

use tree_sitter::Node;

use super::Walk;
use crate::grammar::Field;

impl<'t> Walk<'t> {
    pub(crate) fn field(&self, node: Node<'t>, field: Field) -> Option<Node<'t>> {
        self.prepared.field(node, field)
    }

    /// Returns the text of a node.
    pub(crate) fn text_of(&self, node: Node<'t>) -> &'t str {
        self.slice(node.start_byte(), node.end_byte())
    }

    pub(crate) fn slice(&self, start: usize, end: usize) -> &'t str {
        self.text.get(start..end).unwrap_or_default()
    }

    /// Returns the named children of a node.
    pub(crate) fn children(&self, node: Node<'t>) -> Vec<Node<'t>> {
        let mut cursor = node.walk();
        node.named_children(&mut cursor).collect()
    }

    /// Returns the first child of one of these kinds.
    pub(crate) fn child_of_kind(&self, node: Node<'t>, kinds: &[&str]) -> Option<Node<'t>> {
        let mut cursor = node.walk();
        node.children(&mut cursor)
            .find(|child| kinds.contains(&child.kind()))
    }

    /// Returns the nodes of that kind inside a node. Annotations are small, so nodes that are
    /// nested deeper than in any annotation are skipped.
    pub(crate) fn leaves(&self, node: Node<'t>, kind: &str) -> Vec<Node<'t>> {
        let mut cursor = node.walk();
        let (mut depth, mut found) = (0, Vec::new());
        loop {
            let at = cursor.node();
            if at.kind() == kind {
                found.push(at);
            }
            if depth < 64 && cursor.goto_first_child() {
                depth += 1;
                continue;
            }
            while !cursor.goto_next_sibling() {
                if depth == 0 || !cursor.goto_parent() {
                    return found;
                }
                depth -= 1;
            }
            if depth == 0 {
                return found;
            }
        }
    }
}
