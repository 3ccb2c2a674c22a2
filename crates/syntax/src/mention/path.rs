//! Paths of nodes around a position in a text. tree-sitter finds the parent of a node from the
//! root, so walking up that way takes quadratic time in the depth.

use tree_sitter::Node;

/// Returns the nodes that contain all of these bytes, from the root to the innermost.
pub(super) fn path(root: Node<'_>, at: usize, length: usize) -> Vec<Node<'_>> {
    let mut cursor = root.walk();
    let mut found = vec![root];
    while cursor.goto_first_child_for_byte(at).is_some() {
        let node = cursor.node();
        if node.start_byte() > at || node.end_byte() < at + length {
            break;
        }
        found.push(node);
    }
    found
}

/// Returns the path to the leaf with exactly this text.
pub(super) fn path_to_leaf(root: Node<'_>, at: usize, length: usize) -> Option<Vec<Node<'_>>> {
    let path = path(root, at, length);
    let leaf = path.last()?;
    let is_it = leaf.start_byte() == at && leaf.end_byte() == at + length;
    (is_it && leaf.is_named()).then_some(path)
}
