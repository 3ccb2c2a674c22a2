//! Kotlin.

use tree_sitter::Node;

use crate::grammar::{Docs, Field, Rule, Spec};
use crate::walk::{Definition, Walk};
use crate::{ImportKind, ReferenceKind, Symbol, SymbolKind, Visibility};

pub(super) const KOTLIN: Spec = Spec {
    id: "kotlin",
    grammar: || tree_sitter_kotlin_ng::LANGUAGE.into(),
    separator: ".",
    literals: &["collection_literal"],
    rules: &[&[
        ("line_comment", Rule::Comment),
        ("block_comment", Rule::Comment),
        ("package_header", Rule::Custom(package)),
        ("import", Rule::Custom(import)),
        ("class_declaration", Rule::Custom(class)),
        ("object_declaration", Rule::Custom(class)),
        ("companion_object", Rule::Custom(companion)),
        ("class_parameter", Rule::Custom(class_parameter)),
        ("enum_entry", Rule::Custom(enum_entry)),
        ("function_declaration", Rule::Custom(function)),
        ("secondary_constructor", Rule::Custom(constructor)),
        ("property_declaration", Rule::Custom(property)),
        ("type_alias", Rule::Custom(type_alias)),
        ("delegation_specifier", Rule::Custom(base)),
        ("call_expression", Rule::Custom(call)),
        ("user_type", Rule::Custom(user_type)),
        ("type_parameter", Rule::Custom(type_parameter)),
        ("object_literal", Rule::Custom(object_literal)),
        ("infix_expression", Rule::Custom(annotated_class)),
        ("lambda_literal", Rule::Local),
        ("anonymous_function", Rule::Local),
        ("anonymous_initializer", Rule::Local),
        ("getter", Rule::Local),
        ("setter", Rule::Local),
        ("if_expression", Rule::Branch),
        ("for_statement", Rule::Branch),
        ("while_statement", Rule::Branch),
        ("do_while_statement", Rule::Branch),
        ("when_entry", Rule::Custom(when_entry)),
        ("catch_block", Rule::Branch),
        ("&&", Rule::Branch),
        ("||", Rule::Branch),
        ("?:", Rule::Branch),
    ]],
    docs: Docs::Above,
    visibility,
    is_test,
};

fn visibility(walk: &Walk<'_>, _: SymbolKind, _: &str, modifiers: &str) -> Visibility {
    let has = |word: &str| modifiers.split_whitespace().any(|one| one == word);
    if has("private") {
        Visibility::Private
    } else if has("protected") {
        Visibility::Protected
    } else if has("internal") {
        Visibility::Internal
    } else if walk.is_in_function() {
        Visibility::Private
    } else {
        Visibility::Public
    }
}

fn is_test(_: &Walk<'_>, symbol: &Symbol, head: &str) -> bool {
    match symbol.kind {
        SymbolKind::Method | SymbolKind::Function => {
            let marks = ["@Test", "@ParameterizedTest", "@RepeatedTest"];
            let mut words = head.split_whitespace();
            words.any(|word| marks.contains(&word.split('(').next().unwrap_or(word)))
        }
        SymbolKind::Class => symbol.name.ends_with("Test") || symbol.name.ends_with("Tests"),
        _ => false,
    }
}

fn package<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    walk.skip();
    if let Some(name) = walk.child_of_kind(node, &["qualified_identifier"]) {
        let name = walk.text_of(name).to_owned();
        walk.found.packages.push(name);
    }
}

fn import<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    walk.skip();
    let Some(path) = walk.child_of_kind(node, &["qualified_identifier"]) else {
        return;
    };
    let path = walk.text_of(path);
    if walk.child_of_kind(node, &["*"]).is_some() {
        walk.import(ImportKind::Import, node, path, vec!["*".to_owned()]);
    } else {
        let (module, name) = path.rsplit_once('.').unwrap_or(("", path));
        walk.import(ImportKind::Import, node, module, vec![name.to_owned()]);
    }
}

fn class<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(name) = walk.field(node, Field::Name) else {
        return;
    };
    let body = walk.child_of_kind(node, &["class_body", "enum_class_body"]);
    let before = walk.slice(node.start_byte(), name.start_byte());
    let has = |word: &str| before.split_whitespace().any(|one| one == word);
    let kind = match () {
        () if has("interface") => SymbolKind::Interface,
        () if has("enum") => SymbolKind::Enum,
        () => SymbolKind::Class,
    };
    walk.define(Definition::new(kind, node, name).body(body));
}

/// Defines `annotation class Name` after several annotations, which the grammar parses as an
/// expression of three words.
fn annotated_class<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let [first, second, name] = walk.children(node).as_slice()
        && walk.text_of(*first) == "annotation"
        && walk.text_of(*second) == "class"
    {
        walk.define(Definition::new(SymbolKind::Class, node, *name));
    }
}

fn companion<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let body = walk.child_of_kind(node, &["class_body"]);
    let named = walk.field(node, Field::Name);
    let Some(place) = named.or_else(|| walk.child_of_kind(node, &["object"])) else {
        return;
    };
    let definition = Definition::new(SymbolKind::Class, node, place).body(body);
    walk.define(match named {
        Some(_) => definition,
        None => definition.named("Companion"),
    });
}

/// Defines the field of `class A(val b: C)`.
fn class_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let is_field = walk.child_of_kind(node, &["val", "var"]).is_some();
    if let Some(name) = walk
        .child_of_kind(node, &["identifier"])
        .filter(|_| is_field)
    {
        walk.define(Definition::new(SymbolKind::Field, node, name));
    }
}

fn enum_entry<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(name) = walk.child_of_kind(node, &["identifier"]) {
        walk.define(Definition::new(SymbolKind::EnumMember, node, name));
    }
}

fn function<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(name) = walk.field(node, Field::Name) else {
        return;
    };
    let body = walk.child_of_kind(node, &["function_body"]);
    let kind = match walk.is_in_type() {
        true => SymbolKind::Method,
        false => SymbolKind::Function,
    };
    let text = walk.text_of(name).trim_matches('`').to_owned();
    walk.define(Definition::new(kind, node, name).named(text).body(body));
}

fn constructor<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(word) = walk.child_of_kind(node, &["constructor"]) {
        let body = walk.child_of_kind(node, &["block"]);
        walk.define(Definition::new(SymbolKind::Constructor, node, word).body(body));
    }
}

fn property<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if walk.is_in_function() {
        return;
    }
    let variable = walk.child_of_kind(node, &["variable_declaration"]);
    let Some(name) = variable.and_then(|variable| walk.child_of_kind(variable, &["identifier"]))
    else {
        return;
    };
    let before = walk.slice(node.start_byte(), name.start_byte());
    let kind = match walk.is_in_type() {
        _ if before.split_whitespace().any(|word| word == "const") => SymbolKind::Constant,
        true => SymbolKind::Property,
        false => SymbolKind::Variable,
    };
    walk.define(Definition::new(kind, node, name));
}

fn type_alias<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(name) = walk.field(node, Field::Type) {
        walk.define(Definition::new(SymbolKind::Type, node, name));
    }
}

/// Adds the first identifier of a base. The grammar does not distinguish classes from interfaces,
/// but only classes are called.
fn base<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(inner) = node.named_child(0) else {
        return;
    };
    let (kind, of_type) = match inner.kind() {
        "constructor_invocation" => (ReferenceKind::Inherit, inner.named_child(0)),
        "user_type" => (ReferenceKind::Implement, Some(inner)),
        _ => return,
    };
    if let Some(of_type) = of_type {
        walk.last_use(kind, of_type, "identifier");
    }
}

fn user_type<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    walk.last_use(ReferenceKind::Type, node, "identifier");
}

fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(callee) = node.named_child(0) else {
        return;
    };
    match callee.kind() {
        "identifier" => walk.reference(ReferenceKind::Call, callee, None),
        "navigation_expression" => {
            let last = u32::try_from(callee.named_child_count())
                .unwrap_or(1)
                .saturating_sub(1);
            if let Some(name) = callee.named_child(last)
                && name.kind() == "identifier"
            {
                let qualifier = walk.qualifier_between(callee, name);
                walk.reference(ReferenceKind::Call, name, qualifier);
            }
        }
        _ => {}
    }
}

fn type_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(name) = walk.child_of_kind(node, &["identifier"]) {
        walk.not_a_use(name);
    }
}

fn object_literal<'t>(walk: &mut Walk<'t>, _: Node<'t>) {
    walk.open_anonymous(SymbolKind::Class);
}

fn when_entry<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if !walk.text_of(node).starts_with("else") {
        walk.branch();
    }
}

#[cfg(test)]
mod tests {
    use crate::languages::check::{check, check_uses};

    const SOURCE: &str = r#"
package com.x

import com.y.Z
import com.w.*
import a.b as c

/** A shop. */
@Deprecated("x")
open class Shop<T>(private val name: String, plain: Int) : Base(plain), Sells<T> {
    constructor() : this("", 1) { }
    private var count = 0
    val size: Int get() = 1
    override fun sell(a: Int?): Int {
        val local = 1
        if (a == null && count > 1) return 0
        return when (a) { 1 -> 1; else -> a ?: 2 }
    }
    companion object {
        const val MOST = 4
    }
}
interface Sells<T> {
    fun sell()
}
enum class Kind { ONE, TWO }
object Single
data class Point(val x: Int)
typealias Short = List<Int>
fun String.twice() = this + this
@Retention(BINARY)
@Target(CLASS, FUNCTION)
annotation class Mark
class ShopTest {
    @Test
    fun `it sells`() {}
}
"#;

    const FOUND: &str = "
10-22 public class Shop | open class Shop<T>(private val name: String, plain: Int) : Base(plain), Sells<T> | A shop.
10-10 private field Shop.name | private val name: String
11-11 public constructor Shop.constructor | constructor() : this(\"\", 1)
12-12 private property Shop.count | private var count = 0
13-13 public property Shop.size | val size: Int get() = 1
14-18 public method Shop.sell *5 | override fun sell(a: Int?): Int
19-21 public class Shop.Companion | companion object
20-20 public constant Shop.Companion.MOST | const val MOST = 4
23-25 public interface Sells | interface Sells<T>
24-24 public method Sells.sell | fun sell()
26-26 public enum Kind | enum class Kind
26-26 public enum_member Kind.ONE | ONE
26-26 public enum_member Kind.TWO | TWO
27-27 public class Single | object Single
28-28 public class Point | data class Point(val x: Int)
28-28 public field Point.x | val x: Int
29-29 public type Short | typealias Short = List<Int>
30-30 public function twice | fun String.twice()
33-33 public class Mark | annotation class Mark
34-37 public class ShopTest test | class ShopTest
36-36 public method ShopTest.it sells test | fun `it sells`()
import com.y [Z]
import com.w [*]
import a [b]
";

    #[test]
    fn definitions() {
        check("kotlin", SOURCE, FOUND);
    }

    #[test]
    fn uses() {
        check_uses(
            "kotlin",
            "class A : B(), c.D<E> { fun f(x: G?) { h.i?.j(k()) } }",
            "inherit B < A
             implement c . D < A
             type E < A
             type G < A.f
             call h.i . j < A.f
             call k < A.f",
        );
    }
}
