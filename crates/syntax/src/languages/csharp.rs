//! C#.

use tree_sitter::Node;

use crate::grammar::{Docs, Field, Rule, Spec};
use crate::walk::{Definition, Walk};
use crate::{ImportKind, ReferenceKind, Symbol, SymbolKind, Visibility};

pub(super) const CSHARP: Spec = Spec {
    id: "csharp",
    grammar: || tree_sitter_c_sharp::LANGUAGE.into(),
    separator: ".",
    literals: &["initializer_expression"],
    rules: &[&[
        ("comment", Rule::Comment),
        ("using_directive", Rule::Custom(using)),
        ("namespace_declaration", Rule::Custom(namespace)),
        ("file_scoped_namespace_declaration", Rule::Custom(namespace)),
        ("class_declaration", Rule::Symbol(SymbolKind::Class)),
        ("record_declaration", Rule::Symbol(SymbolKind::Class)),
        ("struct_declaration", Rule::Symbol(SymbolKind::Struct)),
        ("interface_declaration", Rule::Symbol(SymbolKind::Interface)),
        ("enum_declaration", Rule::Symbol(SymbolKind::Enum)),
        (
            "enum_member_declaration",
            Rule::Symbol(SymbolKind::EnumMember),
        ),
        ("delegate_declaration", Rule::Symbol(SymbolKind::Type)),
        ("method_declaration", Rule::Custom(method)),
        (
            "local_function_statement",
            Rule::Symbol(SymbolKind::Function),
        ),
        (
            "constructor_declaration",
            Rule::Symbol(SymbolKind::Constructor),
        ),
        ("destructor_declaration", Rule::Custom(destructor)),
        ("property_declaration", Rule::Custom(property)),
        ("event_declaration", Rule::Custom(property)),
        ("indexer_declaration", Rule::Custom(indexer)),
        ("operator_declaration", Rule::Custom(operator)),
        ("conversion_operator_declaration", Rule::Custom(conversion)),
        ("field_declaration", Rule::Custom(field)),
        ("event_field_declaration", Rule::Custom(field)),
        ("base_list", Rule::Custom(bases)),
        ("invocation_expression", Rule::Custom(call)),
        ("object_creation_expression", Rule::Custom(creation)),
        ("parameter", Rule::Custom(typed)),
        ("variable_declaration", Rule::Custom(typed)),
        ("cast_expression", Rule::Custom(typed)),
        ("typeof_expression", Rule::Custom(typed)),
        ("lambda_expression", Rule::Local),
        ("anonymous_method_expression", Rule::Local),
        ("if_statement", Rule::Branch),
        ("for_statement", Rule::Branch),
        ("foreach_statement", Rule::Branch),
        ("while_statement", Rule::Branch),
        ("do_statement", Rule::Branch),
        ("switch_section", Rule::Custom(section)),
        ("switch_expression_arm", Rule::Branch),
        ("catch_clause", Rule::Branch),
        ("conditional_expression", Rule::Branch),
        ("&&", Rule::Branch),
        ("||", Rule::Branch),
        ("??", Rule::Branch),
        ("string_literal", Rule::Skip),
        ("verbatim_string_literal", Rule::Skip),
    ]],
    docs: Docs::Above,
    visibility,
    is_test,
};

fn visibility(walk: &Walk<'_>, kind: SymbolKind, _: &str, modifiers: &str) -> Visibility {
    let has = |word: &str| modifiers.split_whitespace().any(|one| one == word);
    if has("public") || kind == SymbolKind::Module {
        return Visibility::Public;
    }
    if has("protected") {
        return Visibility::Protected;
    }
    if has("internal") {
        return Visibility::Internal;
    }
    match walk.around_kind() {
        _ if has("private") => Visibility::Private,
        Some(SymbolKind::Interface | SymbolKind::Enum) => walk.around_visibility(),
        None | Some(SymbolKind::Module) => Visibility::Internal,
        // An explicit implementation is called through its interface.
        _ if kind == SymbolKind::Method && modifiers.trim_end().ends_with('.') => {
            Visibility::Public
        }
        _ => Visibility::Private,
    }
}

fn is_test(_: &Walk<'_>, symbol: &Symbol, head: &str) -> bool {
    let marks: &[&str] = match symbol.kind {
        SymbolKind::Method => &[
            "[Test]",
            "[Fact",
            "[Theory",
            "[TestMethod",
            "[TestCase",
            "[Test(",
        ],
        SymbolKind::Class => &["[TestFixture", "[TestClass"],
        _ => return false,
    };
    head.contains('[') && marks.iter().any(|mark| head.contains(mark))
}

fn using<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    walk.skip();
    let last = u32::try_from(node.named_child_count())
        .unwrap_or(0)
        .saturating_sub(1);
    if let Some(name) = node.named_child(last) {
        walk.import(ImportKind::Import, node, walk.text_of(name), Vec::new());
    }
}

fn namespace<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(name) = walk.field(node, Field::Name) else {
        return;
    };
    walk.found.packages.push(walk.text_of(name).to_owned());
    let body = walk.field(node, Field::Body);
    walk.define(Definition::new(SymbolKind::Module, node, name).body(body));
}

fn method<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(name) = walk.field(node, Field::Name) else {
        return;
    };
    let body = walk.field(node, Field::Body);
    walk.define(Definition::new(SymbolKind::Method, node, name).body(body));
    let mut cursor = node.walk();
    if let Some(returned) = node.children_by_field_name("returns", &mut cursor).next() {
        types_in(walk, returned);
    }
}

fn destructor<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(name) = walk.field(node, Field::Name) {
        let definition = Definition::new(SymbolKind::Method, node, name);
        let body = walk.field(node, Field::Body);
        let name = format!("~{}", walk.text_of(name));
        walk.define(definition.named(name).body(body));
    }
}

fn property<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(name) = walk.field(node, Field::Name) else {
        return;
    };
    let body = walk.child_of_kind(node, &["accessor_list", "arrow_expression_clause"]);
    walk.define(Definition::new(SymbolKind::Property, node, name).body(body));
    typed(walk, node);
    walk.open_local_if_code();
}

fn indexer<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(word) = walk.child_of_kind(node, &["this"]) {
        let body = walk.child_of_kind(node, &["accessor_list", "arrow_expression_clause"]);
        let definition = Definition::new(SymbolKind::Property, node, word);
        walk.define(definition.named("this[]").body(body));
    }
}

fn operator<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let mut cursor = node.walk();
    let operator = node.children_by_field_name("operator", &mut cursor).next();
    if let Some(operator) = operator {
        let name = format!("operator {}", walk.text_of(operator));
        let body = walk.field(node, Field::Body);
        walk.define(
            Definition::new(SymbolKind::Method, node, operator)
                .named(name)
                .body(body),
        );
    }
}

fn conversion<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(target) = walk.field(node, Field::Type) {
        let name = format!("operator {}", walk.text_of(target));
        let body = walk.field(node, Field::Body);
        let definition = Definition::new(SymbolKind::Method, node, target);
        walk.define(definition.named(name).body(body));
    }
}

fn field<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(variables) = walk.child_of_kind(node, &["variable_declaration"]) else {
        return;
    };
    let before = walk.slice(node.start_byte(), variables.start_byte());
    let is_constant = before.split_whitespace().any(|word| word == "const");
    let kind = if is_constant {
        SymbolKind::Constant
    } else {
        SymbolKind::Field
    };
    for variable in walk.children(variables) {
        if variable.kind() == "variable_declarator"
            && let Some(name) = walk.field(variable, Field::Name)
        {
            walk.define(Definition::new(kind, node, name));
        }
    }
}

/// Adds the bases of a type. An interface has a name like `IThing`: the grammar does not
/// distinguish interfaces from classes.
fn bases<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    for base in walk.children(node) {
        let base = match base.kind() {
            "primary_constructor_base_type" => walk.field(base, Field::Type).unwrap_or(base),
            _ => base,
        };
        let Some(name) = walk.leaves(base, "identifier").into_iter().next() else {
            continue;
        };
        let mut letters = walk.text_of(name).chars();
        let is_interface =
            letters.next() == Some('I') && letters.next().is_some_and(char::is_uppercase);
        let kind = if is_interface {
            ReferenceKind::Implement
        } else {
            ReferenceKind::Inherit
        };
        if base.kind() == "qualified_name" {
            walk.named_use(kind, base);
        } else {
            walk.reference(kind, name, None);
        }
    }
}

fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(callee) = walk.field(node, Field::Function) else {
        return;
    };
    let name = match callee.kind() {
        "conditional_access_expression" => walk
            .child_of_kind(callee, &["member_binding_expression"])
            .and_then(|binding| walk.field(binding, Field::Name)),
        "identifier" | "generic_name" => Some(callee),
        _ => walk.field(callee, Field::Name),
    };
    let Some(name) = name else { return };
    let plain = match name.kind() {
        "generic_name" => name.named_child(0).unwrap_or(name),
        _ => name,
    };
    let qualifier = walk.qualifier_between(callee, plain);
    walk.reference(ReferenceKind::Call, plain, qualifier);
}

fn creation<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(made) = walk.field(node, Field::Type) else {
        return;
    };
    match made.kind() {
        "generic_name" => {
            if let Some(name) = made.named_child(0) {
                walk.reference(ReferenceKind::Call, name, None);
            }
            types_in(walk, made);
        }
        _ => walk.named_use(ReferenceKind::Call, made),
    }
}

fn typed<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(of_type) = walk.field(node, Field::Type) {
        types_in(walk, of_type);
    }
}

fn types_in<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    for name in walk.leaves(node, "identifier") {
        let after = walk.slice(name.end_byte(), node.end_byte());
        if !after.starts_with('.') {
            walk.reference(ReferenceKind::Type, name, None);
        }
    }
}

fn section<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if walk.text_of(node).starts_with("case") {
        walk.branch();
    }
}

#[cfg(test)]
mod tests {
    use crate::languages::check::{check, check_uses};

    #[test]
    fn definitions() {
        check(
            "csharp",
            r#"
using System;
using X = A.B;
namespace A.B
{
    /// <summary>A shop.</summary>
    [Serializable]
    public sealed class Shop<T> : Base, ISells<T> where T : class
    {
        public const int Most = 4;
        private readonly string _name, _other;
        public event Action Sold;
        public int Count { get; private set; }
        public Shop(string name) : base(name) { _name = name; }

        [Fact]
        public async Task<int> Sell(int a)
        {
            if (a > 1 && a < 4) { return 1; }
            int Inner() => 1;
            return a switch { 1 => 2, _ => 3 };
        }
        public int this[int i] => 1;
        void IThing.Do() { }
        enum Kind { One, Two = 2 }
    }
    interface ISells<T> { void Sell(); }
    public delegate void Done(int a);
    record Point(int X);
}
"#,
            "
4-30 public module A.B | namespace A.B
8-26 public class A.B.Shop | public sealed class Shop<T> : Base, ISells<T> where T : class | <summary>A shop.</summary>
10-10 public constant A.B.Shop.Most | public const int Most = 4
11-11 private field A.B.Shop._name | private readonly string _name, _other
11-11 private field A.B.Shop._other | private readonly string _name, _other
12-12 public field A.B.Shop.Sold | public event Action Sold
13-13 public property A.B.Shop.Count | public int Count
14-14 public constructor A.B.Shop.Shop | public Shop(string name) : base(name)
17-22 public method A.B.Shop.Sell *5 test | public async Task<int> Sell(int a)
20-20 private function A.B.Shop.Sell.Inner | int Inner()
23-23 public property A.B.Shop.this[] | public int this[int i]
24-24 public method A.B.Shop.Do | void IThing.Do()
25-25 private enum A.B.Shop.Kind | enum Kind
25-25 private enum_member A.B.Shop.Kind.One | One
25-25 private enum_member A.B.Shop.Kind.Two | Two = 2
27-27 internal interface A.B.ISells | interface ISells<T>
27-27 internal method A.B.ISells.Sell | void Sell()
28-28 public type A.B.Done | public delegate void Done(int a)
29-29 internal class A.B.Point | record Point(int X)
import System []
import A.B []
",
        );
    }

    #[test]
    fn uses() {
        check_uses(
            "csharp",
            "class A : B, IC<D> { E f(G g) { h.i.J(k()); l?.M<N>(); new O<P>(); return null; } }",
            "inherit B < A
             implement IC < A
             type E < A.f
             type G < A.f
             call h.i . J < A.f
             call k < A.f
             call l . M < A.f
             call O < A.f
             type P < A.f",
        );
    }
}
