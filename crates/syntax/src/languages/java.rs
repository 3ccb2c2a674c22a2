//! Java.

use tree_sitter::Node;

use crate::grammar::{Docs, Field, Rule, Spec};
use crate::walk::{Definition, Walk};
use crate::{ImportKind, ReferenceKind, Symbol, SymbolKind, Visibility};

pub(super) const JAVA: Spec = Spec {
    id: "java",
    grammar: || tree_sitter_java::LANGUAGE.into(),
    separator: ".",
    literals: &["array_initializer", "element_value_array_initializer"],
    rules: &[&[
        ("line_comment", Rule::Comment),
        ("block_comment", Rule::Comment),
        ("package_declaration", Rule::Custom(package)),
        ("import_declaration", Rule::Custom(import)),
        ("class_declaration", Rule::Symbol(SymbolKind::Class)),
        ("record_declaration", Rule::Custom(record)),
        ("interface_declaration", Rule::Symbol(SymbolKind::Interface)),
        (
            "annotation_type_declaration",
            Rule::Symbol(SymbolKind::Interface),
        ),
        ("enum_declaration", Rule::Symbol(SymbolKind::Enum)),
        ("enum_constant", Rule::Symbol(SymbolKind::EnumMember)),
        ("method_declaration", Rule::Symbol(SymbolKind::Method)),
        (
            "annotation_type_element_declaration",
            Rule::Symbol(SymbolKind::Method),
        ),
        (
            "constructor_declaration",
            Rule::Symbol(SymbolKind::Constructor),
        ),
        (
            "compact_constructor_declaration",
            Rule::Symbol(SymbolKind::Constructor),
        ),
        ("field_declaration", Rule::Custom(field)),
        ("constant_declaration", Rule::Custom(field)),
        ("superclass", Rule::Custom(superclass)),
        ("super_interfaces", Rule::Custom(super_interfaces)),
        ("extends_interfaces", Rule::Custom(superclass)),
        ("method_invocation", Rule::Custom(call)),
        ("object_creation_expression", Rule::Call(Field::Type)),
        ("marker_annotation", Rule::Custom(annotation)),
        ("annotation", Rule::Custom(annotation)),
        ("type_identifier", Rule::TypeName),
        ("scoped_type_identifier", Rule::Custom(scoped_type)),
        ("type_parameter", Rule::Custom(type_parameter)),
        ("class_body", Rule::Custom(class_body)),
        ("lambda_expression", Rule::Local),
        ("if_statement", Rule::Branch),
        ("for_statement", Rule::Branch),
        ("enhanced_for_statement", Rule::Branch),
        ("while_statement", Rule::Branch),
        ("do_statement", Rule::Branch),
        ("catch_clause", Rule::Branch),
        ("ternary_expression", Rule::Branch),
        ("switch_label", Rule::Custom(switch_label)),
        ("&&", Rule::Branch),
        ("||", Rule::Branch),
        ("string_literal", Rule::Skip),
    ]],
    docs: Docs::Above,
    visibility,
    is_test,
};

fn visibility(walk: &Walk<'_>, kind: SymbolKind, _: &str, modifiers: &str) -> Visibility {
    let has = |word: &str| modifiers.split_whitespace().any(|one| one == word);
    if has("public") {
        Visibility::Public
    } else if has("protected") {
        Visibility::Protected
    } else if has("private") {
        Visibility::Private
    } else if kind == SymbolKind::EnumMember || walk.around_kind() == Some(SymbolKind::Interface) {
        walk.around_visibility()
    } else {
        Visibility::Internal
    }
}

fn is_test(_: &Walk<'_>, symbol: &Symbol, head: &str) -> bool {
    match symbol.kind {
        SymbolKind::Method => {
            let marks = [
                "@Test",
                "@ParameterizedTest",
                "@RepeatedTest",
                "@TestFactory",
                "@Property",
            ];
            let is_mark = |word: &str| {
                let word = word.split('(').next().unwrap_or(word);
                marks.contains(&word)
            };
            head.split_whitespace().any(is_mark)
                || (symbol.name.starts_with("test") && symbol.signature.contains("public void"))
        }
        SymbolKind::Class => symbol.name.ends_with("Test") || symbol.name.ends_with("Tests"),
        _ => false,
    }
}

fn package<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    walk.skip();
    if let Some(name) = walk.child_of_kind(node, &["scoped_identifier", "identifier"]) {
        let name = walk.text_of(name).to_owned();
        walk.found.packages.push(name);
    }
}

fn import<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    walk.skip();
    let Some(path) = walk.child_of_kind(node, &["scoped_identifier", "identifier"]) else {
        return;
    };
    let path = walk.text_of(path);
    if walk.child_of_kind(node, &["asterisk"]).is_some() {
        walk.import(ImportKind::Import, node, path, vec!["*".to_owned()]);
    } else if let Some((module, name)) = path.rsplit_once('.') {
        walk.import(ImportKind::Import, node, module, vec![name.to_owned()]);
    }
}

/// Defines a record, whose components are its fields.
fn record<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(name) = walk.field(node, Field::Name) else {
        return;
    };
    let body = walk.field(node, Field::Body);
    walk.define(Definition::new(SymbolKind::Class, node, name).body(body));
}

fn field<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let modifiers = walk
        .child_of_kind(node, &["modifiers"])
        .map_or("", |node| walk.text_of(node));
    let is_constant = node.kind() == "constant_declaration"
        || (modifiers.contains("static") && modifiers.contains("final"));
    let kind = if is_constant {
        SymbolKind::Constant
    } else {
        SymbolKind::Field
    };
    for declarator in walk.children(node) {
        if declarator.kind() == "variable_declarator"
            && let Some(name) = walk.field(declarator, Field::Name)
        {
            walk.define(Definition::new(kind, node, name));
        }
    }
}

fn types<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: ReferenceKind) {
    for child in walk.children(node) {
        let list = if child.kind() == "type_list" {
            walk.children(child)
        } else {
            vec![child]
        };
        for one in list {
            let name = if one.kind() == "generic_type" {
                one.named_child(0).unwrap_or(one)
            } else {
                one
            };
            walk.named_use(kind, name);
        }
    }
}

fn superclass<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    types(walk, node, ReferenceKind::Inherit);
}

fn super_interfaces<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    types(walk, node, ReferenceKind::Implement);
}

fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(name) = walk.field(node, Field::Name) else {
        return;
    };
    let object = walk.field(node, Field::Object);
    let qualifier = object.and_then(|object| walk.qualifier(object));
    walk.reference(ReferenceKind::Call, name, qualifier);
}

fn annotation<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(name) = walk.field(node, Field::Name) {
        walk.named_use(ReferenceKind::Type, name);
    }
}

fn scoped_type<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    walk.named_use(ReferenceKind::Type, node);
    walk.skip();
}

fn type_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(name) = walk.child_of_kind(node, &["type_identifier"]) {
        walk.not_a_use(name);
    }
}

/// Opens the body of an anonymous class inside a function, which contains members and no variables
/// of the function.
fn class_body<'t>(walk: &mut Walk<'t>, _: Node<'t>) {
    if walk.is_in_function() {
        walk.open_anonymous(SymbolKind::Class);
    }
}

fn switch_label<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if walk.text_of(node).starts_with("case") {
        walk.branch();
    }
}

#[cfg(test)]
mod tests {
    use crate::languages::check::{check, check_uses};

    const SOURCE: &str = r#"
package com.x.y;

import java.util.List;
import static java.util.Map.Entry;
import com.z.*;

/**
 * A shop.
 */
@Service
public final class Shop<T> extends Base implements Closeable, Sells<T> {
    public static final int MOST = 4, LEAST = 1;
    private String name;

    protected Shop(String name) { this.name = name; }

    /** Sells. */
    @Override
    public int sell(int a) {
        if (a > 1 && a < 4) { return 1; }
        switch (a) { case 1: break; default: }
        return a > 0 ? 1 : 2;
    }

    enum Kind { ONE, TWO { void x() {} } }
    interface Sells<T> { int X = 1; void sell(T t); }
    record Point(int x, int y) {}
    @interface Mark { int value() default 1; }
}

class ShopTest {
    @Test
    void sells() {}
}
"#;

    const FOUND: &str = "
12-30 public class Shop | public final class Shop<T> extends Base implements Closeable, Sells<T> | A shop.
13-13 public constant Shop.MOST | public static final int MOST = 4, LEAST = 1
13-13 public constant Shop.LEAST | public static final int MOST = 4, LEAST = 1
14-14 private field Shop.name | private String name
16-16 protected constructor Shop.Shop | protected Shop(String name)
20-24 public method Shop.sell *5 | public int sell(int a) | Sells.
26-26 internal enum Shop.Kind | enum Kind
26-26 internal enum_member Shop.Kind.ONE | ONE
26-26 internal enum_member Shop.Kind.TWO | TWO
26-26 internal method Shop.Kind.TWO.x | void x()
27-27 internal interface Shop.Sells | interface Sells<T>
27-27 internal constant Shop.Sells.X | int X = 1
27-27 internal method Shop.Sells.sell | void sell(T t)
28-28 internal class Shop.Point | record Point(int x, int y)
29-29 internal interface Shop.Mark | @interface Mark
29-29 internal method Shop.Mark.value | int value() default 1
32-35 internal class ShopTest test | class ShopTest
34-34 internal method ShopTest.sells test | void sells()
import java.util [List]
import java.util.Map [Entry]
import com.z [*]
";

    #[test]
    fn definitions() {
        check("java", SOURCE, FOUND);
    }

    #[test]
    fn uses() {
        check_uses(
            "java",
            "class A extends b.B<C> implements D { @E void f(G g) { h.i().j(k()); new L<M>(); } }",
            "inherit b . B < A
             type C < A
             implement D < A
             type E < A.f
             type G < A.f
             call h.i() . j < A.f
             call h . i < A.f
             call k < A.f
             call L < A.f
             type M < A.f",
        );
    }
}
