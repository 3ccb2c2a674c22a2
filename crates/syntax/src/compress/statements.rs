//! Statements that stand outside functions and define nothing: what a file does when
//! it is loaded.

use tree_sitter::Node;

use super::docstrings::is_docstring;
use super::plan::Plan;
use super::{ElidedKind, Kept};

/// Fewer lines than this are not worth a mark.
const FEWEST: usize = 2;

impl<'t> Plan<'t> {
    /// Leaves out the runs of statements in a block of definitions.
    pub(super) fn statements(&mut self, block: Node<'t>) {
        let children = self.children(block);
        let kept: Vec<bool> = children
            .iter()
            .enumerate()
            .map(|(at, child)| {
                let is_first = children[..at].iter().all(tree_sitter::Node::is_extra);
                let is_doc = is_first && is_docstring(*child) && !self.drops_docstring(*child);
                is_doc || !self.is_passed_over(*child)
            })
            .collect();
        self.runs(&children, &kept, ElidedKind::Statements, FEWEST);
    }

    fn is_passed_over(&self, node: Node<'t>) -> bool {
        if node.is_extra() {
            return self.is_plain_comment(node.byte_range());
        }
        let span = node.byte_range();
        let is_kept_doc = is_docstring(node) && self.how.preserve.keeps(Kept::Docstrings);
        is_statement(node.kind())
            && !node.has_error()
            && !self.holds(&span)
            && !self.imports(&span)
            && !is_kept_doc
    }

    fn imports(&self, span: &std::ops::Range<usize>) -> bool {
        let imports = &self.structure.imports;
        let is_in = |start: usize| span.start <= start && start < span.end;
        imports.iter().any(|import| is_in(import.span.start))
    }
}

/// Whether a kind of node does something, and declares nothing that a reader needs to
/// place the rest.
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
