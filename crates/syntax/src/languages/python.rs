//! Python.

use loom_base::ByteSpan;
use tree_sitter::Node;

use crate::grammar::{Docs, Field, Rule, Spec};
use crate::walk::{Definition, Walk};
use crate::{ImportKind, ReferenceKind, Symbol, SymbolKind, Visibility, doc};

pub(super) const PYTHON: Spec = Spec {
    id: "python",
    grammar: || tree_sitter_python::LANGUAGE.into(),
    separator: ".",
    literals: &["list", "dictionary", "set", "tuple"],
    rules: &[&[
        ("comment", Rule::Comment),
        ("decorated_definition", Rule::Wrapper),
        ("decorator", Rule::Custom(decorator)),
        ("function_definition", Rule::Custom(function)),
        ("class_definition", Rule::Custom(class)),
        ("assignment", Rule::Custom(assignment)),
        ("type_alias_statement", Rule::Custom(type_alias)),
        ("import_statement", Rule::Custom(import)),
        ("import_from_statement", Rule::Custom(import_from)),
        ("future_import_statement", Rule::Skip),
        ("call", Rule::Call(Field::Function)),
        ("type", Rule::Custom(type_use)),
        ("lambda", Rule::Local),
        ("if_statement", Rule::Branch),
        ("elif_clause", Rule::Branch),
        ("for_statement", Rule::Branch),
        ("while_statement", Rule::Branch),
        ("except_clause", Rule::Branch),
        ("conditional_expression", Rule::Branch),
        ("boolean_operator", Rule::Branch),
        ("case_clause", Rule::Branch),
        ("for_in_clause", Rule::Branch),
        ("if_clause", Rule::Branch),
    ]],
    docs: Docs::Above,
    visibility,
    is_test,
};

fn visibility(_: &Walk<'_>, _: SymbolKind, name: &str, _: &str) -> Visibility {
    let is_special = name.starts_with("__") && name.ends_with("__");
    if name.starts_with('_') && !is_special {
        Visibility::Private
    } else {
        Visibility::Public
    }
}

fn is_test(walk: &Walk<'_>, symbol: &Symbol, _: &str) -> bool {
    let name = symbol.name.as_str();
    match symbol.kind {
        SymbolKind::Function | SymbolKind::Method => name.starts_with("test_") || name == "test",
        // A class inside a test is part of the test.
        SymbolKind::Class => {
            let is_named = name.starts_with("Test") && !name.ends_with("Case");
            !walk.is_in_function() && (is_named || symbol.signature.contains("TestCase"))
        }
        _ => false,
    }
}

fn decorator<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    walk.attribute(node);
    if let Some(name) = node.named_child(0)
        && matches!(name.kind(), "identifier" | "attribute")
    {
        walk.named_use(ReferenceKind::Call, name);
    }
}

fn function<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(name) = walk.field(node, Field::Name) else {
        return;
    };
    let body = walk.field(node, Field::Body);
    let kind = match walk.text_of(name) {
        "__init__" if walk.is_in_type() => SymbolKind::Constructor,
        _ if walk.is_in_type() => SymbolKind::Method,
        _ => SymbolKind::Function,
    };
    let doc = body.and_then(|body| docstring(walk, body));
    let body = body.map(|body| after_colon(walk, node, body));
    walk.define(Definition::new(kind, node, name).body_span(body).doc(doc));
}

fn class<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(name) = walk.field(node, Field::Name) else {
        return;
    };
    let body = walk.field(node, Field::Body);
    let doc = body.and_then(|body| docstring(walk, body));
    let bases = walk.field(node, Field::Superclasses);
    let kind = SymbolKind::Class;
    let body = body.map(|body| after_colon(walk, node, body));
    walk.define(Definition::new(kind, node, name).body_span(body).doc(doc));
    for base in bases.map(|bases| walk.children(bases)).unwrap_or_default() {
        let base = match base.kind() {
            "subscript" => walk.field(base, Field::Value).unwrap_or(base),
            _ => base,
        };
        if matches!(base.kind(), "identifier" | "attribute") {
            walk.named_use(ReferenceKind::Inherit, base);
        }
    }
}

/// Returns the span of a body, including the comments before its first statement.
fn after_colon<'t>(walk: &Walk<'t>, node: Node<'t>, body: Node<'t>) -> ByteSpan {
    let colon = walk.child_of_kind(node, &[":"]);
    let start = colon.map_or(body.start_byte(), |colon| colon.end_byte());
    ByteSpan::new(start, body.end_byte())
}

fn docstring<'t>(walk: &Walk<'t>, body: Node<'t>) -> Option<String> {
    let mut cursor = body.walk();
    let first = body
        .named_children(&mut cursor)
        .find(|child| !child.is_extra())?;
    let string = match first.kind() {
        "expression_statement" => first.named_child(0)?,
        _ => first,
    };
    (string.kind() == "string").then(|| doc::docstring(walk.text_of(string)))?
}

/// Defines the names that modules and classes bind; a second binding of a name is ignored.
fn assignment<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if walk.is_in_function() {
        return;
    }
    let Some(left) = walk.field(node, Field::Left) else {
        return;
    };
    let names = match left.kind() {
        "pattern_list" | "tuple_pattern" | "list_pattern" => walk.children(left),
        _ => vec![left],
    };
    for name in names {
        let text = walk.text_of(name);
        if name.kind() != "identifier" || !walk.binds(text) {
            continue;
        }
        let kind = match walk.around_kind() {
            _ if is_constant(text) => SymbolKind::Constant,
            Some(SymbolKind::Class) => SymbolKind::Field,
            _ => SymbolKind::Variable,
        };
        walk.define(Definition::new(kind, node, name));
    }
}

fn is_constant(name: &str) -> bool {
    name.len() > 1
        && name.contains(|c: char| c.is_ascii_uppercase())
        && !name.contains(char::is_lowercase)
}

fn type_alias<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(left) = walk.field(node, Field::Left) {
        let text = walk
            .text_of(left)
            .split('[')
            .next()
            .unwrap_or_default()
            .to_owned();
        walk.define(Definition::new(SymbolKind::Type, node, left).named(text));
    }
}

fn import<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    walk.skip();
    for child in walk.children(node) {
        let module = match child.kind() {
            "aliased_import" => walk.field(child, Field::Name),
            "dotted_name" => Some(child),
            _ => None,
        };
        if let Some(module) = module {
            walk.import(ImportKind::Import, node, walk.text_of(module), Vec::new());
        }
    }
}

fn import_from<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    walk.skip();
    let Some(module) = walk.field(node, Field::ModuleName) else {
        return;
    };
    let mut names = Vec::new();
    for child in walk.children(node) {
        if child.start_byte() == module.start_byte() {
            continue;
        }
        let name = match child.kind() {
            "aliased_import" => walk.field(child, Field::Name),
            "dotted_name" | "wildcard_import" => Some(child),
            _ => None,
        };
        names.extend(name.map(|name| walk.text_of(name).to_owned()));
    }
    let module: String = walk.text_of(module).split_whitespace().collect();
    walk.import(ImportKind::Import, node, module, names);
}

/// Adds the names in an annotation. The walk finds calls inside it later.
fn type_use<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    for name in walk.leaves(node, "identifier") {
        let before = walk.slice(node.start_byte(), name.start_byte());
        if !before.ends_with('.') {
            walk.reference(ReferenceKind::Type, name, None);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::languages::check::{check, check_uses};

    #[test]
    fn definitions() {
        check(
            "python",
            r#"
"""Module."""
MOST: int = 4
a, b = 1, 2
a = 3

# How a thing is made.
@register(
    "x", y=1)
class Thing(Base, meta.Other[T], metaclass=Meta):
    """A thing.

    It has parts.
    """
    size = 4
    name: str

    def __init__(self, size: int):
        self.size = size

    @property
    def parts(
        self,
    ) -> list[Part]:
        # why
        for a in b:
            if a and b or c:
                pass
        return [x for x in y if x]

    def _hide(self): pass

async def run():
    inner = 1
    class TestNested(TestCase): pass

class TestThing(unittest.TestCase):
    def test_it(self): pass
"#,
            "
3-3 public constant MOST | MOST: int = 4
4-4 public variable a | a, b = 1, 2
4-4 public variable b | a, b = 1, 2
10-31 public class Thing | class Thing(Base, meta.Other[T], metaclass=Meta) | A thing.//It has parts.
15-15 public field Thing.size | size = 4
16-16 public field Thing.name | name: str
18-19 public constructor Thing.__init__ | def __init__(self, size: int)
22-29 public method Thing.parts *7 | def parts(self) -> list[Part]
31-31 private method Thing._hide | def _hide(self)
33-35 public function run | async def run()
35-35 public class run.TestNested | class TestNested(TestCase)
37-38 public class TestThing test | class TestThing(unittest.TestCase)
38-38 public method TestThing.test_it test | def test_it(self)
",
        );
    }

    #[test]
    fn imports() {
        check(
            "python",
            "import os.path, sys as s\nfrom . import a\nfrom ..b.c import (d as e,\n f)\nfrom x import *\n",
            "import os.path []
             import sys []
             import . [a]
             import ..b.c [d, f]
             import x [*]",
        );
    }

    #[test]
    fn uses() {
        check_uses(
            "python",
            "class A(b.B):\n  x: Dict[str, c.D] = f()\n  @g\n  def h(self): return self.y.z(i())\n",
            "inherit b . B < A
             type Dict < A.x
             type str < A.x
             type c < A.x
             call f < A.x
             call g < A
             call self.y . z < A.h
             call i < A.h",
        );
    }
}
