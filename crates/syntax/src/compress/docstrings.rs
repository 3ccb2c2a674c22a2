//! Docstrings, as in Python: finds and elides strings that document the enclosing definition.

use std::ops::Range;

use tree_sitter::Node;

use super::ElidedKind;
use super::bodies::named;
use super::plan::Plan;

/// String that documents a file, a class or a function.
#[derive(Clone, Debug)]
pub(super) struct Docstring {
    pub(super) span: Range<usize>,
    /// True if it documents the file.
    pub(super) is_of_file: bool,
    /// True if the body, which may not be empty, contains nothing else.
    is_only: bool,
}

/// Returns the docstring of a definition or of the file.
pub(super) fn docstring_of(id: &str, node: Node<'_>) -> Option<Docstring> {
    if id != "python" {
        return None;
    }
    let is_of_file = node.kind() == "module";
    let body = match node.kind() {
        "module" => node,
        "function_definition" | "class_definition" => node.child_by_field_name("body")?,
        _ => return None,
    };
    let mut statements = named(body).into_iter().filter(|child| !child.is_extra());
    let first = statements.next().filter(|first| is_docstring(*first))?;
    Some(Docstring {
        span: first.byte_range(),
        is_of_file,
        is_only: !is_of_file && statements.next().is_none(),
    })
}

/// Returns whether a statement is a string.
pub(super) fn is_docstring(node: Node<'_>) -> bool {
    let is_string = |kind: &str| matches!(kind, "string" | "concatenated_string");
    match node.kind() {
        "expression_statement" => node
            .named_child(0)
            .is_some_and(|child| is_string(child.kind())),
        kind => is_string(kind),
    }
}

impl Plan<'_> {
    /// Returns whether a docstring is elided like a comment.
    pub(super) fn drops_docstring(&self, node: Node<'_>) -> bool {
        self.id == "python" && self.is_unwanted_docstring(self.text_at(&node.byte_range()))
    }

    /// Elides docstrings, if comments are removed.
    pub(super) fn docstrings(&mut self, docstrings: &[Docstring]) {
        for docstring in docstrings {
            if self.is_unwanted_docstring(self.text_at(&docstring.span)) {
                self.elide_docstring(docstring);
            }
        }
    }

    fn elide_docstring(&mut self, docstring: &Docstring) {
        let span = docstring.span.clone();
        let lines = self.text_at(&span).lines().count();
        let is_alone = self.is_line_start(span.start) && self.is_line_end(span.end);
        if is_alone && !docstring.is_only {
            return self.elide_lines(span, ElidedKind::Comment);
        }
        let (new, marked) = match lines > 1 && is_alone {
            true => (format!("...  {}", self.form.line(lines)), lines),
            false => ("...".to_owned(), 0),
        };
        self.elide_always(span, new, ElidedKind::Comment, marked);
    }
}
