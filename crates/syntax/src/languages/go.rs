//! Go.

use tree_sitter::Node;

use crate::grammar::{Docs, Field, Rule, Spec};
use crate::walk::{Definition, Walk, type_parameter};
use crate::{ImportKind, ReferenceKind, Symbol, SymbolKind, Visibility};

pub(super) const GO: Spec = Spec {
    id: "go",
    grammar: || tree_sitter_go::LANGUAGE.into(),
    separator: ".",
    literals: &["literal_value"],
    rules: &[&[
        ("comment", Rule::Comment),
        ("package_clause", Rule::Custom(package)),
        ("import_spec", Rule::Custom(import)),
        ("function_declaration", Rule::Symbol(SymbolKind::Function)),
        ("method_declaration", Rule::Custom(method)),
        ("type_declaration", Rule::Custom(group)),
        ("const_declaration", Rule::Custom(group)),
        ("var_declaration", Rule::Custom(group)),
        ("type_spec", Rule::Custom(type_spec)),
        ("type_alias", Rule::Symbol(SymbolKind::Type)),
        ("const_spec", Rule::Custom(constant)),
        ("var_spec", Rule::Custom(variable)),
        ("field_declaration", Rule::Custom(field)),
        ("method_elem", Rule::Symbol(SymbolKind::Method)),
        ("type_elem", Rule::Custom(embedded_interface)),
        ("func_literal", Rule::Local),
        ("call_expression", Rule::Call(Field::Function)),
        ("type_identifier", Rule::TypeName),
        ("qualified_type", Rule::Custom(qualified_type)),
        ("type_parameter_declaration", Rule::Custom(type_parameter)),
        ("if_statement", Rule::Branch),
        ("for_statement", Rule::Branch),
        ("expression_case", Rule::Branch),
        ("type_case", Rule::Branch),
        ("communication_case", Rule::Branch),
        ("&&", Rule::Branch),
        ("||", Rule::Branch),
        ("interpreted_string_literal", Rule::Skip),
        ("raw_string_literal", Rule::Skip),
    ]],
    docs: Docs::Above,
    visibility,
    is_test,
};

fn visibility(_: &Walk<'_>, _: SymbolKind, name: &str, _: &str) -> Visibility {
    if name.starts_with(char::is_uppercase) {
        Visibility::Public
    } else {
        Visibility::Internal
    }
}

/// Returns whether `go test` runs a function, by its name and its parameters.
fn is_test(_: &Walk<'_>, symbol: &Symbol, _: &str) -> bool {
    let is_one = |prefix: &&str| {
        let rest = symbol.name.strip_prefix(*prefix);
        rest.is_some_and(|rest| !rest.starts_with(char::is_lowercase))
    };
    let takes = |what: &str| symbol.signature.contains(what);
    symbol.kind == SymbolKind::Function
        && ((["Test", "Benchmark", "Fuzz"].iter().any(&is_one) && takes("*testing."))
            || (is_one(&"Example") && takes("()")))
}

fn package<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(name) = node.named_child(0) {
        let name = walk.text_of(name).to_owned();
        walk.found.packages.push(name);
    }
}

fn import<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    walk.skip();
    if let Some(path) = walk.field(node, Field::Path) {
        let path = walk.text_of(path).trim_matches(['"', '`']);
        walk.import(ImportKind::Import, node, path, Vec::new());
    }
}

/// Handles a declaration that may contain several specifications in brackets, such as `type X
/// struct`.
fn group<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if walk.child_of_kind(node, &["(", "var_spec_list"]).is_none() {
        walk.wrap(node);
    }
}

fn method<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(name) = walk.field(node, Field::Name) else {
        return;
    };
    let receiver = walk.field(node, Field::Receiver);
    let owner =
        receiver.and_then(|receiver| walk.leaves(receiver, "type_identifier").into_iter().next());
    let owner = owner.map(|owner| walk.text_of(owner).to_owned());
    let body = walk.field(node, Field::Body);
    walk.define(
        Definition::new(SymbolKind::Method, node, name)
            .body(body)
            .owner(owner),
    );
}

fn type_spec<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(name) = walk.field(node, Field::Name) else {
        return;
    };
    let inner = walk.field(node, Field::Type);
    let (kind, body) = match inner.map(|inner| inner.kind()) {
        Some("struct_type") => (
            SymbolKind::Struct,
            inner.and_then(|inner| walk.child_of_kind(inner, &["field_declaration_list"])),
        ),
        Some("interface_type") => (SymbolKind::Interface, None),
        _ => (SymbolKind::Type, None),
    };
    let interface = inner.filter(|_| kind == SymbolKind::Interface);
    let open = interface.and_then(|interface| walk.child_of_kind(interface, &["{"]));
    let definition = Definition::new(kind, node, name).body(body);
    walk.define(match open {
        Some(open) => definition.body_span(Some(loom_base::ByteSpan::new(
            open.start_byte(),
            node.end_byte(),
        ))),
        None => definition,
    });
}

fn constant<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    names(walk, node, SymbolKind::Constant);
}

fn variable<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    names(walk, node, SymbolKind::Variable);
}

/// Defines the names of a declaration outside of functions.
fn names<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: SymbolKind) {
    if walk.is_in_function() {
        return;
    }
    let mut cursor = node.walk();
    let names: Vec<_> = node
        .children(&mut cursor)
        .take_while(|child| matches!(child.kind(), "identifier" | "," | "comment"))
        .filter(|child| child.kind() == "identifier" && walk.text_of(*child) != "_")
        .collect();
    for name in names {
        walk.define(Definition::new(kind, node, name));
    }
}

fn field<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let mut cursor = node.walk();
    let names: Vec<_> = node
        .children(&mut cursor)
        .filter(|child| child.kind() == "field_identifier")
        .collect();
    if names.is_empty()
        && let Some(embedded) = walk.field(node, Field::Type)
    {
        walk.named_use(ReferenceKind::Inherit, embedded);
    }
    let is_member = matches!(
        walk.around_kind(),
        Some(SymbolKind::Struct | SymbolKind::Type | SymbolKind::Field)
    );
    for name in names {
        if is_member && walk.text_of(name) != "_" {
            walk.define(Definition::new(SymbolKind::Field, node, name));
        }
    }
}

/// Adds an embedded interface, whose methods are inherited; a set of types has none.
fn embedded_interface<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if node.named_child_count() == 1
        && let Some(inner) = node.named_child(0)
        && matches!(inner.kind(), "type_identifier" | "qualified_type")
    {
        walk.named_use(ReferenceKind::Inherit, inner);
    }
}

fn qualified_type<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    walk.named_use(ReferenceKind::Type, node);
}

#[cfg(test)]
mod tests {
    use crate::languages::check::{check, check_uses};

    const SOURCE: &str = r#"
package server

import (
	"fmt"
	v1 "k8s.io/api/core/v1"
)

// Server serves.
type Server struct {
	*Base
	// Addr is where.
	Addr, name string `json:"addr"`
	inner struct {
		Deep int
	}
}

type (
	// Handler handles.
	Handler interface {
		io.Closer
		Handle(r *Request) error
	}
	ID = string
	Count int
)

const (
	A = iota
	B, c
	_
)

var ErrX = errors.New("x")

// Run runs it.
func (s *Server[T]) Run(ctx context.Context, n int) (err error) {
	const local = 1
	var other int
	if n > 0 && ctx != nil {
		for range n {}
	}
	switch n { case 1: default: }
	return nil
}

func TestRun(t *testing.T) { f := func() {} }
func Testify() {}
"#;

    const FOUND: &str = "
10-17 public struct Server | type Server struct | Server serves.
13-13 public field Server.Addr | Addr, name string `json:\"addr\"` | Addr is where.
13-13 internal field Server.name | Addr, name string `json:\"addr\"` | Addr is where.
14-16 internal field Server.inner | inner struct { Deep int }
15-15 public field Server.inner.Deep | Deep int
21-24 public interface Handler | Handler interface | Handler handles.
23-23 public method Handler.Handle | Handle(r *Request) error
25-25 public type ID | ID = string
26-26 public type Count | Count int
30-30 public constant A | A = iota
31-31 public constant B | B, c
31-31 internal constant c | B, c
35-35 public variable ErrX | var ErrX = errors.New(\"x\")
38-46 public method Server.Run *5 | func (s *Server[T]) Run(ctx context.Context, n int) (err error) | Run runs it.
48-48 public function TestRun test | func TestRun(t *testing.T)
49-49 public function Testify | func Testify()
import fmt []
import k8s.io/api/core/v1 []
";

    #[test]
    fn definitions() {
        check("go", SOURCE, FOUND);
    }

    #[test]
    fn uses() {
        check_uses(
            "go",
            "package a\ntype B struct { *C; d.E }\nfunc f(x g.H) { k.l.M(); n(); o.P{}.Q() }",
            "inherit C < B
             inherit d . E < B
             type g . H < f
             call k.l . M < f
             call n < f
             call o.P{} . Q < f
             type o . P < f",
        );
    }
}
