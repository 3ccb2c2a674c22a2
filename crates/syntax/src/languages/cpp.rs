//! C++, in addition to C.

use tree_sitter::Node;

use super::c::{COMMON, is_test, record_kind};
use crate::grammar::{Docs, Field, Rule, Spec, Table};
use crate::walk::{Definition, Walk};
use crate::{ReferenceKind, SymbolKind, Visibility};

pub(super) const CPP: Spec = Spec {
    id: "cpp",
    grammar: || tree_sitter_cpp::LANGUAGE.into(),
    separator: "::",
    literals: &["initializer_list"],
    rules: &[COMMON, OWN],
    docs: Docs::Above,
    visibility,
    is_test,
};

const OWN: Table = &[
    ("class_specifier", Rule::Custom(class)),
    ("namespace_definition", Rule::Custom(namespace)),
    ("template_declaration", Rule::Wrapper),
    ("alias_declaration", Rule::Symbol(SymbolKind::Type)),
    ("concept_definition", Rule::Symbol(SymbolKind::Type)),
    ("access_specifier", Rule::Custom(access)),
    ("base_class_clause", Rule::Custom(bases)),
    ("friend_declaration", Rule::Custom(friend)),
    ("qualified_identifier", Rule::Custom(qualified)),
    ("new_expression", Rule::Call(Field::Type)),
    ("lambda_expression", Rule::Local),
    ("for_range_loop", Rule::Branch),
    ("catch_clause", Rule::Branch),
    ("raw_string_literal", Rule::Skip),
];

fn visibility(walk: &Walk<'_>, kind: SymbolKind, _: &str, modifiers: &str) -> Visibility {
    match walk.around_kind() {
        _ if kind == SymbolKind::Macro => Visibility::Public,
        Some(SymbolKind::Class) => walk.access().unwrap_or(Visibility::Private),
        Some(around) if around.is_type() => walk.access().unwrap_or(Visibility::Public),
        _ if modifiers.split_whitespace().any(|word| word == "static") => Visibility::Private,
        _ => Visibility::Public,
    }
}

fn class<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(body) = walk.field(node, Field::Body) else {
        return;
    };
    let Some(name) = walk.field(node, Field::Name) else {
        return;
    };
    let text = walk
        .text_of(name)
        .split('<')
        .next()
        .unwrap_or_default()
        .trim_end();
    let (owner, text) = match text.rsplit_once("::") {
        Some((owner, text)) => (Some(owner.to_owned()), text),
        None => (None, text),
    };
    let definition = Definition::new(record_kind(node.kind()), node, name);
    walk.define(definition.named(text).owner(owner).body(Some(body)));
}

fn namespace<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let body = walk.field(node, Field::Body);
    if let Some(name) = walk.field(node, Field::Name) {
        walk.define(Definition::new(SymbolKind::Module, node, name).body(body));
    }
}

/// Skips a friend declaration, which belongs to another scope, unless the friend is defined here.
fn friend<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let is_written = walk.child_of_kind(node, &["function_definition"]).is_some();
    if !is_written {
        walk.skip();
    }
}

fn access<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let access = match walk.text_of(node) {
        "public" => Visibility::Public,
        "protected" => Visibility::Protected,
        _ => Visibility::Private,
    };
    walk.set_access(access);
}

fn bases<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    for base in walk.children(node) {
        if matches!(
            base.kind(),
            "type_identifier" | "qualified_identifier" | "template_type"
        ) {
            walk.named_use(ReferenceKind::Inherit, base);
        }
    }
}

/// Adds a qualified name of a type. Calls are handled before, and names of functions are not types.
fn qualified<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(name) = walk.field(node, Field::Name)
        && matches!(name.kind(), "type_identifier" | "template_type")
    {
        walk.named_use(ReferenceKind::Type, node);
    }
}

#[cfg(test)]
mod tests {
    use crate::languages::check::{check, check_uses};

    #[test]
    fn definitions() {
        check(
            "cpp",
            r#"
namespace a::b {
/// A shape.
template <typename T>
class Shape : public Base<T>, private other::Thing {
  int hidden_;
 public:
  Shape(int n);
  ~Shape();
  virtual double area() const = 0;
  bool operator==(const Shape& o) const { return true; }
  static constexpr int kMost = 4;
  enum class Kind { One, Two };
 protected:
  struct Node { int x; };
};
using Short = std::vector<int>;
}  // namespace

double a::b::Shape::area() const {
  for (auto& x : xs) { if (x || y) {} }
  auto f = [](int z) { return z; };
  return 0;
}
Shape::Shape(int n) : n_(n) {}
TEST(ShapeTest, Area) { area(); }
static int counter = 0;
"#,
            "
2-18 public module a::b | namespace a::b
4-16 public class a::b::Shape | template <typename T> class Shape : public Base<T>, private other::Thing | A shape.
6-6 private field a::b::Shape::hidden_ | int hidden_
8-8 public constructor a::b::Shape::Shape | Shape(int n)
9-9 public method a::b::Shape::~Shape | ~Shape()
10-10 public method a::b::Shape::area | virtual double area() const = 0
11-11 public method a::b::Shape::operator== | bool operator==(const Shape& o) const
12-12 public field a::b::Shape::kMost | static constexpr int kMost = 4
13-13 public enum a::b::Shape::Kind | enum class Kind
13-13 public enum_member a::b::Shape::Kind::One | One
13-13 public enum_member a::b::Shape::Kind::Two | Two
15-15 protected struct a::b::Shape::Node | struct Node
15-15 public field a::b::Shape::Node::x | int x
17-17 public type a::b::Short | using Short = std::vector<int>
20-24 public method a::b::Shape::area *4 | double a::b::Shape::area() const
25-25 public constructor Shape::Shape | Shape::Shape(int n) : n_(n)
26-26 public test ShapeTest.Area test | TEST(ShapeTest, Area)
27-27 private variable counter | static int counter = 0
",
        );
    }

    #[test]
    fn uses() {
        check_uses(
            "cpp",
            "class A : public b::B<C> { void f(d::E e) { g::h(); i->j<K>(); new L(); } };",
            "inherit b . B < A
             type C < A
             type d . E < A::f
             call g . h < A::f
             call i . j < A::f
             type K < A::f
             call L < A::f",
        );
    }
}
