//! Elides statements outside of functions that define nothing: code that runs when the file is
//! loaded.

use tree_sitter::Node;

use super::docstrings::is_docstring;
use super::plan::Plan;
use super::{ElidedKind, PreservedKind};

/// Minimum number of lines that are worth a marker.
const FEWEST: usize = 2;

impl<'t> Plan<'t> {
    /// Elides the runs of statements in a block of definitions.
    pub(super) fn statements(&mut self, block: Node<'t>) {
        let children = self.children(block);
        let kept: Vec<bool> = children
            .iter()
            .enumerate()
            .map(|(at, child)| {
                let is_first = children[..at].iter().all(tree_sitter::Node::is_extra);
                let is_doc = is_first && is_docstring(*child) && !self.drops_docstring(*child);
                is_doc || !self.is_elidable(*child)
            })
            .collect();
        self.runs(&children, &kept, ElidedKind::Statements, FEWEST);
    }

    fn is_elidable(&self, node: Node<'t>) -> bool {
        if node.is_extra() {
            return self.is_plain_comment(node.byte_range());
        }
        let span = node.byte_range();
        let is_kept_doc = is_docstring(node) && self.how.preserve.keeps(PreservedKind::Docstrings);
        is_statement(node.kind())
            && !node.has_error()
            && !self.overlaps_kept(&span)
            && !self.imports(&span)
            && !is_kept_doc
    }

    fn imports(&self, span: &std::ops::Range<usize>) -> bool {
        let imports = &self.structure.imports;
        let is_in = |start: usize| span.start <= start && start < span.end;
        imports.iter().any(|import| is_in(import.span.start))
    }
}

/// Returns whether a kind of node is executed, and declares nothing that a reader needs for
/// orientation.
fn is_statement(kind: &str) -> bool {
    const DECLARE: &[&str] = &[
        "import",
        "export",
        "package",
        "use",
        "using",
        "include",
        "namespace",
        "preproc",
        "declaration",
        "labeled",
    ];
    let is_known = matches!(
        kind,
        "command"
            | "pipeline"
            | "list"
            | "if"
            | "unless"
            | "while"
            | "until"
            | "for"
            | "begin"
            | "case"
            | "redirected_statement"
    );
    let is_named = kind.ends_with("_statement") || kind.ends_with("_expression");
    (is_known || is_named) && !DECLARE.iter().any(|part| kind.contains(part))
}
