//! Finds the text before and around a symbol that belongs to it: documentation, attributes,
//! `export`.

use loom_base::ByteSpan;
use tree_sitter::Node;

use super::{Walk, line_of, span_of};
use crate::doc;
use crate::grammar::Docs;

/// Comments and attributes directly before a node.
#[derive(Clone, Copy)]
pub(super) struct Lead {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) first_attribute: Option<usize>,
}

#[derive(Clone, Copy)]
pub(super) struct Wrapper {
    pub(super) depth: usize,
    pub(super) span: ByteSpan,
}

impl<'t> Walk<'t> {
    pub(crate) fn comment(&mut self, node: Node<'t>) {
        self.skip = true;
        // A shebang line is not a comment.
        if node.start_byte() == 0 && self.text.starts_with("#!") {
            return;
        }
        let span = ByteSpan::new(
            node.start_byte(),
            node.start_byte() + self.text_of(node).trim_end().len(),
        );
        self.found.comments.push(span);
        self.extend_lead(span, None);
    }

    pub(crate) fn attribute(&mut self, node: Node<'t>) {
        let span = span_of(node);
        self.extend_lead(span, Some(span.start));
    }

    pub(crate) fn wrap(&mut self, node: Node<'t>) {
        let span = match self.wrapper {
            Some(outer) if outer.depth + 1 == self.depth => outer.span,
            _ => span_of(node),
        };
        self.wrapper = Some(Wrapper {
            depth: self.depth,
            span,
        });
    }

    /// Returns the attributes before a node, and its text.
    pub(crate) fn head_of(&self, node: Node<'t>) -> &'t str {
        let lead = self.lead_before(node.start_byte());
        let start = lead.and_then(|lead| lead.first_attribute);
        self.slice(start.unwrap_or(node.start_byte()), node.start_byte())
    }

    /// Returns the text of the wrapper directly around the node.
    pub(crate) fn wrapper_text(&self) -> &'t str {
        let wrapper = self.wrapper.filter(|_| self.is_wrapped());
        wrapper.map_or("", |wrapper| {
            self.slice(wrapper.span.start, wrapper.span.end)
        })
    }

    /// Returns whether a wrapper is directly around the node.
    pub(crate) fn is_wrapped(&self) -> bool {
        self.wrapper
            .is_some_and(|wrapper| wrapper.depth + 1 == self.depth)
    }

    /// Returns the span of a symbol with its wrapper.
    pub(super) fn outer(&self, node: Node<'t>) -> ByteSpan {
        match self.wrapper {
            Some(wrapper)
                if wrapper.depth + 1 >= self.depth && wrapper.span.end >= node.end_byte() =>
            {
                wrapper.span
            }
            _ => span_of(node),
        }
    }

    /// Returns the start of a definition after the annotations inside its node, and the line of
    /// that position.
    pub(super) fn after_annotations(&self, node: Node<'t>, outer: usize) -> (usize, usize) {
        let first = first_word(node);
        if first.start_byte() > node.start_byte() {
            return (first.start_byte(), line_of(first));
        }
        let before = self.slice(outer, node.start_byte());
        if before.is_empty() || before.starts_with('@') {
            return (node.start_byte(), line_of(node));
        }
        (outer, line_of(node) - before.matches('\n').count())
    }

    pub(super) fn extend_lead(&mut self, span: ByteSpan, attribute: Option<usize>) {
        let continued = self.lead_before(span.start);
        let lead = match continued {
            Some(lead) => Lead {
                end: span.end,
                first_attribute: lead.first_attribute.or(attribute),
                ..lead
            },
            None if attribute.is_none() && !self.starts_line(span.start) => return,
            None => Lead {
                start: span.start,
                end: span.end,
                first_attribute: attribute,
            },
        };
        self.lead = Some(lead);
    }

    /// Returns the lead that ends directly before that position, without a blank line between.
    pub(super) fn lead_before(&self, start: usize) -> Option<Lead> {
        let lead = self.lead.filter(|lead| lead.end <= start)?;
        let between = self.slice(lead.end, start);
        let is_close = between.trim().is_empty() && between.matches('\n').count() <= 1;
        is_close.then_some(lead)
    }

    pub(super) fn starts_line(&self, at: usize) -> bool {
        let before = self.slice(0, at);
        let line = before.rfind('\n').map_or(0, |end| end + 1);
        before[line..].trim().is_empty()
    }

    pub(super) fn doc_in(&self, lead: Option<Lead>) -> Option<String> {
        let lead = lead?;
        let comments = self.found.comments.iter().rev();
        let mut inside: Vec<&str> = comments
            .take_while(|comment| comment.start >= lead.start)
            .map(|comment| self.slice(comment.start, comment.end))
            .collect();
        inside.reverse();
        match self.spec.docs {
            Docs::Above => {}
            Docs::Marked(marks) => inside.retain(|comment| doc::is_marked(comment, marks)),
            Docs::Elsewhere => inside.clear(),
        }
        doc::clean(&inside)
    }
}

/// Returns the first node of a definition that is not an annotation.
fn first_word(node: Node<'_>) -> Node<'_> {
    let is_kept = |child: &Node<'_>| !child.is_extra() && !is_annotation(child.kind());
    let mut cursor = node.walk();
    for child in node.children(&mut cursor).filter(is_kept) {
        if child.kind() != "modifiers" {
            return child;
        }
        let mut inner = child.walk();
        if let Some(word) = child.children(&mut inner).find(is_kept) {
            return word;
        }
    }
    node
}

fn is_annotation(kind: &str) -> bool {
    matches!(
        kind,
        "annotation" | "marker_annotation" | "attribute_list" | "decorator" | "attribute"
    )
}
