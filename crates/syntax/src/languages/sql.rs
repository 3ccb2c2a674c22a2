//! SQL: the definitions of a schema.

use tree_sitter::Node;

use crate::grammar::{Docs, Field, Rule, Spec, always_public, never_a_test};
use crate::walk::{Definition, Walk};
use crate::{ReferenceKind, SymbolKind};

pub(super) const SQL: Spec = Spec {
    id: "sql",
    grammar: || tree_sitter_sequel::LANGUAGE.into(),
    separator: ".",
    literals: &[],
    rules: &[&[
        ("comment", Rule::Comment),
        ("marginalia", Rule::Comment),
        ("create_table", Rule::Custom(table)),
        ("create_view", Rule::Custom(table)),
        ("create_materialized_view", Rule::Custom(table)),
        ("column_definition", Rule::Symbol(SymbolKind::Field)),
        ("create_function", Rule::Custom(function)),
        ("create_type", Rule::Custom(type_name)),
        ("create_index", Rule::Custom(index)),
        ("create_trigger", Rule::Custom(index)),
        ("create_sequence", Rule::Custom(index)),
        ("create_schema", Rule::Custom(schema)),
        ("object_reference", Rule::Custom(reference)),
    ]],
    docs: Docs::Above,
    visibility: always_public,
    is_test: never_a_test,
};

fn defined<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: SymbolKind, body: &[&str]) {
    let Some(reference) = walk.child_of_kind(node, &["object_reference", "identifier"]) else {
        return;
    };
    let name = walk.field(reference, Field::Name).unwrap_or(reference);
    let text = walk
        .text_of(name)
        .trim_matches(['"', '`', '[', ']'])
        .to_owned();
    let owner = walk
        .slice(reference.start_byte(), name.start_byte())
        .trim_end_matches('.');
    let owner = (!owner.is_empty()).then(|| owner.to_owned());
    let body = walk.child_of_kind(node, body);
    walk.define(
        Definition::new(kind, node, name)
            .named(text)
            .owner(owner)
            .body(body),
    );
}

fn table<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    defined(
        walk,
        node,
        SymbolKind::Table,
        &["column_definitions", "create_query"],
    );
}

fn function<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    defined(walk, node, SymbolKind::Function, &["function_body"]);
}

fn type_name<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    defined(walk, node, SymbolKind::Type, &[]);
}

fn index<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    // An index may have no name before its table.
    let first = walk.child_of_kind(node, &["object_reference", "identifier"]);
    let after_on = walk.child_of_kind(node, &["keyword_on"]);
    let is_named = match (first, after_on) {
        (Some(first), Some(on)) => first.start_byte() < on.start_byte(),
        _ => true,
    };
    if is_named {
        defined(walk, node, SymbolKind::Index, &[]);
    }
}

fn schema<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    defined(walk, node, SymbolKind::Module, &[]);
}

fn reference<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    walk.named_use(ReferenceKind::Type, node);
}

#[cfg(test)]
mod tests {
    use crate::languages::check::{check, check_uses};

    const SCHEMA: &str = "-- Users.
CREATE TABLE IF NOT EXISTS app.users (
  id BIGINT PRIMARY KEY,
  name TEXT NOT NULL
);
CREATE VIEW v AS SELECT * FROM users;
CREATE UNIQUE INDEX idx ON users (name);
CREATE FUNCTION f(a int) RETURNS int AS $$ SELECT 1 $$ LANGUAGE sql;
CREATE TRIGGER t BEFORE INSERT ON users FOR EACH ROW EXECUTE FUNCTION f();
CREATE TYPE mood AS ENUM ('a', 'b');
";

    #[test]
    fn definitions() {
        check(
            "sql",
            SCHEMA,
            "
2-5 public table app.users | CREATE TABLE IF NOT EXISTS app.users | Users.
3-3 public field app.users.id | id BIGINT PRIMARY KEY
4-4 public field app.users.name | name TEXT NOT NULL
6-6 public table v | CREATE VIEW v AS
7-7 public index idx | CREATE UNIQUE INDEX idx ON users (name)
8-8 public function f | CREATE FUNCTION f(a int) RETURNS int
9-9 public index t | CREATE TRIGGER t BEFORE INSERT ON users FOR EACH ROW EXECUTE FUNCTION f()
10-10 public type mood | CREATE TYPE mood AS ENUM ('a', 'b')
",
        );
    }

    #[test]
    fn uses() {
        check_uses(
            "sql",
            "SELECT a FROM s.users JOIN orgs ON true;",
            "type s . users < -\ntype orgs < -",
        );
    }
}
