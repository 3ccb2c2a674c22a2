//! How a language is told to the walk: its grammar, and a table that says what a
//! kind of node means. The tables themselves are in `languages`.

use tree_sitter::Node;

use crate::walk::Walk;
use crate::{Symbol, SymbolKind, Visibility};

/// One language.
pub(crate) struct Spec {
    /// The identifier that `Language` has too.
    pub(crate) id: &'static str,
    pub(crate) grammar: fn() -> tree_sitter::Language,
    /// What stands between the parts of a qualified name.
    pub(crate) separator: &'static str,
    /// The kinds of nodes that are data written in code, of which the first elements
    /// show the form.
    pub(crate) literals: &'static [&'static str],
    /// What kinds of nodes mean. A kind that is a word is a named node; others are
    /// tokens such as `&&`.
    pub(crate) rules: &'static [Table],
    /// Which comments above a definition document it.
    pub(crate) docs: Docs,
    /// Who may use a symbol of that kind and name; the modifiers are what stands before
    /// the name.
    pub(crate) visibility: fn(&Walk<'_>, SymbolKind, &str, &str) -> Visibility,
    /// Whether a symbol is a test; with the attributes and modifiers before its name.
    pub(crate) is_test: fn(&Walk<'_>, &Symbol, &str) -> bool,
}

/// A part of a table, so that languages that are alike share one.
pub(crate) type Table = &'static [(&'static str, Rule)];

/// What a kind of node means.
#[derive(Clone, Copy)]
pub(crate) enum Rule {
    /// A symbol whose fields `name` and `body` are that.
    Symbol(SymbolKind),
    /// A function: a method where it stands in a type.
    Function,
    /// Code without a name whose variables are its own: a closure.
    Local,
    /// One more way through the function.
    Branch,
    /// A call: the callee is in this field.
    Call(Field),
    /// A name of a type.
    TypeName,
    /// A comment.
    Comment,
    /// An attribute or annotation before a symbol.
    Attribute,
    /// What stands around a symbol and belongs to it: `export`, `template <…>`.
    Wrapper,
    /// Nothing in it matters.
    Skip,
    /// Whatever the language's own function does.
    Custom(for<'t> fn(&mut Walk<'t>, Node<'t>)),
}

/// Which comments document what follows them.
#[derive(Clone, Copy)]
pub(crate) enum Docs {
    /// Every comment directly above.
    Above,
    /// Those that start with one of these marks.
    Marked(&'static [&'static str]),
    /// None: the language documents in another way.
    Elsewhere,
}

macro_rules! fields {
    ($($variant:ident = $name:literal,)*) => {
        /// The fields of nodes that are asked for, looked up once for a grammar.
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

/// A grammar that is loaded, with its table by the numbers of its kinds.
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

/// A symbol is everybody's.
pub(crate) fn always_public(_: &Walk<'_>, _: SymbolKind, _: &str, _: &str) -> Visibility {
    Visibility::Public
}

/// The language has no tests of its own.
pub(crate) fn never_a_test(_: &Walk<'_>, _: &Symbol, _: &str) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::SPECS;

    /// A kind that the grammar does not know would silently find nothing.
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
