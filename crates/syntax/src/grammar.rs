//! The description of a language for the walk: its grammar, and a table with the meaning of each
//! kind of node. The tables are in `languages`.

use tree_sitter::Node;

use crate::walk::Walk;
use crate::{Symbol, SymbolKind, Visibility};

/// Description of one language.
pub(crate) struct Spec {
    /// Identifier, the same as that of `Language`.
    pub(crate) id: &'static str,
    pub(crate) grammar: fn() -> tree_sitter::Language,
    /// Separator of the parts of a qualified name.
    pub(crate) separator: &'static str,
    /// Kinds of nodes that are data in code, whose first elements show the form.
    pub(crate) literals: &'static [&'static str],
    /// Meaning of node kinds. A kind that is a word is a named node; others are tokens such as
    /// `&&`.
    pub(crate) rules: &'static [Table],
    /// Comments that document the definition below them.
    pub(crate) docs: Docs,
    /// Function that returns the visibility of a symbol by its kind and name; the modifiers are the
    /// text before the name.
    pub(crate) visibility: fn(&Walk<'_>, SymbolKind, &str, &str) -> Visibility,
    /// Function that returns whether a symbol is a test, given the attributes and modifiers before
    /// its name.
    pub(crate) is_test: fn(&Walk<'_>, &Symbol, &str) -> bool,
}

/// Part of a table, so that similar languages can share it.
pub(crate) type Table = &'static [(&'static str, Rule)];

/// Meaning of a kind of node.
#[derive(Clone, Copy)]
pub(crate) enum Rule {
    /// Symbol with the fields `name` and `body`.
    Symbol(SymbolKind),
    /// Function, or a method if it is inside a type.
    Function,
    /// Code without a name but with its own variables: a closure.
    Local,
    /// Branch of a function.
    Branch,
    /// Call; the callee is in this field.
    Call(Field),
    /// Name of a type.
    TypeName,
    /// Comment.
    Comment,
    /// Attribute or annotation before a symbol.
    Attribute,
    /// Node around a symbol that belongs to it: `export`, `template <…>`.
    Wrapper,
    /// Node whose contents are ignored.
    Skip,
    /// Node that a function of the language handles.
    Custom(for<'t> fn(&mut Walk<'t>, Node<'t>)),
}

/// Comments that document the definition after them.
#[derive(Clone, Copy)]
pub(crate) enum Docs {
    /// Every comment directly above.
    Above,
    /// Comments that start with one of these marks.
    Marked(&'static [&'static str]),
    /// None: the language documents in another way.
    Elsewhere,
}

macro_rules! fields {
    ($($variant:ident = $name:literal,)*) => {
        /// Fields of nodes that rules use, looked up once per grammar.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Field { $($variant,)* }

        impl Field {
            const NAMES: &[&str] = &[$($name,)*];
        }
    };
}

fields! {
    Alias = "alias",
    Argument = "argument",
    Arguments = "arguments",
    Attribute = "attribute",
    Body = "body",
    Constructor = "constructor",
    Declarator = "declarator",
    Member = "field",
    Function = "function",
    Key = "key",
    Left = "left",
    Macro = "macro",
    Method = "method",
    ModuleName = "module_name",
    Name = "name",
    Object = "object",
    Path = "path",
    Property = "property",
    Receiver = "receiver",
    Right = "right",
    Source = "source",
    Superclasses = "superclasses",
    Trait = "trait",
    Type = "type",
    Value = "value",
}

/// Loaded grammar, with its table by the numbers of its kinds.
pub(crate) struct Prepared {
    pub(crate) language: tree_sitter::Language,
    rules: Box<[Option<Rule>]>,
    fields: Box<[u16]>,
}

impl Prepared {
    pub(crate) fn new(spec: &Spec) -> Self {
        let language = (spec.grammar)();
        let count = u16::try_from(language.node_kind_count()).unwrap_or(u16::MAX);
        let rules = (0..count).map(|id| rule_of(spec, &language, id)).collect();
        let field = |name: &&str| language.field_id_for_name(name).map_or(0, u16::from);
        let fields = Field::NAMES.iter().map(field).collect();
        Self {
            language,
            rules,
            fields,
        }
    }

    pub(crate) fn rule(&self, kind: u16) -> Option<Rule> {
        self.rules.get(usize::from(kind)).copied().flatten()
    }

    pub(crate) fn field<'t>(&self, node: Node<'t>, field: Field) -> Option<Node<'t>> {
        match self.fields.get(field as usize) {
            None | Some(0) => None,
            Some(id) => node.child_by_field_id(*id),
        }
    }
}

fn rule_of(spec: &Spec, language: &tree_sitter::Language, id: u16) -> Option<Rule> {
    let name = language.node_kind_for_id(id)?;
    let is_named = language.node_kind_is_named(id);
    let matching = spec
        .rules
        .iter()
        .copied()
        .flatten()
        .find(|(kind, _)| *kind == name && is_word(kind) == is_named);
    matching.map(|(_, rule)| *rule)
}

fn is_word(kind: &str) -> bool {
    kind.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
}

/// Returns public for every symbol.
pub(crate) fn always_public(_: &Walk<'_>, _: SymbolKind, _: &str, _: &str) -> Visibility {
    Visibility::Public
}

/// Returns false, for languages without built-in tests.
pub(crate) fn never_a_test(_: &Walk<'_>, _: &Symbol, _: &str) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::SPECS;

    /// An unknown kind of node in a table would silently match nothing.
    #[test]
    fn every_kind_in_a_table_is_one_of_its_grammar() {
        for spec in SPECS {
            let language = (spec.grammar)();
            for (kind, _) in spec.rules.iter().copied().flatten() {
                let id = language.id_for_node_kind(kind, is_word(kind));
                assert_ne!(id, 0, "{}: {kind}", spec.id);
            }
            for kind in spec.literals {
                assert_ne!(
                    language.id_for_node_kind(kind, true),
                    0,
                    "{}: {kind}",
                    spec.id
                );
            }
        }
    }
}
