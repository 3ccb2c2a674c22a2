//! Scala.

use tree_sitter::Node;

use crate::grammar::{Docs, Field, Rule, Spec};
use crate::walk::{Definition, Walk};
use crate::{ImportKind, ReferenceKind, Symbol, SymbolKind, Visibility};

pub(super) const SCALA: Spec = Spec {
    id: "scala",
    grammar: || tree_sitter_scala::LANGUAGE.into(),
    separator: ".",
    literals: &[],
    rules: &[&[
        ("comment", Rule::Comment),
        ("block_comment", Rule::Comment),
        ("package_clause", Rule::Custom(package)),
        ("import_declaration", Rule::Custom(import)),
        ("class_definition", Rule::Symbol(SymbolKind::Class)),
        ("object_definition", Rule::Symbol(SymbolKind::Class)),
        ("package_object", Rule::Symbol(SymbolKind::Module)),
        ("trait_definition", Rule::Symbol(SymbolKind::Trait)),
        ("enum_definition", Rule::Symbol(SymbolKind::Enum)),
        ("simple_enum_case", Rule::Symbol(SymbolKind::EnumMember)),
        ("full_enum_case", Rule::Symbol(SymbolKind::EnumMember)),
        ("function_definition", Rule::Function),
        ("function_declaration", Rule::Function),
        ("given_definition", Rule::Symbol(SymbolKind::Variable)),
        ("type_definition", Rule::Symbol(SymbolKind::Type)),
        ("val_definition", Rule::Custom(value)),
        ("var_definition", Rule::Custom(value)),
        ("val_declaration", Rule::Custom(value)),
        ("var_declaration", Rule::Custom(value)),
        ("class_parameter", Rule::Custom(class_parameter)),
        ("extends_clause", Rule::Custom(extends)),
        ("call_expression", Rule::Custom(call)),
        ("instance_expression", Rule::Custom(instance)),
        ("type_identifier", Rule::TypeName),
        ("stable_type_identifier", Rule::Custom(stable_type)),
        ("lambda_expression", Rule::Local),
        ("block", Rule::Local),
        ("if_expression", Rule::Branch),
        ("while_expression", Rule::Branch),
        ("do_while_expression", Rule::Branch),
        ("for_expression", Rule::Branch),
        ("case_clause", Rule::Custom(case)),
        ("operator_identifier", Rule::Custom(operator)),
    ]],
    docs: Docs::Marked(&["/**"]),
    visibility,
    is_test,
};

fn visibility(_: &Walk<'_>, _: SymbolKind, _: &str, modifiers: &str) -> Visibility {
    let mut words = modifiers.split_whitespace();
    let found = words.find_map(|word| match word {
        "private" => Some(Visibility::Private),
        "protected" => Some(Visibility::Protected),
        word if word.starts_with("private[") => Some(Visibility::Internal),
        word if word.starts_with("protected[") => Some(Visibility::Protected),
        _ => None,
    });
    found.unwrap_or(Visibility::Public)
}

fn is_test(_: &Walk<'_>, symbol: &Symbol, head: &str) -> bool {
    match symbol.kind {
        SymbolKind::Method => head.contains("@Test"),
        SymbolKind::Class => ["Test", "Tests", "Spec", "Suite"]
            .iter()
            .any(|end| symbol.name.ends_with(end)),
        _ => false,
    }
}

fn package<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(name) = walk.field(node, Field::Name) {
        let name = walk.text_of(name).to_owned();
        walk.found.packages.push(name);
    }
}

fn import<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    walk.skip();
    let text = walk.text_of(node).trim_start_matches("import").trim();
    // One statement may contain several imports; braces contain the names of one.
    let (path, names) = match text.split_once('{') {
        Some((path, names)) => (path.trim_end_matches('.'), names.trim_end_matches('}')),
        None => text.rsplit_once('.').unwrap_or(("", text)),
    };
    let name = |one: &str| {
        let one = one
            .split("=>")
            .next()
            .unwrap_or(one)
            .split(" as ")
            .next()
            .unwrap_or(one)
            .trim();
        if one == "_" {
            "*".to_owned()
        } else {
            one.to_owned()
        }
    };
    let names = names
        .split(',')
        .map(name)
        .filter(|name| !name.is_empty())
        .collect();
    walk.import(ImportKind::Import, node, path.trim(), names);
}

fn value<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if walk.is_in_function() {
        return;
    }
    let name = walk.child_of_kind(node, &["identifier"]);
    let kind = match walk.is_in_type() {
        true => SymbolKind::Field,
        false if node.kind().starts_with("val") => SymbolKind::Constant,
        false => SymbolKind::Variable,
    };
    if let Some(name) = name {
        walk.define(Definition::new(kind, node, name));
    }
}

/// Defines the field of `class A(val b: C)`; every parameter of a case class is one.
fn class_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let is_field = walk.child_of_kind(node, &["val", "var"]).is_some()
        || walk.around_signature().contains("case class");
    if let Some(name) = walk.field(node, Field::Name).filter(|_| is_field) {
        walk.define(Definition::new(SymbolKind::Field, node, name));
    }
}

fn extends<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let mut cursor = node.walk();
    let bases = node.children_by_field_name("type", &mut cursor);
    let bases: Vec<_> = bases.filter(Node::is_named).collect();
    for (at, base) in bases.into_iter().enumerate() {
        let kind = if at == 0 {
            ReferenceKind::Inherit
        } else {
            ReferenceKind::Implement
        };
        walk.named_use(kind, base);
    }
}

/// Handles a call; `test("words") { … }` is a test whose name is a sentence.
fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(callee) = walk.field(node, Field::Function) else {
        return;
    };
    let word = walk.field(callee, Field::Function);
    let is_test = word.is_some_and(|word| matches!(walk.text_of(word), "test" | "it" | "describe"));
    let words = walk.field(callee, Field::Arguments);
    let words = words.and_then(|words| walk.child_of_kind(words, &["string"]));
    let body = walk.field(node, Field::Arguments);
    match (words, body) {
        (Some(words), Some(body)) if is_test && body.kind() == "block" => {
            let name = walk.text_of(words).trim_matches('"').to_owned();
            let definition = Definition::new(SymbolKind::Test, node, words);
            walk.define(definition.named(name).body(Some(body)).test());
        }
        _ => walk.call(callee),
    }
}

fn instance<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(made) = walk.child_of_kind(
        node,
        &["type_identifier", "generic_type", "stable_type_identifier"],
    ) {
        walk.named_use(ReferenceKind::Call, made);
    }
}

fn stable_type<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    walk.named_use(ReferenceKind::Type, node);
}

fn case<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if !walk.text_of(node).starts_with("case _ =>") {
        walk.branch();
    }
}

fn operator<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if matches!(walk.text_of(node), "&&" | "||") {
        walk.branch();
    }
}

#[cfg(test)]
mod tests {
    use crate::languages::check::{check, check_uses};

    #[test]
    fn definitions() {
        check(
            "scala",
            r#"
package a.b
import c.d.{E, F => G}
import h._
import i.J

/** A shop. */
class Shop[T](val name: String, plain: Int) extends Base(plain) with Sells[T] {
  private val count: Int = 0
  def sell(a: Int): Int = {
    val local = 1
    if (a > 1 && b) 1 else 2
    a match { case 1 => 1; case _ => 2 }
  }
  type X = Int
}
object Shop { def apply() = new Shop("") }
trait Sells[T] { def sell(): Unit }
case class Point(x: Int)
enum Color { case Red, Green }
"#,
            "
8-16 public class Shop | class Shop[T](val name: String, plain: Int) extends Base(plain) with Sells[T] | A shop.
8-8 public field Shop.name | val name: String
9-9 private field Shop.count | private val count: Int = 0
10-14 public method Shop.sell *4 | def sell(a: Int): Int
15-15 public type Shop.X | type X = Int
17-17 public class Shop | object Shop
17-17 public method Shop.apply | def apply()
18-18 public trait Sells | trait Sells[T]
18-18 public method Sells.sell | def sell(): Unit
19-19 public class Point | case class Point(x: Int)
19-19 public field Point.x | x: Int
20-20 public enum Color | enum Color
20-20 public enum_member Color.Red | Red
20-20 public enum_member Color.Green | Green
import c.d [E, F]
import h [*]
import i [J]
",
        );
    }

    #[test]
    fn tests_may_have_sentences_as_names() {
        check(
            "scala",
            "class A extends Suite {\n  test(\"sells\") {\n    val a = 1\n    f(a)\n  }\n  test(\"b\").c\n}\n",
            "
1-7 public class A | class A extends Suite
2-5 public test A.sells test | test(\"sells\")
",
        );
    }

    #[test]
    fn comment_of_the_next_definition_does_not_extend_the_last() {
        check(
            "scala",
            "class A {\n  def a: B =\n    c(\n      1)\n\n  /** D. */\n  def d: B =\n    e\n}\n",
            "
1-9 public class A | class A
2-4 public method A.a | def a: B
7-8 public method A.d | def d: B | D.
",
        );
    }

    #[test]
    fn uses() {
        check_uses(
            "scala",
            "class A extends B with C[D] { def f(x: e.G): H = { i.j(k(1)); new L(2) } }",
            "inherit B < A
             implement C < A
             type D < A
             type e . G < A.f
             type H < A.f
             call i . j < A.f
             call k < A.f
             call L < A.f",
        );
    }
}
