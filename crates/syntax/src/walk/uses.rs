//! Adds the references and imports of a tree's nodes.

use tree_sitter::Node;

use super::locals::locals;
use super::{Walk, line_of, span_of};
use crate::grammar::Field;
use crate::{Import, ImportKind, Reference, ReferenceKind};

/// Maximum length of a qualifier; a longer one is an expression without a meaning as a name.
const LONGEST_QUALIFIER: usize = 120;

/// Marks the name of a type parameter, which is a declaration and not a reference.
pub(crate) fn type_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(name) = walk.field(node, Field::Name) {
        walk.not_a_use(name);
    }
}

impl<'t> Walk<'t> {
    /// Adds a call of the name in an expression.
    pub(crate) fn call(&mut self, callee: Node<'t>) {
        self.named_use(ReferenceKind::Call, callee);
    }

    /// Adds a reference to the last child of `name_kind`, with its qualifier.
    pub(crate) fn last_use(&mut self, kind: ReferenceKind, node: Node<'t>, name_kind: &str) {
        let children = self.children(node).into_iter();
        let mut names = children.filter(|child| child.kind() == name_kind);
        if let Some(name) = names.next_back() {
            let qualifier = self.qualifier_between(node, name);
            self.reference(kind, name, qualifier);
        }
    }

    /// Adds a reference to the last name of an expression, with its qualifier.
    pub(crate) fn named_use(&mut self, kind: ReferenceKind, node: Node<'t>) {
        let start = node.start_byte();
        let mut node = node;
        // `a::<T>` and similar nodes wrap the name; real code has fewer wrappers.
        for _ in 0..8 {
            let inner = [
                Field::Property,
                Field::Member,
                Field::Attribute,
                Field::Name,
            ]
            .into_iter()
            .find_map(|field| self.field(node, field));
            if let Some(name) = inner {
                if name.child_count() > 0 && self.field(name, Field::Name).is_some() {
                    node = name;
                    continue;
                }
                let qualifier = self.slice(start, name.start_byte());
                self.reference(kind, name, qualified_by(qualifier));
                return;
            }
            let wrapped = [Field::Function, Field::Type]
                .into_iter()
                .find_map(|field| self.field(node, field));
            match wrapped {
                Some(inner) => node = inner,
                None if node.kind() == "generic_type" => match node.named_child(0) {
                    Some(inner) => node = inner,
                    None => break,
                },
                None => break,
            }
        }
        if node.named_child_count() == 0 {
            let qualifier = self.slice(start, node.start_byte());
            self.reference(kind, node, qualified_by(qualifier));
        } else if let Some(last) = last_name(node) {
            let qualifier = self.slice(node.start_byte(), last.start_byte());
            self.reference(kind, last, qualified_by(qualifier));
        }
    }

    /// Adds a reference to a name.
    pub(crate) fn reference(
        &mut self,
        kind: ReferenceKind,
        name: Node<'t>,
        qualifier: Option<String>,
    ) {
        let text = self.text_of(name);
        let is_name = text.starts_with(|c: char| c.is_alphabetic() || "_$@#~".contains(c));
        let is_own = name.start_byte() == self.last_name;
        if is_own || !is_name || text.len() > LONGEST_QUALIFIER {
            return;
        }
        // A base class is also a type: one reference is enough.
        let mut recent = self.found.references.iter().rev().take(4);
        if recent.any(|last| last.span.start == name.start_byte()) {
            return;
        }
        self.found.references.push(Reference {
            kind,
            name: text.to_owned(),
            qualifier,
            span: span_of(name),
            line: line_of(name),
            from: self.parent_or_open(),
        });
    }

    pub(crate) fn import(
        &mut self,
        kind: ImportKind,
        node: Node<'t>,
        module: impl Into<String>,
        names: Vec<String>,
    ) {
        let module = module.into();
        if module.is_empty() && names.is_empty() {
            return;
        }
        let before = self.slice(0, node.start_byte());
        self.found.imports.push(Import {
            kind,
            module,
            names,
            locals: locals(self.id, before, self.text_of(node)),
            modules: self.open_modules(),
            span: span_of(node),
            line: line_of(node),
        });
    }

    /// Returns an expression as the qualifier of a name.
    pub(crate) fn qualifier(&self, node: Node<'t>) -> Option<String> {
        qualified_by(self.text_of(node))
    }

    /// Returns the text of a node before a name inside it, as the qualifier of the name.
    pub(crate) fn qualifier_between(&self, node: Node<'t>, name: Node<'t>) -> Option<String> {
        qualified_by(self.slice(node.start_byte(), name.start_byte()))
    }

    /// Marks a name that is not a reference.
    pub(crate) fn not_a_use(&mut self, name: Node<'t>) {
        self.last_name = name.start_byte();
    }

    /// Returns whether the node is marked as not a reference.
    pub(crate) fn is_not_a_use(&self, node: Node<'t>) -> bool {
        node.start_byte() == self.last_name
    }
}

/// Returns the last name in a qualified one whose grammar has no field for it.
fn last_name(node: Node<'_>) -> Option<Node<'_>> {
    let last = node.named_child(u32::try_from(node.named_child_count().checked_sub(1)?).ok()?)?;
    (last.named_child_count() == 0 && last.kind().ends_with("identifier")).then_some(last)
}

/// Returns the text before a name, without the operators between them.
fn qualified_by(text: &str) -> Option<String> {
    let mut text = text.trim();
    let joints = ["->", "::", ".", ":", "?", "!!", "\\", "&"];
    while let Some(shorter) = joints.iter().find_map(|joint| text.strip_suffix(joint)) {
        text = shorter.trim_end();
    }
    if text.is_empty() || text.len() > LONGEST_QUALIFIER {
        return None;
    }
    if text.contains(char::is_whitespace) {
        return Some(text.split_whitespace().collect());
    }
    Some(text.to_owned())
}
