//! Zig. A type is the value of a constant, and a file is a type.

use loom_base::ByteSpan;
use tree_sitter::Node;

use crate::grammar::{Docs, Field, Rule, Spec, never_a_test};
use crate::walk::{Definition, Walk};
use crate::{ImportKind, ReferenceKind, SymbolKind, Visibility};

pub(super) const ZIG: Spec = Spec {
    id: "zig",
    grammar: || tree_sitter_zig::LANGUAGE.into(),
    separator: ".",
    literals: &["initializer_list"],
    rules: &[&[
        ("comment", Rule::Comment),
        ("function_declaration", Rule::Custom(function)),
        ("variable_declaration", Rule::Custom(variable)),
        ("container_field", Rule::Custom(member)),
        ("test_declaration", Rule::Custom(test)),
        ("comptime_declaration", Rule::Local),
        ("struct_declaration", Rule::Custom(container)),
        ("enum_declaration", Rule::Custom(container)),
        ("union_declaration", Rule::Custom(container)),
        ("opaque_declaration", Rule::Custom(container)),
        ("error_set_declaration", Rule::Custom(errors)),
        ("builtin_function", Rule::Custom(builtin)),
        ("call_expression", Rule::Call(Field::Function)),
        ("parameter", Rule::Custom(typed)),
        ("struct_initializer", Rule::Custom(construction)),
        ("pointer_type", Rule::Custom(inner_type)),
        ("nullable_type", Rule::Custom(inner_type)),
        ("slice_type", Rule::Custom(inner_type)),
        ("array_type", Rule::Custom(inner_type)),
        ("error_union_type", Rule::Custom(error_union)),
        ("if_statement", Rule::Branch),
        ("if_expression", Rule::Branch),
        ("for_statement", Rule::Branch),
        ("for_expression", Rule::Branch),
        ("while_statement", Rule::Branch),
        ("while_expression", Rule::Branch),
        ("switch_case", Rule::Custom(case)),
        ("catch_expression", Rule::Branch),
        ("binary_expression", Rule::Custom(operator)),
    ]],
    docs: Docs::Marked(&["///"]),
    visibility,
    is_test: never_a_test,
};

fn visibility(_: &Walk<'_>, kind: SymbolKind, _: &str, modifiers: &str) -> Visibility {
    let first = modifiers.split_whitespace().next();
    match kind {
        SymbolKind::Field | SymbolKind::EnumMember | SymbolKind::Test => Visibility::Public,
        _ if matches!(first, Some("pub" | "export")) => Visibility::Public,
        _ => Visibility::Private,
    }
}

fn function<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(name) = walk.field(node, Field::Name) {
        let kind = match walk.is_in_type() {
            true => SymbolKind::Method,
            false => SymbolKind::Function,
        };
        let body = walk.field(node, Field::Body);
        walk.define(
            Definition::new(kind, node, name)
                .named(unquoted(walk.text_of(name)))
                .body(body),
        );
    }
    typed(walk, node);
}

/// Defines a type for `const A = struct { … }`, and an import for `const a = @import("a.zig")`.
fn variable<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    typed(walk, node);
    let Some(name) = walk.child_of_kind(node, &["identifier"]) else {
        return;
    };
    // The last named child is the value, unless there is only a type.
    let value = walk.children(node).into_iter().next_back();
    let value = value.filter(|value| value.start_byte() > name.end_byte());
    let kind = match value.map(|value| value.kind()) {
        Some("struct_declaration" | "opaque_declaration") => SymbolKind::Struct,
        Some("union_declaration") => SymbolKind::Union,
        Some("enum_declaration" | "error_set_declaration") => SymbolKind::Enum,
        _ if walk.is_in_function() => return,
        _ if value.is_some_and(|value| walk.text_of(value).starts_with("@import(")) => return,
        _ if walk.child_of_kind(node, &["const"]).is_some() => SymbolKind::Constant,
        _ => SymbolKind::Variable,
    };
    let members = value
        .filter(|_| kind.is_type())
        .and_then(|value| members(walk, value));
    let definition = Definition::new(kind, node, name).named(unquoted(walk.text_of(name)));
    walk.define(definition.body_span(members));
}

/// Returns the span of a type from its brace.
fn members(walk: &Walk<'_>, container: Node<'_>) -> Option<ByteSpan> {
    let brace = container.start_byte() + walk.text_of(container).find('{')?;
    Some(ByteSpan::new(brace, container.end_byte()))
}

/// Opens a type for its members: the value of a constant, or of a function's result.
fn container<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    walk.open_anonymous(match node.kind() {
        "enum_declaration" => SymbolKind::Enum,
        "union_declaration" => SymbolKind::Union,
        _ => SymbolKind::Struct,
    });
}

fn member<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(name) = walk.field(node, Field::Name) else {
        return;
    };
    let has_type = walk.field(node, Field::Type).is_some();
    let kind = match walk.around_kind() {
        Some(SymbolKind::Enum) => SymbolKind::EnumMember,
        // `struct { A, B }` has types without names.
        Some(SymbolKind::Union) => SymbolKind::Field,
        _ if has_type => SymbolKind::Field,
        _ => return,
    };
    if name.kind() == "identifier" {
        walk.define(Definition::new(kind, node, name).named(unquoted(walk.text_of(name))));
    }
    typed(walk, node);
}

fn errors<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if walk.around_kind() != Some(SymbolKind::Enum) {
        return;
    }
    for name in walk.children(node) {
        if name.kind() == "identifier" {
            walk.define(Definition::new(SymbolKind::EnumMember, name, name).leaf());
        }
    }
}

/// Defines `test "words" { … }` and `test name { … }`; a test without a name is plain code.
fn test<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let body = walk.child_of_kind(node, &["block"]);
    match walk.child_of_kind(node, &["string", "identifier"]) {
        Some(name) => {
            let definition = Definition::new(SymbolKind::Test, node, name);
            walk.define(
                definition
                    .named(unquoted(walk.text_of(name)))
                    .body(body)
                    .test(),
            );
        }
        None => walk.open_local(),
    }
}

/// Handles `@import("a.zig")`; other built-in functions are not calls.
fn builtin<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let name = walk.child_of_kind(node, &["builtin_identifier"]);
    if name.is_some_and(|name| walk.text_of(name) == "@import")
        && let Some(path) = walk.leaves(node, "string_content").first()
    {
        walk.import(ImportKind::File, node, walk.text_of(*path), Vec::new());
    }
}

fn typed<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(kind) = walk.field(node, Field::Type) {
        type_use(walk, kind);
    }
}

/// Adds the type `*a.B`, which the grammar parses as the member `B` of `*a`.
fn inner_type<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let around = walk.ancestors().next();
    let is_object = around.is_some_and(|around| around.kind() == "field_expression");
    if !is_object && let Some(inner) = walk.children(node).into_iter().next_back() {
        type_use(walk, inner);
    }
}

fn error_union<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    for kind in walk.children(node) {
        type_use(walk, kind);
    }
}

fn construction<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(kind) = node.named_child(0) {
        type_use(walk, kind);
    }
}

fn type_use<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    match node.kind() {
        "identifier" => walk.reference(ReferenceKind::Type, node, None),
        "field_expression" => {
            if let Some(name) = walk.children(node).into_iter().next_back() {
                let path = walk.slice(node.start_byte(), name.start_byte());
                let is_part = |c: char| c.is_alphanumeric() || "_.".contains(c);
                let path = path.rsplit(|c| !is_part(c)).next().unwrap_or_default();
                let path = path.trim_end_matches('.').to_owned();
                walk.reference(
                    ReferenceKind::Type,
                    name,
                    (!path.is_empty()).then_some(path),
                );
            }
        }
        _ => {}
    }
}

fn case<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if !walk.text_of(node).starts_with("else") {
        walk.branch();
    }
}

fn operator<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if walk.child_of_kind(node, &["and", "or", "orelse"]).is_some() {
        walk.branch();
    }
}

/// Removes the signs of `@"a name"` and `"a name"`.
fn unquoted(name: &str) -> &str {
    let quoted = name.trim_start_matches('@').strip_prefix('"');
    quoted
        .and_then(|name| name.strip_suffix('"'))
        .unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use crate::languages::check::{check, check_uses};

    const SHOP: &str = r#"
const std = @import("std");
const Io = @import("io.zig").Io;
pub const limit: usize = 10;
var count: u32 = 0;
/// A shop.
pub const Shop = struct {
    /// Its name.
    name: []const u8,
    open: bool = true,
    pub const Self = @This();
    pub fn sell(self: *Self, n: u32) !void {
        const local = 1;
        if (n > 1 and self.open) return error.Many;
        switch (n) { 0 => {}, 1 => {}, else => {} }
    }
    fn hide() void {}
};
const Color = enum(u8) { red, green = 2, pub fn next(c: Color) Color { return c; } };
const Value = union(enum) { none, number: i64 };
pub const Error = error{ Many, Few };
pub fn List(comptime T: type) type {
    return struct {
        items: []T,
        pub fn init() @This() {}
    };
}
extern fn c_name(x: c_int) c_int;
const Pair = struct { u8, Shop };
test "sells" { try f(); }
test List { _ = 1; }
"#;

    const SYMBOLS: &str = "
4-4 public constant limit | pub const limit: usize = 10
5-5 private variable count | var count: u32 = 0
7-18 public struct Shop | pub const Shop = struct | A shop.
9-9 public field Shop.name | name: []const u8 | Its name.
10-10 public field Shop.open | open: bool = true
11-11 public constant Shop.Self | pub const Self = @This()
12-16 public method Shop.sell *5 | pub fn sell(self: *Self, n: u32) !void
17-17 private method Shop.hide | fn hide() void
19-19 private enum Color | const Color = enum(u8)
19-19 public enum_member Color.red | red
19-19 public enum_member Color.green | green = 2
19-19 public method Color.next | pub fn next(c: Color) Color
20-20 private union Value | const Value = union(enum)
20-20 public field Value.none | none
20-20 public field Value.number | number: i64
21-21 public enum Error | pub const Error = error
21-21 public enum_member Error.Many | Many
21-21 public enum_member Error.Few | Few
22-27 public function List | pub fn List(comptime T: type) type
24-24 public field List.items | items: []T
25-25 public method List.init | pub fn init() @This()
28-28 private function c_name | extern fn c_name(x: c_int) c_int
29-29 private struct Pair | const Pair = struct
30-30 public test sells test | test \"sells\"
31-31 public test List test | test List
file std []
file io.zig []
";

    #[test]
    fn definitions() {
        check("zig", SHOP, SYMBOLS);
    }

    #[test]
    fn uses() {
        check_uses(
            "zig",
            "fn f(a: A, b: *const b.B, c: ?C) E!D { g(a); c.d.h(); return F{ .x = 1 }; }",
            "type A < f
             type b . B < f
             type C < f
             type E < f
             type D < f
             call g < f
             call c.d . h < f
             type F < f",
        );
    }
}
