//! Swift.

use tree_sitter::Node;

use crate::grammar::{Docs, Field, Rule, Spec};
use crate::walk::{Definition, Walk};
use crate::{ImportKind, ReferenceKind, Symbol, SymbolKind, Visibility};

pub(super) const SWIFT: Spec = Spec {
    id: "swift",
    grammar: || tree_sitter_swift::LANGUAGE.into(),
    separator: ".",
    literals: &["array_literal", "dictionary_literal"],
    rules: &[&[
        ("comment", Rule::Comment),
        ("multiline_comment", Rule::Comment),
        ("import_declaration", Rule::Custom(import)),
        ("class_declaration", Rule::Custom(class)),
        ("protocol_declaration", Rule::Symbol(SymbolKind::Interface)),
        ("function_declaration", Rule::Custom(function)),
        ("protocol_function_declaration", Rule::Custom(function)),
        ("init_declaration", Rule::Custom(initializer)),
        ("deinit_declaration", Rule::Local),
        ("subscript_declaration", Rule::Custom(subscript)),
        ("property_declaration", Rule::Custom(property)),
        ("protocol_property_declaration", Rule::Custom(property)),
        ("enum_entry", Rule::Custom(enum_entry)),
        ("typealias_declaration", Rule::Symbol(SymbolKind::Type)),
        ("associatedtype_declaration", Rule::Symbol(SymbolKind::Type)),
        ("inheritance_specifier", Rule::Custom(base)),
        ("call_expression", Rule::Custom(call)),
        ("constructor_expression", Rule::Custom(construct)),
        ("user_type", Rule::Custom(user_type)),
        ("type_parameter", Rule::Custom(type_parameter)),
        ("lambda_literal", Rule::Local),
        ("if_statement", Rule::Branch),
        ("guard_statement", Rule::Branch),
        ("for_statement", Rule::Branch),
        ("while_statement", Rule::Branch),
        ("repeat_while_statement", Rule::Branch),
        ("switch_entry", Rule::Custom(switch_entry)),
        ("catch_block", Rule::Branch),
        ("ternary_expression", Rule::Branch),
        ("conjunction_expression", Rule::Branch),
        ("disjunction_expression", Rule::Branch),
        ("nil_coalescing_expression", Rule::Branch),
    ]],
    docs: Docs::Marked(&["///", "/**"]),
    visibility,
    is_test,
};

fn visibility(walk: &Walk<'_>, kind: SymbolKind, _: &str, modifiers: &str) -> Visibility {
    let mut words = modifiers.split(|c: char| !(c.is_alphanumeric() || "()".contains(c)));
    let found = words.find_map(|word| match word {
        "public" | "open" => Some(Visibility::Public),
        "private" | "fileprivate" => Some(Visibility::Private),
        "internal" | "package" => Some(Visibility::Internal),
        _ => None,
    });
    let inherited = matches!(
        walk.around_kind(),
        Some(SymbolKind::Interface | SymbolKind::Enum)
    );
    match found {
        Some(found) => found,
        None if kind == SymbolKind::EnumMember || inherited => walk.around_visibility(),
        None => Visibility::Internal,
    }
}

fn is_test(_: &Walk<'_>, symbol: &Symbol, head: &str) -> bool {
    match symbol.kind {
        SymbolKind::Method | SymbolKind::Function => {
            let is_named = symbol.name.starts_with("test") && symbol.signature.contains("()");
            is_named || head.contains("@Test")
        }
        SymbolKind::Class => symbol.signature.contains("XCTestCase"),
        _ => false,
    }
}

fn import<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    walk.skip();
    if let Some(name) = walk.child_of_kind(node, &["identifier"]) {
        walk.import(ImportKind::Import, node, walk.text_of(name), Vec::new());
    }
}

/// Defines a class, struct, enum, actor or extension, which are one kind of node.
fn class<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(name) = walk.field(node, Field::Name) else {
        return;
    };
    let body = walk.field(node, Field::Body);
    let word = walk.child_of_kind(node, &["class", "struct", "enum", "extension", "actor"]);
    let kind = match word.map(|word| word.kind()) {
        Some("struct") => SymbolKind::Struct,
        Some("enum") => SymbolKind::Enum,
        Some("extension") => SymbolKind::Impl,
        _ => SymbolKind::Class,
    };
    let text = walk
        .text_of(name)
        .split('<')
        .next()
        .unwrap_or_default()
        .trim()
        .to_owned();
    walk.define(Definition::new(kind, node, name).named(text).body(body));
}

fn function<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(name) = walk.field(node, Field::Name) else {
        return;
    };
    let kind = match walk.is_in_type() {
        true => SymbolKind::Method,
        false => SymbolKind::Function,
    };
    let body = walk.field(node, Field::Body);
    walk.define(Definition::new(kind, node, name).body(body));
}

fn initializer<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(word) = walk.child_of_kind(node, &["init"]) {
        let body = walk.field(node, Field::Body);
        walk.define(Definition::new(SymbolKind::Constructor, node, word).body(body));
    }
}

fn subscript<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(word) = walk.child_of_kind(node, &["subscript"]) {
        let body = walk.child_of_kind(node, &["computed_property"]);
        walk.define(Definition::new(SymbolKind::Method, node, word).body(body));
    }
}

fn property<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if walk.is_in_function() {
        return;
    }
    let computed = walk.child_of_kind(
        node,
        &["computed_property", "protocol_property_requirements"],
    );
    let names: Vec<_> = walk
        .children(node)
        .into_iter()
        .filter(|child| child.kind() == "pattern")
        .filter_map(|pattern| walk.child_of_kind(pattern, &["simple_identifier"]))
        .collect();
    let kind = match (computed, walk.is_in_type()) {
        (Some(_), _) => SymbolKind::Property,
        (None, true) => SymbolKind::Field,
        (None, false) => SymbolKind::Variable,
    };
    let body = computed.filter(|computed| computed.kind() == "computed_property");
    for name in names {
        walk.define(Definition::new(kind, node, name).body(body));
    }
    if body.is_some() {
        walk.open_local();
    }
}

fn enum_entry<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    for name in walk.children(node) {
        if name.kind() == "simple_identifier" {
            walk.define(Definition::new(SymbolKind::EnumMember, node, name));
        }
    }
}

/// Adds a base; the grammar does not distinguish classes from protocols.
fn base<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(of_type) = walk.child_of_kind(node, &["user_type"]) {
        walk.last_use(ReferenceKind::Inherit, of_type, "type_identifier");
    }
}

fn user_type<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    walk.last_use(ReferenceKind::Type, node, "type_identifier");
}

fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(callee) = node.named_child(0) else {
        return;
    };
    match callee.kind() {
        "simple_identifier" => walk.reference(ReferenceKind::Call, callee, None),
        "navigation_expression" => {
            let suffix = walk.child_of_kind(callee, &["navigation_suffix"]);
            let name = suffix.and_then(|suffix| walk.child_of_kind(suffix, &["simple_identifier"]));
            if let Some(name) = name {
                let qualifier = walk.qualifier_between(callee, name);
                walk.reference(ReferenceKind::Call, name, qualifier);
            }
        }
        _ => {}
    }
}

fn construct<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(of_type) = walk.child_of_kind(node, &["user_type"]) {
        walk.last_use(ReferenceKind::Call, of_type, "type_identifier");
    }
}

fn type_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(name) = walk.child_of_kind(node, &["type_identifier"]) {
        walk.not_a_use(name);
    }
}

fn switch_entry<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
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
            "swift",
            r#"
@testable import Kit

/// A shop.
public final class Shop<T>: Base, Sells {
    @Published private(set) var count: Int = 0
    static let most = 4, least = 1
    var size: Int { return 1 }
    public init(name: String) { self.name = name }
    func sell(_ a: Int, to b: String) throws -> Int? {
        guard a > 1 && a < 4 else { return nil }
        let local = 1
        return a > 2 ? 1 : 2
    }
    enum Kind: String { case one, two }
}
extension Shop: Codable {
    func more() {}
}
protocol Sells {
    associatedtype Item
    var x: Int { get }
    func sell()
}
struct Point { let x: Int }
typealias Short = [Int]
func free() {}
class ShopTests: XCTestCase { func testSell() {} }
"#,
            "
5-16 public class Shop | public final class Shop<T>: Base, Sells | A shop.
6-6 internal field Shop.count | private(set) var count: Int = 0
7-7 internal field Shop.most | static let most = 4, least = 1
7-7 internal field Shop.least | static let most = 4, least = 1
8-8 internal property Shop.size | var size: Int
9-9 public constructor Shop.init | public init(name: String)
10-14 internal method Shop.sell *4 | func sell(_ a: Int, to b: String) throws -> Int?
15-15 internal enum Shop.Kind | enum Kind: String
15-15 internal enum_member Shop.Kind.one | case one, two
15-15 internal enum_member Shop.Kind.two | case one, two
17-19 internal impl Shop | extension Shop: Codable
18-18 internal method Shop.more | func more()
20-24 internal interface Sells | protocol Sells
21-21 internal type Sells.Item | associatedtype Item
22-22 internal property Sells.x | var x: Int { get }
23-23 internal method Sells.sell | func sell()
25-25 internal struct Point | struct Point
25-25 internal field Point.x | let x: Int
26-26 internal type Short | typealias Short = [Int]
27-27 internal function free | func free()
28-28 internal class ShopTests test | class ShopTests: XCTestCase
28-28 internal method ShopTests.testSell test | func testSell()
import Kit []
",
        );
    }

    #[test]
    fn uses() {
        check_uses(
            "swift",
            "class A: B, C.D { func f(x: E<G>) { h.i.j(k()) } }",
            "inherit B < A
             inherit C . D < A
             type E < A.f
             type G < A.f
             call h.i . j < A.f
             call k < A.f",
        );
    }
}
