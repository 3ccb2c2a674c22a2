//! Builder of a symbol for the result.

use loom_base::ByteSpan;
use tree_sitter::Node;

use super::span_of;
use crate::{SymbolKind, Visibility};

/// Symbol to be added.
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

    /// Sets the part that is not needed for the signature.
    pub(crate) fn body(mut self, body: Option<Node<'t>>) -> Self {
        self.body = body.map(span_of);
        self
    }

    /// Sets that part, if it is not a single node.
    pub(crate) fn body_span(mut self, body: Option<ByteSpan>) -> Self {
        self.body = body;
        self
    }

    /// Sets a name that differs from the text of its node.
    pub(crate) fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Sets the type of a member that is defined elsewhere.
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

    /// Marks the symbol as one of several in the same wrapper.
    pub(crate) fn shares_wrapper(mut self) -> Self {
        self.is_alone = true;
        self
    }

    /// Marks the symbol as one without inner symbols.
    pub(crate) fn leaf(mut self) -> Self {
        self.is_leaf = true;
        self
    }

    /// Makes the symbol a member of the type around the enclosing constructor.
    pub(crate) fn of_type(mut self) -> Self {
        self.is_of_type = true;
        self
    }

    pub(crate) fn test(mut self) -> Self {
        self.is_test = true;
        self
    }
}
