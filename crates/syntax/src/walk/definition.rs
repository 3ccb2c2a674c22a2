//! A symbol on its way into the result.

use loom_base::ByteSpan;
use tree_sitter::Node;

use super::span_of;
use crate::{SymbolKind, Visibility};

/// A symbol to be added.
pub(crate) struct Definition<'t> {
    pub(crate) kind: SymbolKind,
    pub(crate) node: Node<'t>,
    pub(crate) name_node: Node<'t>,
    pub(super) name: Option<String>,
    pub(super) body: Option<ByteSpan>,
    pub(super) owner: Option<String>,
    pub(super) doc: Option<String>,
    pub(super) visibility: Option<Visibility>,
    pub(super) is_test: bool,
    pub(super) is_alone: bool,
    pub(super) is_leaf: bool,
    pub(super) is_of_type: bool,
}

impl<'t> Definition<'t> {
    pub(crate) fn new(kind: SymbolKind, node: Node<'t>, name_node: Node<'t>) -> Self {
        Self {
            kind,
            node,
            name_node,
            name: None,
            body: None,
            owner: None,
            doc: None,
            visibility: None,
            is_test: false,
            is_alone: false,
            is_leaf: false,
            is_of_type: false,
        }
    }

    /// What may be left out to see the signature.
    pub(crate) fn body(mut self, body: Option<Node<'t>>) -> Self {
        self.body = body.map(span_of);
        self
    }

    /// The same where it is no single node.
    pub(crate) fn body_span(mut self, body: Option<ByteSpan>) -> Self {
        self.body = body;
        self
    }

    /// Another name than the text of its node.
    pub(crate) fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// The type that it belongs to although it stands elsewhere.
    pub(crate) fn owner(mut self, owner: Option<String>) -> Self {
        self.owner = owner;
        self
    }

    pub(crate) fn doc(mut self, doc: Option<String>) -> Self {
        self.doc = doc;
        self
    }

    pub(crate) fn visibility(mut self, visibility: Option<Visibility>) -> Self {
        self.visibility = visibility;
        self
    }

    /// What stands around it belongs to another symbol too.
    pub(crate) fn alone(mut self) -> Self {
        self.is_alone = true;
        self
    }

    /// What stands inside it is not part of it.
    pub(crate) fn leaf(mut self) -> Self {
        self.is_leaf = true;
        self
    }

    /// It is named after the type of the constructor that it stands in.
    pub(crate) fn of_type(mut self) -> Self {
        self.is_of_type = true;
        self
    }

    pub(crate) fn test(mut self) -> Self {
        self.is_test = true;
        self
    }
}
