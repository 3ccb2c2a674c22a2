//! C, and the part of the table that C++ shares.

use tree_sitter::Node;

use crate::grammar::{Docs, Field, Rule, Spec, Table};
use crate::walk::{Definition, Walk};
use crate::{ImportKind, Symbol, SymbolKind, Visibility};

pub(super) const C: Spec = Spec {
    id: "c",
    grammar: || tree_sitter_c::LANGUAGE.into(),
    separator: "::",
    literals: &["initializer_list"],
    rules: &[COMMON],
    docs: Docs::Above,
    visibility,
    is_test,
};

pub(super) const COMMON: Table = &[
    ("comment", Rule::Comment),
    ("function_definition", Rule::Custom(function)),
    ("declaration", Rule::Custom(declaration)),
    ("field_declaration", Rule::Custom(field)),
    ("struct_specifier", Rule::Custom(record)),
    ("union_specifier", Rule::Custom(record)),
    ("enum_specifier", Rule::Custom(record)),
    ("enumerator", Rule::Symbol(SymbolKind::EnumMember)),
    ("type_definition", Rule::Custom(type_definition)),
    ("preproc_def", Rule::Custom(macro_definition)),
    ("preproc_function_def", Rule::Custom(macro_definition)),
    ("preproc_include", Rule::Custom(include)),
    ("call_expression", Rule::Call(Field::Function)),
    ("type_identifier", Rule::TypeName),
    ("if_statement", Rule::Branch),
    ("for_statement", Rule::Branch),
    ("while_statement", Rule::Branch),
    ("do_statement", Rule::Branch),
    ("case_statement", Rule::Custom(case)),
    ("conditional_expression", Rule::Branch),
    ("&&", Rule::Branch),
    ("||", Rule::Branch),
    ("string_literal", Rule::Skip),
];

fn visibility(_: &Walk<'_>, _: SymbolKind, _: &str, modifiers: &str) -> Visibility {
    if modifiers.split_whitespace().any(|word| word == "static") {
        Visibility::Private
    } else {
        Visibility::Public
    }
}

pub(super) fn is_test(_: &Walk<'_>, symbol: &Symbol, _: &str) -> bool {
    symbol.kind.is_function() && symbol.name.starts_with("test_")
}

/// Returns whether a macro looks like a function and defines a test: `TEST_F`, `BOOST_TEST_CASE`.
fn is_test_macro(name: &str) -> bool {
    let is_upper = name
        .bytes()
        .all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    is_upper && name.split('_').any(|word| word == "TEST")
}

fn function<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let body = walk.field(node, Field::Body);
    let Some(declarator) = walk.field(node, Field::Declarator) else {
        return;
    };
    let Some(inner) = function_declarator(walk, declarator) else {
        return;
    };
    let Some(name) = walk.field(inner, Field::Declarator) else {
        return;
    };
    if is_test_macro(walk.text_of(name)) {
        let words = walk.slice(name.end_byte(), inner.end_byte());
        let words = words.trim_matches(['(', ')']).replace(", ", ".");
        let definition = Definition::new(SymbolKind::Test, node, name);
        return walk.define(definition.named(words).body(body).test());
    }
    if is_keyword(walk.text_of(name)) {
        return walk.open_local();
    }
    define_function(walk, node, name, body);
}

/// Returns whether a name is a keyword. Code that the preprocessor splits makes `else if (x) {`
/// look like a function.
fn is_keyword(name: &str) -> bool {
    matches!(
        name,
        "if" | "for" | "while" | "switch" | "return" | "sizeof" | "defined"
    )
}

/// Defines a function by its declarator, whose name may be qualified.
fn define_function<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    declarator: Node<'t>,
    body: Option<Node<'t>>,
) {
    let (owner, name) = scoped(walk, without_brackets(declarator));
    let text: String = walk.text_of(name).split_whitespace().collect();
    let is_member = owner.is_some() || walk.is_in_type();
    let class = owner
        .as_deref()
        .or(walk.around_name().filter(|_| walk.is_in_type()));
    let class = class.map(|class| class.rsplit("::").next().unwrap_or(class));
    let class = class.map(|class| class.split('<').next().unwrap_or(class));
    let kind = match class {
        Some(class) if class == text => SymbolKind::Constructor,
        _ if is_member => SymbolKind::Method,
        _ => SymbolKind::Function,
    };
    let text = match name.kind() {
        "operator_name" | "operator_cast" => walk
            .text_of(name)
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" "),
        "template_function" | "template_method" => {
            text.split('<').next().unwrap_or_default().to_owned()
        }
        _ => text,
    };
    walk.define(
        Definition::new(kind, node, name)
            .named(text)
            .owner(owner)
            .body(body),
    );
}

/// Returns `f` of `(f)` in `int (f)(void)`, where brackets prevent the expansion of a macro with
/// that name.
fn without_brackets<'t>(name: Node<'t>) -> Node<'t> {
    match name.kind() {
        "parenthesized_declarator" => name.named_child(0).unwrap_or(name),
        _ => name,
    }
}

/// Splits `A::B::c` into the scope and the name.
fn scoped<'t>(walk: &Walk<'t>, declarator: Node<'t>) -> (Option<String>, Node<'t>) {
    let mut name = declarator;
    for _ in 0..16 {
        match walk.field(name, Field::Name) {
            Some(inner) if name.kind() == "qualified_identifier" => name = inner,
            _ => break,
        }
    }
    let scope = walk.slice(declarator.start_byte(), name.start_byte());
    let scope = scope.trim().trim_end_matches("::").trim_start_matches("::");
    let scope: String = scope.split_whitespace().collect();
    ((!scope.is_empty()).then_some(scope), name)
}

/// Returns the declarator of a function inside pointers and references.
fn function_declarator<'t>(walk: &Walk<'t>, declarator: Node<'t>) -> Option<Node<'t>> {
    let mut at = declarator;
    for _ in 0..16 {
        match at.kind() {
            "function_declarator" => {
                // `int (*f)(void)` is a variable.
                let inner = walk.field(at, Field::Declarator)?;
                if inner.kind() != "parenthesized_declarator" {
                    return Some(at);
                }
                let pointed = inner.named_child(0)?;
                if matches!(
                    pointed.kind(),
                    "pointer_declarator" | "reference_declarator"
                ) {
                    return None;
                }
                return Some(at).filter(|_| pointed.kind().ends_with("identifier"));
            }
            "pointer_declarator"
            | "reference_declarator"
            | "attributed_declarator"
            | "init_declarator" => {
                at = walk
                    .field(at, Field::Declarator)
                    .or_else(|| at.named_child(0))?;
            }
            _ => return None,
        }
    }
    None
}

/// Returns the name inside pointers, arrays and brackets.
fn declared_name<'t>(walk: &Walk<'t>, declarator: Node<'t>) -> Option<Node<'t>> {
    let mut at = declarator;
    for _ in 0..32 {
        if at.kind().ends_with("identifier") {
            return Some(at);
        }
        at = walk
            .field(at, Field::Declarator)
            .or_else(|| at.named_child(0))?;
    }
    None
}

fn declarators<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.children_by_field_name("declarator", &mut cursor)
        .collect()
}

fn declaration<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if walk.is_in_function() {
        return;
    }
    for declarator in declarators(node) {
        if let Some(function) = function_declarator(walk, declarator) {
            if let Some(name) = walk.field(function, Field::Declarator) {
                define_function(walk, node, name, None);
            }
            continue;
        }
        let Some(name) = declared_name(walk, declarator) else {
            continue;
        };
        let words = walk.slice(node.start_byte(), name.start_byte());
        let has = |word: &str| words.split_whitespace().any(|one| one == word);
        let is_defined = declarator.kind() == "init_declarator" || !has("extern");
        let kind = if has("const") || has("constexpr") {
            SymbolKind::Constant
        } else {
            SymbolKind::Variable
        };
        if is_defined && name.kind() == "identifier" {
            walk.define(Definition::new(kind, node, name).leaf());
        } else if is_defined && name.kind() == "qualified_identifier" {
            // A class member that is defined outside of the class.
            let (owner, name) = scoped(walk, name);
            let definition = Definition::new(SymbolKind::Field, node, name);
            walk.define(definition.owner(owner).leaf());
        }
    }
}

fn field<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    for declarator in declarators(node) {
        if let Some(function) = function_declarator(walk, declarator) {
            if let Some(name) = walk.field(function, Field::Declarator) {
                let body = walk.field(node, Field::Body);
                define_function(walk, node, name, body);
            }
        } else if let Some(name) = declared_name(walk, declarator) {
            walk.define(Definition::new(SymbolKind::Field, node, name).leaf());
        }
    }
}

/// Defines a struct, union or enum with a body; without one it is a reference.
fn record<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(body) = walk.field(node, Field::Body) else {
        return;
    };
    let kind = record_kind(node.kind());
    match walk.field(node, Field::Name) {
        Some(name) => {
            let (owner, name) = scoped(walk, name);
            let text = walk
                .text_of(name)
                .split('<')
                .next()
                .unwrap_or_default()
                .trim_end()
                .to_owned();
            walk.define(
                Definition::new(kind, node, name)
                    .named(text)
                    .owner(owner)
                    .body(Some(body)),
            );
        }
        None if walk.is_in_function() => walk.open_anonymous(kind),
        None => {}
    }
}

pub(super) fn record_kind(node: &str) -> SymbolKind {
    match node {
        "class_specifier" => SymbolKind::Class,
        "union_specifier" => SymbolKind::Union,
        "enum_specifier" => SymbolKind::Enum,
        _ => SymbolKind::Struct,
    }
}

/// Gives a type without a name the name of its typedef.
fn type_definition<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let record = walk
        .field(node, Field::Type)
        .filter(|record| record.kind().ends_with("_specifier"));
    let body = record.and_then(|record| walk.field(record, Field::Body));
    let is_nameless = record.is_some_and(|record| walk.field(record, Field::Name).is_none());
    for (at, declarator) in declarators(node).into_iter().enumerate() {
        let Some(name) = declared_name(walk, declarator) else {
            continue;
        };
        if let (Some(record), Some(body), true, 0) = (record, body, is_nameless, at) {
            let kind = record_kind(record.kind());
            walk.define(Definition::new(kind, node, name).body(Some(body)));
        } else {
            walk.define(Definition::new(SymbolKind::Type, node, name).leaf());
        }
    }
}

fn macro_definition<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(name) = walk.field(node, Field::Name) {
        let body = walk.field(node, Field::Value);
        let body = body.filter(|_| node.kind() == "preproc_function_def");
        walk.define(
            Definition::new(SymbolKind::Macro, node, name)
                .body(body)
                .leaf(),
        );
    }
    walk.skip();
}

fn include<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    walk.skip();
    let Some(path) = walk.field(node, Field::Path) else {
        return;
    };
    let text = walk.text_of(path);
    match text.strip_prefix('<') {
        Some(inner) => {
            walk.import(
                ImportKind::System,
                node,
                inner.trim_end_matches('>'),
                Vec::new(),
            );
        }
        None => walk.import(ImportKind::File, node, text.trim_matches('"'), Vec::new()),
    }
}

fn case<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if walk.field(node, Field::Value).is_some() {
        walk.branch();
    }
}

#[cfg(test)]
mod tests {
    use crate::languages::check::{check, check_uses};

    #[test]
    fn definitions() {
        check(
            "c",
            r#"
#include <stdio.h>
#include "a/b.h"
#define MOST 4
#define MAX(a, b) ((a) > (b) ? (a) : (b))

/* A point. */
struct point {
    int x, *y;
    int (*cmp)(int, int);
    struct { int deep; } inner;
};

typedef struct { int n; } counter_t;
typedef struct point point_t, *point_p;
enum color { RED, GREEN = 2 };
extern int elsewhere;
static const char *names[] = { "a" };
int add(int a, int b);

/* Adds. */
static struct point *
make(int a, char *b[])
{
    int local = 1;
    struct point p;
    if (a && b) return 0;
    switch (a) { case 1: break; default: break; }
    return make(a, b);
}
"#,
            "
4-4 public macro MOST | #define MOST 4
5-5 public macro MAX | #define MAX(a, b)
8-12 public struct point | struct point | A point.
9-9 public field point::x | int x, *y
9-9 public field point::y | int x, *y
10-10 public field point::cmp | int (*cmp)(int, int)
11-11 public field point::inner | struct { int deep; } inner
11-11 public field point::deep | int deep
14-14 public struct counter_t | typedef struct counter_t
14-14 public field counter_t::n | int n
15-15 public type point_t | typedef struct point point_t, *point_p
15-15 public type point_p | typedef struct point point_t, *point_p
16-16 public enum color | enum color
16-16 public enum_member color::RED | RED
16-16 public enum_member color::GREEN | GREEN = 2
18-18 private constant names | static const char *names[] = { \"a\" }
19-19 public function add | int add(int a, int b)
22-30 private function make *4 | static struct point * make(int a, char *b[]) | Adds.
system stdio.h []
file a/b.h []
",
        );
    }

    #[test]
    fn uses() {
        check_uses(
            "c",
            "struct a f(b *c) { d(); e->g(h()); (*i)(); }",
            "type a < f
             type b < f
             call d < f
             call e . g < f
             call h < f",
        );
    }
}
