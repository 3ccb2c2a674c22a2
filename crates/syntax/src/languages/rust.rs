//! Rust.

use loom_base::ByteSpan;
use tree_sitter::Node;

use crate::grammar::{Docs, Field, Rule, Spec};
use crate::walk::{Definition, Walk, type_parameter};
use crate::{ImportKind, ReferenceKind, Symbol, SymbolKind, Visibility};

pub(super) const RUST: Spec = Spec {
    id: "rust",
    grammar: || tree_sitter_rust::LANGUAGE.into(),
    separator: "::",
    literals: &["array_expression", "field_initializer_list"],
    rules: &[&[
        ("line_comment", Rule::Comment),
        ("block_comment", Rule::Comment),
        ("attribute_item", Rule::Attribute),
        ("function_item", Rule::Function),
        ("function_signature_item", Rule::Function),
        ("struct_item", Rule::Symbol(SymbolKind::Struct)),
        ("union_item", Rule::Symbol(SymbolKind::Union)),
        ("enum_item", Rule::Symbol(SymbolKind::Enum)),
        ("enum_variant", Rule::Symbol(SymbolKind::EnumMember)),
        ("field_declaration", Rule::Symbol(SymbolKind::Field)),
        ("trait_item", Rule::Custom(trait_item)),
        ("impl_item", Rule::Custom(impl_item)),
        ("mod_item", Rule::Custom(mod_item)),
        ("type_item", Rule::Symbol(SymbolKind::Type)),
        ("associated_type", Rule::Symbol(SymbolKind::Type)),
        ("const_item", Rule::Symbol(SymbolKind::Constant)),
        ("static_item", Rule::Symbol(SymbolKind::Variable)),
        ("macro_definition", Rule::Custom(macro_definition)),
        ("use_declaration", Rule::Custom(use_declaration)),
        ("extern_crate_declaration", Rule::Custom(extern_crate)),
        ("call_expression", Rule::Call(Field::Function)),
        ("macro_invocation", Rule::Call(Field::Macro)),
        ("token_tree", Rule::Custom(token_tree)),
        ("type_identifier", Rule::TypeName),
        ("scoped_type_identifier", Rule::Custom(scoped_type)),
        ("type_parameter", Rule::Custom(type_parameter)),
        ("struct_expression", Rule::Custom(struct_expression)),
        ("closure_expression", Rule::Local),
        ("if_expression", Rule::Branch),
        ("while_expression", Rule::Branch),
        ("for_expression", Rule::Branch),
        ("loop_expression", Rule::Branch),
        ("match_arm", Rule::Custom(match_arm)),
        ("&&", Rule::Branch),
        ("||", Rule::Branch),
        ("string_literal", Rule::Skip),
        ("raw_string_literal", Rule::Skip),
    ]],
    docs: Docs::Marked(&["///", "/**"]),
    visibility,
    is_test,
};

fn visibility(walk: &Walk<'_>, kind: SymbolKind, _: &str, modifiers: &str) -> Visibility {
    let modifiers = modifiers.trim_start();
    if modifiers.starts_with("pub(self)") {
        return Visibility::Private;
    }
    if modifiers.starts_with("pub(") {
        return Visibility::Internal;
    }
    if modifiers.starts_with("pub") || kind == SymbolKind::Impl {
        return Visibility::Public;
    }
    // Members of a trait or enum have its visibility; implementations of a trait are used through
    // it.
    let around = walk.around_kind();
    match around {
        Some(SymbolKind::Trait | SymbolKind::Enum) => walk.around_visibility(),
        Some(SymbolKind::Impl) if walk.around_signature().contains(" for ") => Visibility::Public,
        Some(SymbolKind::EnumMember) => Visibility::Public,
        _ => Visibility::Private,
    }
}

fn is_test(_: &Walk<'_>, symbol: &Symbol, head: &str) -> bool {
    let marks: &[&str] = match symbol.kind {
        SymbolKind::Function => &[
            "#[test]",
            "::test]",
            "::test(",
            "#[rstest",
            "#[test_case",
            "#[quickcheck",
        ],
        SymbolKind::Module => &["#[cfg(test)]", "#[cfg(all(test"],
        _ => return false,
    };
    head.contains("#[") && marks.iter().any(|mark| head.contains(mark))
}

fn trait_item<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(name) = walk.field(node, Field::Name) else {
        return;
    };
    let body = walk.field(node, Field::Body);
    walk.define(Definition::new(SymbolKind::Trait, node, name).body(body));
    if let Some(bounds) = walk.child_of_kind(node, &["trait_bounds"]) {
        for bound in walk.children(bounds) {
            if bound.kind().ends_with("identifier") || bound.kind() == "generic_type" {
                walk.named_use(ReferenceKind::Inherit, bound);
            }
        }
    }
}

/// Defines an `impl` block with the name of its type, so that methods are `Type::method`.
fn impl_item<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(target) = walk.field(node, Field::Type) else {
        return;
    };
    let body = walk.field(node, Field::Body);
    let name = base_type(walk, target);
    let definition = Definition::new(SymbolKind::Impl, node, name).body(body);
    walk.define(definition);
    if let Some(implemented) = walk.field(node, Field::Trait) {
        walk.named_use(ReferenceKind::Implement, implemented);
    }
}

/// Returns the name inside `&'a mut Type<T>` or `path::Type`, or the whole node without one.
fn base_type<'t>(walk: &Walk<'t>, node: Node<'t>) -> Node<'t> {
    let mut at = node;
    for _ in 0..8 {
        let inner = match at.kind() {
            "generic_type" | "reference_type" | "pointer_type" => walk.field(at, Field::Type),
            "scoped_type_identifier" => walk.field(at, Field::Name),
            _ => None,
        };
        match inner {
            Some(inner) => at = inner,
            None => break,
        }
    }
    at
}

fn mod_item<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(name) = walk.field(node, Field::Name) else {
        return;
    };
    let body = walk.field(node, Field::Body);
    if body.is_none() {
        match named_path(walk.head_of(node)) {
            Some(path) => walk.import(ImportKind::File, node, path, Vec::new()),
            None => {
                let module = walk.path_with(walk.text_of(name));
                walk.import(ImportKind::Module, node, module, Vec::new());
            }
        }
    }
    walk.define(Definition::new(SymbolKind::Module, node, name).body(body));
}

/// Returns the file in `#[path = "…"]`.
fn named_path(attributes: &str) -> Option<&str> {
    let (_, rest) = attributes.split_once("[path")?;
    rest.split('"').nth(1)
}

fn macro_definition<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(name) = walk.field(node, Field::Name) else {
        return;
    };
    let body = walk.child_of_kind(node, &["(", "{", "["]);
    let visibility = if walk.head_of(node).contains("macro_export") {
        Visibility::Public
    } else {
        Visibility::Private
    };
    let definition = Definition::new(SymbolKind::Macro, node, name);
    let body = body.map(|open| ByteSpan::new(open.start_byte(), node.end_byte()));
    walk.define(definition.visibility(Some(visibility)).body_span(body));
    walk.skip();
}

fn extern_crate<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(name) = walk.field(node, Field::Name) {
        walk.import(ImportKind::Import, node, walk.text_of(name), Vec::new());
    }
}

fn use_declaration<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    walk.skip();
    let Some(argument) = walk.field(node, Field::Argument) else {
        return;
    };
    let kind = if walk.text_of(node).starts_with("pub") {
        ImportKind::Export
    } else {
        ImportKind::Import
    };
    // A loop instead of recursion, because lists can be nested deeply.
    let mut open = vec![(String::new(), argument)];
    while let Some((prefix, at)) = open.pop() {
        match at.kind() {
            "scoped_use_list" => {
                let path = field_text(walk, at, Field::Path);
                let inner = joined(&prefix, path);
                if let Some(list) = walk.child_of_kind(at, &["use_list"]) {
                    open.push((inner, list));
                }
            }
            "use_list" => {
                let (nested, plain): (Vec<_>, Vec<_>) = walk
                    .children(at)
                    .into_iter()
                    .filter(|child| !child.is_extra())
                    .partition(|child| is_nested(child.kind()));
                let names: Vec<_> = plain.iter().map(|name| name_of(walk, *name)).collect();
                if !names.is_empty() {
                    walk.import(kind, node, prefix.clone(), names);
                }
                open.extend(
                    nested
                        .into_iter()
                        .rev()
                        .map(|child| (prefix.clone(), child)),
                );
            }
            "use_wildcard" => {
                let path = walk
                    .text_of(at)
                    .trim_end_matches('*')
                    .trim_end_matches("::");
                walk.import(kind, node, joined(&prefix, path), vec!["*".to_owned()]);
            }
            "use_as_clause" => {
                if let Some(path) = walk.field(at, Field::Path) {
                    open.push((prefix, path));
                }
            }
            "scoped_identifier" => {
                let path = field_text(walk, at, Field::Path);
                let name = field_text(walk, at, Field::Name);
                walk.import(kind, node, joined(&prefix, path), vec![name.to_owned()]);
            }
            _ => walk.import(kind, node, joined(&prefix, walk.text_of(at)), Vec::new()),
        }
    }
}

/// Returns the text of a field, or an empty text if the node does not have it.
fn field_text<'t>(walk: &Walk<'t>, node: Node<'t>, field: Field) -> &'t str {
    walk.field(node, field)
        .map_or("", |node| walk.text_of(node))
}

fn is_nested(kind: &str) -> bool {
    matches!(
        kind,
        "scoped_use_list" | "use_list" | "use_wildcard" | "scoped_identifier"
    )
}

fn name_of<'t>(walk: &Walk<'t>, node: Node<'t>) -> String {
    let name = match node.kind() {
        "use_as_clause" => walk.field(node, Field::Path).unwrap_or(node),
        _ => node,
    };
    walk.text_of(name).to_owned()
}

fn joined(prefix: &str, path: &str) -> String {
    match (prefix.is_empty(), path.is_empty()) {
        (true, _) => path.to_owned(),
        (_, true) => prefix.to_owned(),
        _ => format!("{prefix}::{path}"),
    }
}

/// Adds the calls inside a macro, where the grammar only sees tokens: a name before a bracket is a
/// call.
fn token_tree<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let mut cursor = node.walk();
    let mut name: Option<Node<'t>> = None;
    let mut calls = Vec::new();
    for child in node.children(&mut cursor) {
        if child.kind() == "token_tree" && walk.text_of(child).starts_with('(') {
            calls.extend(name);
        }
        name = (child.kind() == "identifier").then_some(child);
    }
    for call in calls {
        walk.reference(ReferenceKind::Call, call, None);
    }
}

fn scoped_type<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    walk.named_use(ReferenceKind::Type, node);
}

fn struct_expression<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(name) = walk.field(node, Field::Name) {
        walk.named_use(ReferenceKind::Call, name);
    }
}

fn match_arm<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let pattern = walk.child_of_kind(node, &["match_pattern"]);
    if pattern.is_none_or(|pattern| walk.text_of(pattern) != "_") {
        walk.branch();
    }
}

#[cfg(test)]
mod tests {
    use crate::languages::check::{check, check_uses};

    const SOURCE: &str = r#"
/// A parser.
///
/// Of words.
#[derive(Debug)]
pub struct Parser<'a, T: Read> {
    /// The text.
    pub text: &'a str,
    depth: usize,
}

pub(crate) enum Kind {
    One,
    Two(u8),
}

impl<'a, T: Read> Parser<'a, T> {
    pub fn parse(
        &self,
        most: usize,
    ) -> Option<Tree> {
        if most > 1 && self.depth > 0 { return None; }
        match most { 0 => None, 1 => None, _ => Some(Tree) }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result { f.write_str("kind") }
}

pub trait Visit: Send + Sized {
    type Out;
    const MOST: usize = 4;
    fn visit(&self) -> Self::Out;
}

macro_rules! words { ($a:ident) => {} }

pub type Short = Vec<u8>;
static mut COUNT: u32 = 0;
mod inner;

// not a doc
#[cfg(test)]
mod tests {
    #[test]
    fn works() {}
    fn helper() {}
}
"#;

    const FOUND: &str = "
6-10 public struct Parser | pub struct Parser<'a, T: Read> | A parser.//Of words.
8-8 public field Parser::text | pub text: &'a str | The text.
9-9 private field Parser::depth | depth: usize
12-15 internal enum Kind | pub(crate) enum Kind
13-13 internal enum_member Kind::One | One
14-14 internal enum_member Kind::Two | Two
17-25 public impl Parser | impl<'a, T: Read> Parser<'a, T>
18-24 public method Parser::parse *5 | pub fn parse(&self, most: usize) -> Option<Tree>
27-29 public impl Kind | impl fmt::Display for Kind
28-28 public method Kind::fmt | fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result
31-35 public trait Visit | pub trait Visit: Send + Sized
32-32 public type Visit::Out | type Out
33-33 public constant Visit::MOST | const MOST: usize = 4
34-34 public method Visit::visit | fn visit(&self) -> Self::Out
37-37 private macro words | macro_rules! words
39-39 public type Short | pub type Short = Vec<u8>
40-40 private variable COUNT | static mut COUNT: u32 = 0
41-41 private module inner | mod inner
45-49 private module tests test | mod tests
47-47 private function tests::works test | fn works()
48-48 private function tests::helper | fn helper()
module inner []
";

    #[test]
    fn definitions() {
        check("rust", SOURCE, FOUND);
    }

    #[test]
    fn imports() {
        check(
            "rust",
            "use std::{fmt, io::{self, Read}};\npub use a::b;\nuse super::*;\nuse x as y;\nuse a::b::{c as d};\n",
            "import std [fmt]
             import std::io [self, Read]
             export a [b]
             import super [*]
             import x []
             import a::b [c]",
        );
    }

    #[test]
    fn uses() {
        check_uses(
            "rust",
            "fn a(x: base::Path<Out>) { self.b.c(1); d::<T>::e(); assert_eq!(f(1), 2); Some(g) }
             impl Show for A {}",
            "type base . Path < a
             type Out < a
             call self.b . c < a
             call d::<T> . e < a
             type d < a
             type T < a
             call assert_eq < a
             call f < a
             call Some < a
             implement Show < A",
        );
    }
}
